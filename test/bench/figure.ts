/** Unit in which a figure is written. */
export type Unit = 's' | 'ms' | 'bytes' | 'objects/s' | 'events/s' | 'cores' | 'CPU s' | 'times' | 'frames/s' | 'count';

/** Bar that a figure is held against, as the README states it. `most` and `least` are in the figure's own unit. */
export type Bar =
  | { readonly most: number; readonly at?: string }
  | { readonly least: number; readonly at?: string }
  /** Nothing to reach; it explains another figure. */
  | null;

/** One measured figure. */
export interface Figure {
  readonly area: string;
  readonly name: string;
  readonly value: number;
  readonly unit: Unit;
  readonly bar: Bar;
}

/** True if the bar is reached; null where there is none, or nothing was measured. */
export function reached({ value, bar }: Figure): boolean | null {
  if (bar === null || Number.isNaN(value)) return null;
  return 'most' in bar ? value <= bar.most : value >= bar.least;
}

/** A value with its unit, as people read it. */
export function written(value: number, unit: Unit): string {
  if (!Number.isFinite(value)) return 'not known here';
  switch (unit) {
    case 'bytes':
      return bytes(value);
    case 'times':
      return `${value.toFixed(1)} x`;
    case 'cores':
      return `${value.toFixed(2)} cores`;
    case 'count':
      return value.toLocaleString('en');
    case 'frames/s':
      return `${value.toFixed(1)} ${unit}`;
    case 's':
    case 'CPU s':
      return `${value.toFixed(value < 10 ? 2 : 1)} ${unit}`;
    case 'ms':
    case 'objects/s':
    case 'events/s':
      return `${Math.round(value).toLocaleString('en')} ${unit}`;
  }
}

function bytes(value: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  return `${(value / 1000 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`;
}
