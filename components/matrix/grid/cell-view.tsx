import type { WireMark } from '#lib/api/fleet.ts';
import { brokenText } from '#lib/domain/alarm/alarm-text.ts';
import { glyphStroke, verdictGlyphs } from '#lib/draw/glyphs.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { shortCommit } from '#lib/format/revision.ts';
import { AlarmMark } from '../../ui/alarm.tsx';
import { countedOn, type Shades, shadeClass, shadeText } from '../by-commit/shades.ts';
import { type Cell, mostExemptions } from './grid.ts';
import { countOf } from '#lib/format/number.ts';
import { alarmLabel, verdictLabel } from '#lib/format/verdict-label.ts';

interface CellViewProps {
  readonly cell: Cell;
  readonly href: string;
  /** aria-colindex. */
  readonly column: number;
  /** Which column, for the keys. */
  readonly header: string;
  readonly span: number;
  readonly first: boolean;
  /** True if Tab comes to it. */
  readonly stop: boolean;
  /** px from the left, where columns are virtual. */
  readonly left: number | null;
  /** True if any alarm is read: where none is, the header says so once and no cell asks. */
  readonly alarmsRead: boolean;
  /** Shades of commits; null where cells are coloured by verdict. */
  readonly shades: Shades | null;
  /** The cluster that it is of; null where it stands for several. */
  readonly cluster: string | null;
  /** Where the cell stands for several columns: shows each of them. No one object is behind it. */
  readonly unfold: (() => void) | null;
}

/** One cell: the verdict's glyph, the alarm's mark and the commit that runs where it is not known to be the newest. */
export function CellView({
  cell,
  href,
  column,
  header,
  span,
  first,
  stop,
  left,
  alarmsRead,
  shades,
  cluster,
  unfold,
}: CellViewProps) {
  const name = cellName(cell, alarmsRead, shades, cluster);
  const offset = left === null ? undefined : { position: 'absolute' as const, left: `calc(var(--name) + ${left}px)` };
  const shared = {
    role: 'gridcell',
    'aria-colindex': column,
    'aria-colspan': span > 1 ? span : undefined,
    className: classOf(cell, first, shades, cluster),
  };
  if (cell.verdict === null) {
    return <td {...shared} style={offset} data-h={header} data-roving="" tabIndex={stop ? 0 : -1} aria-label={name} />;
  }
  const { verdict, mark } = cell;
  const silent = mark?.alarm === 'silent';
  const digits = digitsOf(cell, shades);
  const tone = { ...offset, '--tone': `var(--${verdict})`, '--tint': `var(--tint-${verdict})` };
  if (unfold !== null)
    return (
      <td {...shared} style={offset}>
        <button
          type="button"
          className="m-folded"
          data-h={header}
          data-roving=""
          tabIndex={stop ? 0 : -1}
          aria-label={`${name}, ${span} columns: show them`}
          style={{ color: `var(--${verdict})` }}
          onClick={unfold}
        >
          {verdict !== 'unobserved' && <Glyph verdict={verdict} />}
        </button>
      </td>
    );
  return (
    <td {...shared} style={silent || (shades === null && tinted.has(verdict)) ? tone : offset}>
      <a
        href={href}
        data-h={header}
        data-roving=""
        tabIndex={stop ? 0 : -1}
        aria-label={name}
        style={silent ? undefined : { color: `var(--${verdict})` }}
      >
        {verdict !== 'unobserved' && (shades === null || !inOrder.has(verdict)) && <Glyph verdict={verdict} />}
        {mark !== null && (alarmsRead || mark.alarm !== 'unknown') && <AlarmMark state={mark.alarm} />}
        {digits !== null && <span className="m-commit">{digits}</span>}
      </a>
    </td>
  );
}

const tinted: ReadonlySet<Verdict> = new Set(['diverged', 'drifted', 'unhealthy', 'stale']);

/** Where cells are coloured by commit, what is in order has no glyph: nothing green stands there. */
const inOrder: ReadonlySet<Verdict> = new Set(['converged', 'unconfirmed']);

/** Digits in a cell: where it is coloured by verdict, of a commit that is not the newest; with "?" where that is not known. */
function digitsOf({ commit, mark }: Cell, shades: Shades | null): string | null {
  if (shades === null) return mark?.commit === undefined ? null : `${mark.commit}${mark.unread === true ? '?' : ''}`;
  return commit === null ? null : shortCommit(commit);
}

function classOf(cell: Cell, first: boolean, shades: Shades | null, cluster: string | null): string {
  const { verdict, seen, mark } = cell;
  const names = ['m-cell'];
  if (shades !== null && verdict !== null) names.push(shadeClass(shades, cell.commit, countedOn(cell, cluster)));
  if (shades === null && verdict !== null && tinted.has(verdict)) names.push(verdict);
  if (verdict === 'unobserved' || (verdict === null && !seen)) names.push('m-blind');
  if (mark?.alarm === 'silent') names.push('silent');
  if (mark?.busy === true) names.push('busy');
  if (first) names.push('m-first');
  return names.join(' ');
}

/** As VerdictGlyph, in the colour of the cell, with as few elements as can be: there are thousands. */
function Glyph({ verdict }: { readonly verdict: Verdict }) {
  return (
    <svg className={`glyph glyph-${verdict}`} width={12} viewBox="0 0 12 12" aria-hidden="true">
      {verdictGlyphs[verdict].map((part) => (
        <path
          key={part.d}
          d={part.d}
          className={part.outline ? 'drawn' : undefined}
          strokeWidth={part.outline ? glyphStroke : undefined}
        />
      ))}
    </svg>
  );
}

/**
 * Name of a cell; it begins with the verdict: "Diverged, nobody is being called, since 02:12 UTC, BuildFailed, runs 2d81e55".
 * `alarmsRead`: whether any alarm is read; where none is, that is said once, in the header. `shades`: of commits, where cells are coloured by them.
 */
export function cellName(
  cell: Cell,
  alarmsRead: boolean,
  shades: Shades | null = null,
  cluster: string | null = null,
): string {
  if (cell.verdict === null) return cell.seen ? 'not deployed here' : 'not seen';
  const { mark } = cell;
  const parts = [
    verdictLabel(cell.verdict),
    ...(mark === null
      ? []
      : [
          mark.n > 1 ? `worst of ${mark.n}` : '',
          alarmsRead || mark.alarm !== 'unknown' ? alarmWords(mark) : '',
          mark.say,
          mark.commit === undefined || shades !== null ? '' : `runs ${mark.commit}`,
          mark.unread === true && shades === null ? 'what is offered is not read' : '',
          mark.busy === true ? 'a pass is under way' : '',
        ]),
    shades === null ? '' : shadeText(shades, cell.commit, countedOn(cell, cluster)),
    unmeasuredLabel[cell.unmeasured],
    exemptionWords(cell.exemptions),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Tells if anybody was called, and why not where that is known: "nobody is being called (no rule reads it)". */
function alarmWords({ alarm, broken }: Pick<WireMark, 'alarm' | 'broken'>): string {
  return broken === undefined ? alarmLabel[alarm] : `${alarmLabel[alarm]} (${brokenText[broken]})`;
}

const unmeasuredLabel: Readonly<Record<Cell['unmeasured'], string>> = {
  none: '',
  some: 'drift not measured for some of it',
  all: 'drift not measured',
};

function exemptionWords(count: number): string {
  if (count === 0) return '';
  return `${count === mostExemptions ? 'at least ' : ''}${countOf(count, 'exemption')}`;
}
