import type { AlarmCall, AlarmCoverage } from '#lib/domain/alarm/call.ts';
import type { Script, SourcePast } from './script.ts';

/** One transaction of an alarm source's past: what the store's writer takes of it. Nothing is told of what is so now. */
export interface PastAlarms {
  readonly at: number;
  readonly source: null;
  readonly put: readonly never[];
  readonly removed: readonly never[];
  readonly calls: readonly AlarmCall[];
  readonly coverage: readonly AlarmCoverage[];
}

const largestBatch = 400;

function coverageOf({ name, clusters, since, unread }: SourcePast): readonly AlarmCoverage[] {
  const point = (at: number, reason: string | null): AlarmCoverage => ({
    source: name,
    at,
    read: reason === null,
    clusters,
    reason,
  });
  return [
    point(since, null),
    ...unread.flatMap(({ from, to }) => [point(from, 'It does not answer (connection timed out).'), point(to, null)]),
  ];
}

/** The past of all alarm sources, batch by batch, of each in the order of time. */
export function* tellAlarms({ alarms }: Script): Generator<{ readonly source: string; readonly batch: PastAlarms }> {
  for (const source of alarms) {
    const nothing = { source: null, put: [], removed: [], calls: [], coverage: [] };
    yield { source: source.name, batch: { ...nothing, at: source.since, coverage: coverageOf(source) } };
    for (let from = 0; from < source.calls.length; from += largestBatch) {
      const calls = source.calls.slice(from, from + largestBatch).map(({ call }) => call);
      yield { source: source.name, batch: { ...nothing, at: calls.at(-1)?.from ?? source.since, calls } };
    }
  }
}
