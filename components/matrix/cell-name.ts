import { alarmWord, verdictWord } from '#lib/format/verdict-word.ts';
import type { Cell } from './grid.ts';

/** What a cell is called; it begins with the verdict: "Diverged, nobody was called, since 02:12 UTC, BuildFailed, runs 2d81e55". */
export function cellName(cell: Cell): string {
  if (cell.verdict === null) return 'not deployed here';
  const { mark } = cell;
  if (mark === null) return verdictWord(cell.verdict);
  const parts = [
    verdictWord(cell.verdict),
    mark.n > 1 ? `worst of ${mark.n}` : '',
    alarmWord[mark.alarm],
    mark.say,
    mark.commit === undefined ? '' : `runs ${mark.commit}`,
    mark.busy === true ? 'a pass is under way' : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}
