import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { cellCodes, shownLabels, type FleetView, type WireMark, type WireRow } from '#lib/api/fleet.ts';
import { objectPath } from '#lib/api/paths.ts';
import { isOnlyDeclared } from '#lib/domain/verdict/only-declared.ts';
import type { MatrixColumn } from '#lib/domain/matrix/matrix-columns.ts';
import { rowGroup } from '#lib/domain/matrix/matrix-order.ts';
import { labelOf } from '#lib/domain/matrix/label-of.ts';
import { sinceOf, type MatrixCell, type MatrixRow } from '#lib/domain/matrix/matrix-row.ts';
import { shortTime } from '#lib/format/time.ts';
import { wirePlannedWork, wireTime } from './wire-time.ts';

/** Where a commit leads: its page on the git host, null where that is not known. */
export type CommitHref = (object: KnownObject) => string | null;

/**
 * A row as it goes over the wire, laid under `columns`. Only cells that deviate or whose commit is not known to be the newest have a mark;
 * a cluster that is not seen says so once, in its state and since, and not again in each of its cells. `now` in ms.
 */
export function wireRow(
  row: MatrixRow,
  columns: readonly MatrixColumn[],
  view: Pick<FleetView, 'rows' | 'show'>,
  commitHref: CommitHref,
  now: number,
): WireRow {
  const marks: WireMark[] = [];
  const blind = row.known.state !== 'live';
  const cells: string[] = [];
  const commits: string[] = [];
  let [drift, exempt, runs, sources] = ['', '', '', ''];
  for (const [c, { slot }] of columns.entries()) {
    const cell = row.bySlot[slot];
    if (!cell) {
      cells.push(' ');
      continue;
    }
    cells.push(cellCodes[cell.worst.verdict]);
    const letter = letterOf(commits, runningIn(cell));
    if (letter !== null) runs = runs.padEnd(c) + letter;
    if (cell.source) sources = sources.padEnd(c) + 's';
    if (cell.unmeasured > 0) drift = drift.padEnd(c) + (cell.unmeasured === cell.objects ? 'a' : 's');
    if (cell.exemptions > 0) exempt = exempt.padEnd(c) + Math.min(cell.exemptions, 35).toString(36);
    const said = blind && cell.worst.verdict === 'unobserved' && !isOnlyDeclared(cell.worst);
    if (!said && (cell.worst.verdict !== 'converged' || cell.differing)) marks.push(wireMark(cell, c, commitHref, now));
  }
  return {
    cluster: row.cluster,
    group: rowGroup(row, view.rows),
    labels: shownLabels(view).map((key) => labelOf(row.labels, key)),
    state: row.known.state,
    since: wireTime(row.known.since),
    bound: row.known.bound,
    reason: row.known.reason,
    cautions: [...row.known.cautions],
    worst: row.worst,
    silent: row.silent,
    declared: row.declared,
    plannedWork: wirePlannedWork(row.plannedWork),
    cells: cells.join(''),
    drift,
    exempt,
    runs,
    sources,
    commits,
    marks,
    counts: wireCounts(row.counts),
  };
}

/** The commit that runs behind a cell, one that differs first; null where none is known: what is not seen may run another by now. */
function runningIn({ differing, running }: MatrixCell): string | null {
  const seen = differing?.verdict === 'unobserved' ? null : differing;
  return (seen ?? running)?.commit ?? null;
}

/** As many commits as one letter can tell. */
const mostCommits = 36;

/** The letter of a commit among those of its row, where it is put; null for none, and for one too many. */
function letterOf(commits: string[], commit: string | null): string | null {
  if (commit === null) return null;
  const known = commits.indexOf(commit);
  if (known < 0 && commits.length >= mostCommits) return null;
  return (known < 0 ? commits.push(commit) - 1 : known).toString(36);
}

function wireMark(cell: MatrixCell, c: number, commitHref: CommitHref, now: number): WireMark {
  const { worst, differing } = cell;
  const href = differing ? commitHref(differing) : null;
  return {
    c,
    n: cell.objects,
    ...(differing?.commit ? { commit: differing.commit.slice(0, 7) } : {}),
    ...(differing?.commitDiffers === 'unknown' ? { unread: true } : {}),
    alarm: cell.silent ? 'silent' : worst.alarm.state,
    ...(cell.silent && worst.alarm.state === 'silent' ? { broken: worst.alarm.broken } : {}),
    href: objectPath(worst.ref),
    ...(href === null ? {} : { commitHref: href }),
    say: say(worst, now),
    since: wireTime(sinceOf(worst)),
    ...(cell.busy ? { busy: true } : {}),
    ...(isOnlyDeclared(worst) ? { declared: true } : {}),
  };
}

/** "since 21 Nov 02:13 UTC, BuildFailed"; the year where it is another one than that of `now` (ms), and with "at least" where it began before Plumbline was looking. */
function say(object: KnownObject, now: number): string {
  const onset = object.awaySince ?? object.onset;
  const since = `since ${onset.bound === 'at-least' ? 'at least ' : ''}${shortTime(onset.time, now)} UTC`;
  return object.reason === '' ? since : `${since}, ${object.reason}`;
}

/** Counts for the wire: every verdict is named, 0 where there is none. */
export function wireCounts(counts: ReadonlyMap<KnownObject['verdict'], number>): WireRow['counts'] {
  const of = (verdict: KnownObject['verdict']): number => counts.get(verdict) ?? 0;
  return {
    diverged: of('diverged'),
    drifted: of('drifted'),
    unhealthy: of('unhealthy'),
    stale: of('stale'),
    unobserved: of('unobserved'),
    suspended: of('suspended'),
    behind: of('behind'),
    waiting: of('waiting'),
    progressing: of('progressing'),
    unconfirmed: of('unconfirmed'),
    converged: of('converged'),
  };
}
