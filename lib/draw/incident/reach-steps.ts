import type { Period } from '../../domain/record/span.ts';

/** So many objects from a time on (ms). */
export interface ReachStep {
  readonly at: number;
  readonly objects: number;
}

/** Height (px) of a step with any object at all, so that one of a thousand is seen. */
const least = 4;

/**
 * The outline of how many objects there were over a period, as SVG path data in a box of `width` by `height` px: it begins and ends on
 * the ground, and stands at full height where most were. Steps in order; before the first of them it lies on the ground. '' where nothing
 * was there in the period, or it has no length.
 */
export function reachPath(
  steps: readonly ReachStep[],
  period: Period,
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const length = period.to - period.from;
  const most = Math.max(0, ...steps.map(({ objects }) => objects));
  if (length <= 0 || most === 0) return '';
  const x = (at: number): number => px(Math.min(1, Math.max(0, (at - period.from) / length)) * width);
  const y = (objects: number): number =>
    px(objects === 0 ? height : height - Math.max(least, (objects / most) * height));
  const risen = steps.map(({ at, objects }) => `H${x(at)}V${y(objects)}`);
  return `M0 ${height}${risen.join('')}H${px(width)}V${height}`;
}

function px(value: number): number {
  return Math.round(value * 10) / 10;
}
