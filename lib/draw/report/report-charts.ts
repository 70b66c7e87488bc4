import { verdicts, type Verdict } from '../../domain/verdict/verdict.ts';
import { formatDay } from '../../format/time.ts';
import { escapeMarkup } from '../../format/markup.ts';
import { areaPath, textureOf } from '../texture.ts';
import { surfaces, verdictTones, type Tone } from '../tokens.ts';

/** One UTC day (its beginning in ms): object-ms by verdict. */
export interface ChartDay {
  readonly day: number;
  readonly shares: { readonly [V in Verdict]: number };
}

/** One bar of a distribution. */
export interface ChartBar {
  readonly text: string;
  readonly count: number;
  /** Not measured to its end: drawn as an outline. */
  readonly open: boolean;
}

/** `light`: for paper; `auto`: as the reader's browser is set. */
export type ChartColours = 'light' | 'auto';

const width = 760;
const left = 44;
const plotTop = 10;
const plotHeight = 110;
const floor = plotTop + plotHeight;
const laneTop = floor + 14;
const laneHeight = 9;
const legendTop = laneTop + 44;
/** Least height of a bar: what was at all is seen, however little it is. */
const leastHeight = 2;
const sans = "'IBM Plex Sans',system-ui,sans-serif";

/** The upper end of the axis, with room for every value: a short list, so that two charts are easily compared. */
export function axisEnd(highest: number): number {
  return [0.001, 0.002, 0.003, 0.006, 0.01, 0.02, 0.03, 0.06, 0.1, 0.2, 0.3, 0.6].find((end) => end >= highest) ?? 1;
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`;
}

function style(colours: ChartColours, shown: readonly Verdict[]): string {
  const named: readonly (readonly [string, Tone])[] = [
    ...(['ink', 'mute', 'rule', 'faint', 'field'] as const).map((name) => [name, surfaces[name]] as const),
    ...shown.map((verdict) => [verdict, verdictTones[verdict]] as const),
  ];
  const set = (of: (tone: Tone) => string): string => named.map(([name, tone]) => `--c-${name}:${of(tone)}`).join(';');
  const dark = `@media screen and (prefers-color-scheme:dark){svg.chart{${set(({ dark: tone }) => tone)}}}`;
  return (
    `<style>svg.chart{${set(({ light }) => light)};font:12px ${sans}}${colours === 'auto' ? dark : ''}` +
    'svg.chart text{fill:var(--c-mute)}svg.chart .grid{stroke:var(--c-faint)}svg.chart .base{stroke:var(--c-rule)}</style>'
  );
}

function svg(height: number, title: string, inside: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" class="chart" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">` +
    `<title>${escapeMarkup(title)}</title>${inside}</svg>`
  );
}

const rounded = (value: number): string => String(Math.round(value * 100) / 100);

function rect(x: number, y: number, w: number, h: number, fill: string, opacity = 1): string {
  const see = opacity === 1 ? '' : ` fill-opacity="${opacity}"`;
  return `<rect x="${rounded(x)}" y="${rounded(y)}" width="${rounded(w)}" height="${rounded(h)}" style="fill:${fill}"${see}/>`;
}

/** An area of a chart with the texture of its verdict. */
function filled(verdict: Verdict, x: number, y: number, w: number, h: number): string {
  const texture = textureOf(verdict);
  const colour = verdict === 'unobserved' ? 'var(--c-field)' : `var(--c-${verdict})`;
  const ground = rect(x, y, w, h, colour, texture.ground);
  const marks = areaPath(texture, { x, y, w, h });
  if (marks === '') return ground;
  const stroke = `style="stroke:${colour}" stroke-width="${texture.stroke}" stroke-linecap="${texture.marks.includes('dots') ? 'round' : 'butt'}"`;
  return `${ground}<path d="${marks}" fill="none" ${stroke}/>`;
}

function label(x: number, y: number, text: string, anchor: 'start' | 'middle' | 'end' = 'start'): string {
  return `<text x="${rounded(x)}" y="${rounded(y)}" text-anchor="${anchor}">${escapeMarkup(text)}</text>`;
}

function whole(shares: ChartDay['shares']): number {
  return verdicts.reduce((sum, verdict) => sum + shares[verdict], 0);
}

/**
 * Share of observed object time away, per day, the verdicts in `shown` stacked from bottom to top; beneath it, in a lane of its
 * own, what was seen: grey where everything was, hatched by the share that was not, nothing where no object was there.
 */
export function dayChart(days: readonly ChartDay[], shown: readonly Verdict[], colours: ChartColours): string {
  const step = (width - left) / Math.max(1, days.length);
  const gap = step > 6 ? 2 : step > 3 ? 1 : 0;
  const parts = days.map(({ shares }) => {
    const existed = whole(shares);
    const observed = existed - shares.unobserved;
    const of = (verdict: Verdict): number => (observed === 0 ? 0 : shares[verdict] / observed);
    return { unseen: existed === 0 ? null : shares.unobserved / existed, bars: shown.map(of) };
  });
  const end = axisEnd(Math.max(0, ...parts.map(({ bars }) => bars.reduce((sum, bar) => sum + bar, 0))));
  const marks = parts.map(({ unseen, bars }, index) => {
    const x = left + index * step;
    const w = Math.max(0.5, step - gap);
    let top = floor;
    const stack = bars.map((bar, at) => {
      const height = bar === 0 ? 0 : Math.max(leastHeight, (bar / end) * plotHeight);
      top -= height;
      const verdict = shown[at];
      return height === 0 || verdict === undefined ? '' : filled(verdict, x, top, w, height);
    });
    if (unseen === null) return stack.join('');
    const hatched = unseen === 0 ? 0 : Math.min(w, Math.max(2, unseen * w));
    const seen = rect(x, laneTop, w - hatched, laneHeight, 'var(--c-rule)');
    return (
      stack.join('') + seen + (hatched === 0 ? '' : filled('unobserved', x + w - hatched, laneTop, hatched, laneHeight))
    );
  });
  const { drawn, lines } = legend(shown);
  return svg(
    legendTop - 10 + lines * 18,
    'Share of object time away from git per day, of what was observed',
    `${style(colours, shown)}` +
      [0, 0.5, 1].map((part) => gridLine(part, end)).join('') +
      marks.join('') +
      label(left - 8, laneTop + laneHeight - 1, 'seen', 'end') +
      dayLabels(days, step) +
      drawn,
  );
}

function gridLine(part: number, end: number): string {
  const y = floor - part * plotHeight;
  const line = `<path class="${part === 0 ? 'base' : 'grid'}" d="M${left} ${y}H${width}"/>`;
  return line + label(left - 8, y + 4, percent(part * end), 'end');
}

function dayLabels(days: readonly ChartDay[], step: number): string {
  const every = Math.max(1, Math.ceil(days.length / 8));
  return days
    .flatMap(({ day }, index) =>
      index % every === 0 && left + index * step < width - 30
        ? label(left + index * step, laneTop + laneHeight + 14, formatDay(day, days.at(-1)?.day ?? day))
        : [],
    )
    .join('');
}

/** A swatch and a word for each, in as many lines as they need. */
function legend(shown: readonly Verdict[]): { readonly drawn: string; readonly lines: number } {
  let [x, y] = [left, legendTop];
  const entries = [...shown, 'unobserved' as const].map((verdict) => {
    const word = verdict === 'unobserved' ? 'not seen' : verdict;
    const length = 31 + word.length * 6.8;
    if (x > left && x + length > width) [x, y] = [left, y + 18];
    const entry = filled(verdict, x, y - 8, 10, 10) + label(x + 15, y + 1, word);
    x += length;
    return entry;
  });
  return { drawn: entries.join(''), lines: (y - legendTop) / 18 + 1 };
}

const barHeight = 18;
const barLeft = 160;

/** Number of each length, as lying bars with their count; one that is not measured to its end is an outline. */
export function distributionChart(bars: readonly ChartBar[], colours: ChartColours): string {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const lines = bars.map(({ text, count, open }, index) => {
    const y = index * barHeight;
    const w = (count / most) * (width - barLeft - 60);
    const shape = open
      ? `<rect x="${barLeft}" y="${y + 4}" width="${rounded(w)}" height="10" fill="none" style="stroke:var(--c-ink)" stroke-dasharray="3 2"/>`
      : rect(barLeft, y + 3, w, 12, 'var(--c-ink)');
    return (
      label(barLeft - 10, y + 13, text, 'end') +
      (count === 0 ? '' : shape) +
      label(barLeft + w + 8, y + 13, String(count))
    );
  });
  const base = `<path class="base" d="M${barLeft} 0V${bars.length * barHeight}"/>`;
  return svg(bars.length * barHeight + 2, 'How long it took to converge', style(colours, []) + lines.join('') + base);
}

/** A chart as the address of an image. */
export function chartUrl(chart: string): string {
  return `data:image/svg+xml,${encodeURIComponent(chart)}`;
}
