import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import type { FlatStretches } from '#lib/domain/record/flat-stretches.ts';
import { layGapsOver } from '#lib/domain/record/segments.ts';
import { timeUnion } from '#lib/domain/time/time-union.ts';
import { verdictOf } from '../../../codec/traits.ts';
import { overdueOf, visitAway } from '../../../record/absences.ts';
import { allRows, text, whole, wholeOrNull } from '../../rows/cells.ts';
import type { GapsOf } from '../record/record-gaps.ts';
import type { Scopes } from '../record/record-scope.ts';

/** A row of an absence, in ids. Times in ms since the epoch; one that lasts ends at Infinity. */
export interface AbsenceRow {
  readonly id: number;
  readonly object: number;
  readonly cluster: number;
  readonly kind: number;
  readonly openedAt: number;
  readonly noticedAt: number;
  readonly closedAt: number;
  readonly bound: 'exact' | 'at-least';
}

/** Reads when single absences were overdue. */
export function openAbsenceTimes(scopes: Scopes) {
  const spans = scopes.statement(
    `SELECT noticed_at, until, to_verdict FROM transition INDEXED BY transition_span
     WHERE object = ?1 AND noticed_at < ?3 AND noticed_at >=
       COALESCE((SELECT MAX(p.noticed_at) FROM transition p INDEXED BY transition_span WHERE p.object = ?1 AND p.noticed_at <= ?2), ?2)`,
  );

  /** When an absence was overdue before a moment (ms), with the gaps of its cluster and kind laid over. */
  return (absence: AbsenceRow, gapsOf: GapsOf, alarmWithin: number, before: number): FlatStretches => {
    const overdue = timeUnion();
    const away = {
      away(_kind: null, from: number, age: number, length: number): void {
        const end = from + length;
        overdue.add(end - overdueOf(age, length, alarmWithin), end);
      },
    };
    const until = Math.min(absence.closedAt, before);
    for (const [noticed, ended, verdict] of allRows(spans, absence.object, absence.noticedAt, until)) {
      const is = verdictOf(text(verdict));
      if (is === null || !isAway(is)) continue;
      const span = { from: whole(noticed), to: Math.min(wholeOrNull(ended) ?? until, until) };
      layGapsOver(span, gapsOf(absence.cluster, absence.kind), span, (gap, from, to) => {
        if (gap === null) visitAway(away, null, absence, { from, to });
      });
    }
    return overdue.stretches().slice();
  };
}
