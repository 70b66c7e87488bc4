/** A count with thousands apart: "1,204". */
export function formatCount(count: number): string {
  return String(Math.trunc(count)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A share from 0 to 1 in percent with one digit: "98.6 %". Only a share of exactly 1 is "100 %", only one of exactly 0 is "0 %". */
export function formatShare(share: number): string {
  if (share <= 0) return '0 %';
  if (share >= 1) return '100 %';
  const tenths = Math.min(999, Math.max(1, Math.round(share * 1000)));
  return `${(tenths / 10).toFixed(1)} %`;
}

/** A count with its noun: "1 object", "1,204 objects", "12 GitRepositories"; `many` where the plural is another. */
export function countOf(count: number, one: string, many = pluralOf(one)): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** A size in bytes for people, in powers of 1,000, as disks are sold: "412 MB", "1.4 GB", "900 bytes". */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const rounded = unit > 0 && value < 9.95 ? value.toFixed(1) : String(Math.round(value));
  return `${rounded} ${units[unit] ?? ''}`;
}
