import { compareText } from '#lib/domain/observation/compare-text.ts';
import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import { kindKey, refKey, sameRef } from '#lib/domain/observation/ref.ts';
import { sharesOf } from '#lib/domain/record/segments.ts';
import type { Shares } from '#lib/domain/record/figures.ts';
import { cutAtDays, dayOf } from '#lib/domain/time/utc-day.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import type { RecordReader } from '../port/record-port.ts';
import { absencesWithin } from './absences.ts';
import { correctionsWithin } from './ledger.ts';
import type { Recorded } from './recorded.ts';
import { segmentsWithin } from './spans.ts';

/** Time (ms) for which a thing was away by its shares. */
function timeAway(shares: Shares): number {
  return verdicts.filter(isAway).reduce((sum, verdict) => sum + shares[verdict], 0);
}

/** Answers about how long objects were in which verdict. */
export function readShares(recorded: Recorded): Pick<RecordReader, 'shares' | 'worst'> {
  return {
    async shares(scope, period, by) {
      const segments = (by === 'day' ? cutAtDays(period) : [period]).flatMap((part) =>
        segmentsWithin(recorded, scope, part),
      );
      const grouped = Map.groupBy(segments, ({ from, span: { ref } }) => {
        const keys = { total: '', day: String(dayOf(from)), cluster: ref.cluster, kind: kindKey(ref) };
        return keys[by];
      });
      return [...grouped]
        .map(([key, of]) => ({ key, shares: sharesOf(of) }))
        .toSorted((a, b) => compareText(a.key, b.key));
    },
    async worst(scope, period, limit) {
      const absences = absencesWithin(recorded, scope, period);
      const corrections = correctionsWithin(recorded, scope, period);
      return [...Map.groupBy(segmentsWithin(recorded, scope, period), ({ span }) => refKey(span.ref))]
        .map(([key, segments]) => ({ key, ref: segments[0]?.span.ref, shares: sharesOf(segments) }))
        .filter(({ shares }) => timeAway(shares) > 0)
        .toSorted((a, b) => timeAway(b.shares) - timeAway(a.shares) || compareText(a.key, b.key))
        .slice(0, limit)
        .flatMap(({ ref, shares }) => {
          if (ref === undefined) return [];
          const own = corrections.filter((entry) => sameRef(entry.ref, ref));
          return {
            ref,
            shares,
            absences: absences.filter((absence) => sameRef(absence.ref, ref)).length,
            corrections: own.reduce((sum, { correction }) => sum + correction.count, 0),
          };
        });
    },
  };
}
