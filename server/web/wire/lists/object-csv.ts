import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { ObjectFilter } from '#lib/api/object-filter.ts';
import type { WireNamedSuspect } from '#lib/api/git/named-suspect.ts';
import { causeTitle } from '#lib/domain/cause/cause.ts';
import { guaranteeOf } from '#lib/domain/guarantee/guarantee.ts';
import type { SuspectOf } from '../../suspects/listed-suspects.ts';
import { suspectColumns } from '../../suspects/named-suspect.ts';
import type { WireContext } from '../wire-context.ts';
import { wireTime, wireTimeOrNull } from '../wire-time.ts';
import { csvHeader, csvPieces, refColumns, type CsvColumns } from './csv.ts';
import { everyObject, type ListSource } from './object-list.ts';

type Row = KnownObject & { readonly suspect: WireNamedSuspect | null };

/** All objects that a filter keeps as lines of CSV, some at a time: cluster by cluster, of each the worst first. */
export function* objectCsv(
  source: Pick<ListSource, 'clusters' | 'alarms'>,
  filter: ObjectFilter,
  context: WireContext,
  suspectOf: SuspectOf,
): Generator<string> {
  const columns = columnsOf(context);
  yield csvHeader(columns);
  for (const objects of everyObject(source, filter, context))
    yield* csvPieces(
      columns,
      objects.map((object) => ({ ...object, suspect: suspectOf(object) })),
    );
}

/** More on an alarm: the first broken link, since when it sounds, why nothing is known. */
const alarmColumns: CsvColumns<Pick<KnownObject, 'alarm'>> = {
  brokenLink: ({ alarm }) => ('broken' in alarm ? alarm.broken : null),
  soundingSince: ({ alarm }) => (alarm.state === 'sounding' ? wireTimeOrNull(alarm.since) : null),
  alarmUnknown: ({ alarm }) => (alarm.state === 'unknown' ? alarm.why : null),
};

function columnsOf({ policy, now }: WireContext): CsvColumns<Row> {
  return {
    ...refColumns,
    reconciler: ({ reconciler }) => reconciler,
    verdict: ({ verdict }) => verdict,
    guarantee: (object) => guaranteeOf(object, policy, now),
    reason: ({ reason }) => reason,
    sentence: ({ sentence }) => sentence,
    since: ({ onset }) => wireTime(onset.time),
    sinceBound: ({ onset }) => onset.bound,
    awaySince: ({ awaySince }) => wireTimeOrNull(awaySince?.time ?? null),
    observedAt: ({ observedAt }) => wireTime(observedAt),
    alarm: ({ alarm }) => alarm.state,
    ...alarmColumns,
    commit: ({ commit }) => commit,
    path: ({ path }) => path,
    cause: ({ rootCause }) => (rootCause === null ? null : causeTitle(rootCause)),
    lastGood: ({ range }) => range?.lastGood ?? null,
    firstBad: ({ range }) => range?.firstBad ?? null,
    everyAttemptSeen: ({ range }) => (range === null ? null : String(range.watched)),
    ...suspectColumns,
  };
}
