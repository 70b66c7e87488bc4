import type { Verdict } from '../domain/verdict/verdict.ts';

/** Mark repeated on an area: lines that rise or fall to the right, that lie or stand, or dots. */
type Mark = 'rising' | 'falling' | 'lying' | 'standing' | 'dots';

/** Fill of an area in a chart: a ground of some opacity (0 to 1), and marks `size` px apart of a stroke of `stroke` px. */
export interface Texture {
  readonly ground: number;
  readonly marks: readonly Mark[];
  readonly size: number;
  readonly stroke: number;
}

/** Every verdict that can stand in a chart has a texture of its own, so that it is told apart in black and white too. */
const textures: Readonly<Record<Verdict, Texture>> = {
  diverged: { ground: 1, marks: [], size: 4, stroke: 0 },
  drifted: { ground: 0.18, marks: ['rising'], size: 4, stroke: 1.4 },
  unhealthy: { ground: 0.18, marks: ['dots'], size: 4, stroke: 2.4 },
  stale: { ground: 0.18, marks: ['rising', 'falling'], size: 4, stroke: 1 },
  unobserved: { ground: 0, marks: ['rising'], size: 5, stroke: 1 },
  suspended: { ground: 0.12, marks: ['lying'], size: 3, stroke: 1.4 },
  behind: { ground: 0.18, marks: ['falling'], size: 4, stroke: 1.2 },
  waiting: { ground: 0.18, marks: ['standing'], size: 3, stroke: 1.2 },
  progressing: { ground: 0.45, marks: [], size: 4, stroke: 0 },
  unconfirmed: { ground: 0.16, marks: ['dots'], size: 5, stroke: 1.3 },
  converged: { ground: 0.3, marks: [], size: 4, stroke: 0 },
};

/** The texture of a verdict. */
export function textureOf(verdict: Verdict): Texture {
  return textures[verdict];
}

/** The id of a verdict's pattern in a document. */
export function patternId(verdict: Verdict): string {
  return `fill-${verdict}`;
}

/** The marks on one tile of `size` x `size` px, as path data for an SVG <pattern>; '' where there are none. */
export function tilePath({ marks, size }: Texture): string {
  return marks
    .map((mark) => {
      switch (mark) {
        case 'rising':
          return `M-1 ${size + 1} ${size + 1} -1`;
        case 'falling':
          return `M-1 -1 ${size + 1} ${size + 1}`;
        case 'lying':
          return `M0 ${size / 2}H${size}`;
        case 'standing':
          return `M${size / 2} 0V${size}`;
        case 'dots':
          return `M${size / 2} ${size / 2}h.01`;
      }
    })
    .join('');
}

/** An area in px. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/**
 * The marks within an area, drawn out as path data: on paper a <pattern> becomes a picture of pixels, and a report of 100 KB one of
 * 6 MB. They stand on one grid for all areas, so that two that touch go on into each other.
 */
export function areaPath({ marks, size }: Texture, area: Area): string {
  return marks.map((mark) => markPath(mark, size, area)).join('');
}

function markPath(mark: Mark, size: number, { x, y, w, h }: Area): string {
  const lines: string[] = [];
  const each = (from: number, to: number, draw: (at: number) => string): void => {
    for (let at = Math.ceil(from / size) * size; at < to; at += size) lines.push(draw(at));
  };
  switch (mark) {
    case 'rising':
      each(x + y, x + w + y + h, (sum) => {
        const [left, right] = [Math.max(x, sum - y - h), Math.min(x + w, sum - y)];
        return `M${px(left)} ${px(sum - left)} ${px(right)} ${px(sum - right)}`;
      });
      break;
    case 'falling':
      each(y - x - w, y + h - x, (lift) => {
        const [left, right] = [Math.max(x, y - lift), Math.min(x + w, y + h - lift)];
        return `M${px(left)} ${px(left + lift)} ${px(right)} ${px(right + lift)}`;
      });
      break;
    case 'lying':
      each(y, y + h, (at) => `M${px(x)} ${px(at)}H${px(x + w)}`);
      break;
    case 'standing':
      each(x, x + w, (at) => `M${px(at)} ${px(y)}V${px(y + h)}`);
      break;
    case 'dots':
      each(y, y + h, (row) => {
        const dots: string[] = [];
        for (let at = Math.ceil(x / size) * size; at < x + w; at += size) dots.push(`M${px(at)} ${px(row)}h.01`);
        return dots.join('');
      });
  }
  return lines.join('');
}

function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}
