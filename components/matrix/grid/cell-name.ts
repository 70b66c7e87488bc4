import { countOf } from '#lib/format/number.ts';
import { alarmLabel, verdictLabel } from '#lib/format/verdict-label.ts';
import { mostExemptions, type Cell } from './grid.ts';

/**
 * Name of a cell; it begins with the verdict: "Diverged, nobody was called, since 02:12 UTC, BuildFailed, runs 2d81e55".
 * `heard`: whether any alarm is read; where none is, that is said once, in the head.
 */
export function cellName(cell: Cell, heard: boolean): string {
  if (cell.verdict === null) return cell.seen ? 'not deployed here' : 'not seen';
  const { mark } = cell;
  const parts = [
    verdictLabel(cell.verdict),
    ...(mark === null
      ? []
      : [
          mark.n > 1 ? `worst of ${mark.n}` : '',
          heard || mark.alarm !== 'unknown' ? alarmLabel[mark.alarm] : '',
          mark.say,
          mark.commit === undefined ? '' : `runs ${mark.commit}`,
          mark.busy === true ? 'a pass is under way' : '',
        ]),
    unmeasuredLabel[cell.unmeasured],
    exemptionWords(cell.exemptions),
  ];
  return parts.filter((part) => part !== '').join(', ');
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
