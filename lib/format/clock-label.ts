import { formatDuration } from './duration.ts';

/** A clock that is so much ahead of ours (ms, negative where it is behind): "10 min ahead of", "7 s behind". */
export function clockLabel(ahead: number): string {
  return `${formatDuration(Math.abs(ahead))} ${ahead < 0 ? 'behind' : 'ahead of'}`;
}
