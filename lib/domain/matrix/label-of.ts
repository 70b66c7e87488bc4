/** The value of a label; '' where there is none. Addresses name labels: what every object has, such as `constructor`, is none. */
export function labelOf(labels: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(labels, name) ? (labels[name] ?? '') : '';
}
