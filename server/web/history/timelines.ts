import { compareText } from '#lib/domain/observation/compare-text.ts';
import type { HistoryQuery, WireHistory, WireLane } from '#lib/api/history.ts';
import { clusterPath } from '#lib/api/paths.ts';
import { earliest } from '#lib/domain/time/earliest.ts';
import { gapsOfKind } from '#lib/domain/record/gap.ts';
import { kindKey, type ObjectRef, refKey } from '#lib/domain/observation/ref.ts';
import type { Period, Span } from '#lib/domain/record/span.ts';
import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';
import { wireTime, wireTimeOrNull } from '../wire/wire-time.ts';
import type { RecordQuestion } from './ask-record.ts';
import { kindName, objectLane, sharedLane, type LaneFrame, type ObjectHistory } from './lanes.ts';
import { objectStretches } from './object-stretches.ts';
import { readSpans } from './read-spans.ts';
import { clustersOf, isNamed } from './record-scope.ts';

/** Parameters of the timelines. */
export interface TimelineQuestion extends Omit<RecordQuestion, 'context'> {
  readonly context: { readonly now: number };
  readonly query: HistoryQuery;
}

/** The timelines of what a query names: of one object, of a cluster's kinds, of a kind's objects there, or one lane per cluster. */
export async function timelines(question: TimelineQuestion): Promise<WireHistory> {
  const { record, query, scopes, period } = question;
  const { now } = question.context;
  const clusters = clustersOf(query);
  const by = clusters?.length === 1 ? (query.kind === '' ? 'kind' : 'object') : 'cluster';
  const offset = /^\d{1,9}$/.test(query.cursor) ? Number(query.cursor) : 0;
  const names = by === 'cluster' ? clusterNames(question, clusters) : (clusters ?? []);
  const asked = by === 'cluster' ? names.slice(offset, offset + query.limit) : names;
  const read = await readSpans(
    record,
    scopes.map((scope) => ({ ...scope, clusters: asked })),
    period,
  );
  const since = await sinceOf(record, asked);
  const shown = read?.period ?? period;
  const histories = await historiesOf(question, asked, read?.spans ?? [], since, shown);
  const frame: LaneFrame = { period: shown, width: query.width, rows: query.rows };
  const lanes =
    by === 'cluster' ? clusterLanes(question, asked, histories, frame) : sorted(by, asked, histories, frame);
  const total = by === 'cluster' ? names.length : lanes.length;
  const next = offset + query.limit;
  return {
    asOf: wireTime(now),
    from: wireTime(shown.from),
    to: wireTime(shown.to),
    askedFrom: wireTime(period.from),
    recordedSince: wireTimeOrNull(earliest(...since.values())),
    tooMany: read === null,
    by,
    lanes: [...(by === 'cluster' ? lanes : lanes.slice(offset, next))],
    total,
    nextCursor: next < total ? String(next) : null,
    earlier: by === 'object' && query.name !== '' ? await earlierOf(question, histories, scopes) : [],
  };
}

/**
 * Clusters by name: those that are asked for, all where they fit on one page, else those that have what is named now
 * (what a cluster had once and has no more is on its own page).
 */
function clusterNames(
  { query, clusters: fleet }: TimelineQuestion,
  named: readonly string[] | null,
): readonly string[] {
  if (named !== null) return named.toSorted();
  const all = fleet.length <= query.limit;
  return fleet
    .filter(({ known, objects }) => known.state !== 'declared' && (all || objects.some((one) => isNamed(one, query))))
    .map(({ name }) => name)
    .toSorted();
}

/** Since when there is a record of each cluster; of all at once where they are many, so that no page asks a thousand times. */
async function sinceOf(record: RecordReader, clusters: readonly string[]): Promise<ReadonlyMap<string, number | null>> {
  const times = await Promise.all(clusters.map((name) => record.since({ clusters: [name] })));
  return new Map(clusters.map((name, index) => [name, times[index] ?? null]));
}

async function historiesOf(
  { record, find, context: { now } }: TimelineQuestion,
  clusters: readonly string[],
  spans: readonly Span[],
  since: ReadonlyMap<string, number | null>,
  period: Period,
): Promise<readonly ObjectHistory[]> {
  const gaps = Map.groupBy(await record.gaps(clusters, period), ({ cluster }) => cluster);
  const byKind = new Map<string, ReturnType<typeof gapsOfKind>>();
  const gapsFor = (ref: ObjectRef) => {
    const key = `${ref.cluster}/${ref.group}/${ref.kind}`;
    const found = byKind.get(key) ?? gapsOfKind(gaps.get(ref.cluster) ?? [], ref);
    byKind.set(key, found);
    return found;
  };
  return [...Map.groupBy(spans, ({ ref }) => refKey(ref)).values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const { ref } = first;
    // What is known now says nothing of a period that ended before.
    const object = period.to === now ? find(ref) : null;
    const stretches = objectStretches(
      {
        spans: own.toSorted((a, b) => a.from - b.from),
        gaps: gapsFor(ref),
        since: since.get(ref.cluster) ?? null,
        present: object === null ? null : { verdict: object.verdict, since: object.onset.time },
      },
      period,
    );
    return { ref, stretches };
  });
}

/** Lanes of one cluster: of its kinds, or of objects of one kind; those that were not converged for longest first. */
function sorted(
  by: 'kind' | 'object',
  [cluster = '']: readonly string[],
  histories: readonly ObjectHistory[],
  frame: LaneFrame,
): readonly WireLane[] {
  const lanes =
    by === 'object'
      ? histories.map((history) => objectLane(history, frame))
      : [...Map.groupBy(histories, ({ ref }) => kindKey(ref)).values()].map((own) => {
          const { group = '', kind = '' } = own[0]?.ref ?? {};
          return sharedLane(kindName(cluster, group, kind), own, frame);
        });
  // Of two kinds of one name both are called as kubectl does.
  const named = Map.groupBy(lanes, ({ title }) => title);
  const apart = lanes.map((lane) => {
    const [group = '', kind = ''] = lane.key.split('/');
    return by === 'kind' && (named.get(lane.title)?.length ?? 0) > 1 ? { ...lane, title: `${kind}.${group}` } : lane;
  });
  const off = (lane: WireLane): number => lane.observed - lane.converged;
  return apart.toSorted((a, b) => off(b) - off(a) || compareText(a.key, b.key));
}

function clusterLanes(
  { query }: TimelineQuestion,
  clusters: readonly string[],
  histories: readonly ObjectHistory[],
  frame: LaneFrame,
): readonly WireLane[] {
  const byCluster = Map.groupBy(histories, ({ ref }) => ref.cluster);
  const { group, kind, namespace, name } = query;
  const rest = Object.fromEntries(Object.entries({ group, kind, namespace, name }).filter(([, text]) => text !== ''));
  return clusters.flatMap((cluster) => {
    const own = byCluster.get(cluster) ?? [];
    const [only] = own;
    if (only === undefined) return [];
    if (own.length === 1)
      return { ...objectLane(only, frame), key: cluster, title: cluster, note: query.name === '' ? only.ref.name : '' };
    const filter = { cluster, ...rest };
    return sharedLane({ key: cluster, title: cluster, href: clusterPath(cluster), filter }, own, frame);
  });
}

/** Spans that Flux told of one object from before it was seen; of several none. */
async function earlierOf(
  { record, query }: TimelineQuestion,
  histories: readonly ObjectHistory[],
  scopes: readonly RecordScope[],
): Promise<WireHistory['earlier']> {
  const [only] = histories;
  if (only === undefined || histories.length > 1 || scopes.length > 1 || query.namespace === '') return [];
  const spans = await record.earlier(only.ref);
  return spans.map(({ from, to, good, status, revision }) => {
    return { from: wireTime(from), to: wireTime(to), good, status, revision };
  });
}
