/** The hatch of what is not seen, as the inside of an SVG <pattern> with this id: 1 px lines, 5 px apart, rising to the right. */
export function hatchPattern(id: string, colour: string): string {
  return (
    `<pattern id="${id}" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
    `<path d="M0 0V5" stroke="${colour}" stroke-width="2"/></pattern>`
  );
}
