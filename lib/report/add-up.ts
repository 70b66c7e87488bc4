/**
 * Whole numbers that stand for `parts` and add up to `total`, so that rounded parts do not contradict their sum: each is cut, and what
 * is left goes to those that lost most by that. All 0 where the parts are nothing together.
 */
export function addUp(parts: readonly number[], total: number): readonly number[] {
  const whole = parts.reduce((sum, part) => sum + part, 0);
  if (whole === 0) return parts.map(() => 0);
  const exact = parts.map((part) => (part / whole) * total);
  const cut = exact.map(Math.floor);
  const left = Math.round(total - cut.reduce((sum, part) => sum + part, 0));
  const lost = exact.map((part, index) => ({ index, by: part - Math.floor(part) })).toSorted((a, b) => b.by - a.by);
  for (const { index } of lost.slice(0, left)) cut[index] = (cut[index] ?? 0) + 1;
  return cut;
}
