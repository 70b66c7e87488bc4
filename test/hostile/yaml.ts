/** One mapping with so many keys. */
export function manyKeys(count: number): string {
  return Array.from({ length: count }, (_, n) => `k${n}: 1\n`).join('');
}

/** So many aliases, each of an anchor of its own: none is used twice. */
export function aliasesOfEverything(count: number): string {
  return Array.from({ length: count }, (_, n) => `- &a${n} 1\n- *a${n}\n`).join('');
}
