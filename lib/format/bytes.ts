const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** A size in bytes for people, in powers of 1,000, as disks are sold: "412 MB", "1.4 GB", "900 bytes". */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let place = 0;
  while (value >= 999.5 && place < units.length - 1) {
    value /= 1_000;
    place += 1;
  }
  const rounded = place > 0 && value < 9.95 ? value.toFixed(1) : String(Math.round(value));
  return `${rounded} ${units[place] ?? ''}`;
}
