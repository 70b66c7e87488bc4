// A script as a collector would have recorded it: batches of one cluster each, in the order of time.
import type { PlannedWork } from '#lib/domain/exemption/planned-work.ts';
import type { Onset, Transition } from '#lib/domain/record/current.ts';
import { refKey, type RefKey } from '#lib/domain/observation/ref.ts';
import { hour } from '#lib/domain/time/length.ts';
import { goodSummary } from './inventory.ts';
import type { Inventory } from './inventory.ts';
import { emptyBatch, type Coverage, type Entry, type PastBatch } from './past-batch.ts';
import { pastCluster, pastDetail, pastRecord } from './past-record.ts';
import type { Episode, Span, ObjectPast, Script, Stage } from './script.ts';
import { runningAt } from './write-script.ts';

const largestBatch = 400;
/** So much time is told in one breath at most (ms). */
const breath = 6 * hour;

function isWithin(span: Span, { stages: [first] }: Episode): boolean {
  return first.noticedAt >= span.noticedAt && first.noticedAt < (span.goneAt ?? Infinity);
}

function wellAt(past: ObjectPast, { at, bound, noticedAt }: Span): Stage {
  const { reason, message } = goodSummary(past.object);
  const commit = runningAt(past.runs, noticedAt);
  const well = { verdict: 'converged', reason, message, attempted: null, rootCause: null, cause: null } as const;
  return { ...well, at, bound, noticedAt, commit, seemsAlone: false };
}

/** The words of one object, from its birth to its removal, in their order, each with when the object had left well. */
function* stagesOf(past: ObjectPast, span: Span): Generator<{ readonly stage: Stage; readonly away: Onset | null }> {
  const episodes = past.episodes.filter((episode) => isWithin(span, episode));
  if (episodes[0]?.stages[0].noticedAt !== span.noticedAt) yield { stage: wellAt(past, span), away: null };
  for (const { stages, home } of episodes) {
    const [{ at: time, bound, noticedAt }] = stages;
    for (const stage of stages) yield { stage, away: { time, bound, noticedAt } };
    if (home) yield { stage: home, away: null };
  }
}

/** The record as it is at a moment, with what runs by then: nobody came to another verdict. */
function same(
  past: ObjectPast,
  uid: string,
  stage: Stage,
  away: Onset | null,
  repository: string,
  at: number,
  commit: string | null,
): Entry {
  const record = { ...pastRecord(past, uid, { ...stage, commit }, away, repository), observedAt: at };
  const put = (batch: PastBatch): void => void batch.objects.push({ object: record, detail: pastDetail(past, record) });
  return { at, key: refKey(past.object.ref), news: away === null ? null : 'away', put };
}

/** A verdict goes on, and only now (ms) it is known what it comes from: that is a batch of its own, for it is dated by that. */
function recognised(
  past: ObjectPast,
  uid: string,
  stage: Stage,
  away: Onset | null,
  repository: string,
  at: number,
): Entry {
  return { ...same(past, uid, stage, away, repository, at, stage.commit), news: 'seen' };
}

function* entriesOf(past: ObjectPast, repository: string, to: number): Generator<Entry> {
  const { ref } = past.object;
  const key = refKey(ref);
  for (const span of past.spans) {
    const { uid } = span;
    let from: Transition['from'] = null;
    let last: Stage | null = null;
    let lastAway: Onset | null = null;
    for (const { stage, away } of stagesOf(past, span)) {
      if (last !== null && away !== null && stage.commit !== last.commit)
        yield same(past, uid, last, lastAway, repository, stage.noticedAt - 1, stage.commit);
      if (last !== null && stage.verdict === last.verdict && stage.at === last.at) {
        const onset: Pick<Stage, 'bound' | 'noticedAt'> = last;
        last = { ...stage, bound: onset.bound, noticedAt: onset.noticedAt };
        yield recognised(past, uid, last, lastAway, repository, stage.noticedAt);
        continue;
      }
      const record = pastRecord(past, uid, stage, away, repository);
      const { verdict, ...summary } = stage;
      const { attempted } = record.revision;
      const transition: Transition = { ref, uid, from, to: verdict, ...summary, attempted };
      yield {
        at: stage.noticedAt,
        key,
        news: away === null ? 'over' : 'away',
        put(batch) {
          batch.objects.push({ object: record, detail: pastDetail(past, record) });
          batch.transitions.push(transition);
        },
      };
      from = verdict;
      last = stage;
      lastAway = away;
    }
    const { goneAt } = span;
    if (last === null) continue;
    if (goneAt === null) {
      yield same(past, uid, last, lastAway, repository, to, past.object.commit);
      continue;
    }
    const { commit, attempted } = last;
    const deleted = { reason: 'Deleted', message: '', rootCause: null, bound: 'exact' } as const;
    const end: Transition = { ref, uid, from, to: null, at: goneAt, noticedAt: goneAt, commit, attempted, ...deleted };
    yield {
      at: goneAt,
      key,
      news: 'over',
      put(batch) {
        batch.removed.push({ ref, at: goneAt });
        batch.transitions.push(end);
      },
    };
  }
}

function beside(at: number, put: Entry['put']): Entry {
  return { at, key: null, news: null, put };
}

function* besidesOf(script: Script, past: ObjectPast): Generator<Entry> {
  const { ref, uid, role } = past.object;
  for (const correction of past.corrections)
    yield beside(correction.at + 700, (batch) => void batch.corrections.push({ ref, correction }));
  const [first] = past.spans;
  for (const { commit, at } of past.landings)
    if (first && at > first.noticedAt) yield beside(at, (batch) => void batch.arrivals.push({ ref, commit, at }));
  if (role !== 'applier' || ref.kind !== 'Kustomization' || !first || first.at >= script.from) return;
  const commit = runningAt(past.runs, script.from);
  const revision = commit === null ? null : `main@sha1:${commit}`;
  const passes = { from: first.at, to: script.from - 40_000, good: true, status: 'ReconciliationSucceeded' };
  const span = { ref, uid, ...passes, revision };
  yield beside(first.noticedAt, (batch) => void batch.earlier.push(span));
}

function* coverageOf({ blindness, from }: Script, cluster: string): Generator<Entry> {
  const coverageAt = (change: Omit<Coverage, 'cluster'>): Entry => ({
    at: change.at,
    key: null,
    news: 'seen',
    put: (batch) => void batch.coverage.push({ cluster, ...change }),
  });
  yield coverageAt({ kind: null, at: from, observed: true, state: 'live', reason: null });
  for (const blind of blindness) {
    if (blind.cluster !== cluster) continue;
    const { kind, state, reason } = blind;
    yield coverageAt({ kind, at: blind.from, observed: false, state, reason });
    yield coverageAt({ kind, at: blind.to, observed: true, state: 'live', reason: null });
  }
}

/** When work on a cluster came to be planned, and when that was over. */
function* plansOf({ planned }: Script, cluster: string): Generator<Entry> {
  for (const { cluster: of, from, to, reason } of planned) {
    if (of !== cluster) continue;
    const work: PlannedWork = { clusters: [cluster], until: to, reason };
    yield { at: from, key: null, news: 'seen', put: (batch) => void (batch.planned = [work]) };
    yield { at: to, key: null, news: 'seen', put: (batch) => void (batch.planned = []) };
  }
}

/** Everything that is told of one cluster, oldest first. */
function toldOf(script: Script, inventory: Inventory, cluster: string): readonly Entry[] {
  const entries: Entry[] = [...coverageOf(script, cluster), ...plansOf(script, cluster)];
  for (const past of script.objects) {
    if (past.object.ref.cluster !== cluster) continue;
    for (const entry of entriesOf(past, inventory.repository, script.to)) entries.push(entry);
    for (const entry of besidesOf(script, past)) entries.push(entry);
  }
  for (const change of script.changes)
    if (change.cluster === cluster) entries.push(beside(change.noticedAt, (batch) => void batch.changes.push(change)));
  return entries.toSorted((a, b) => a.at - b.at);
}

/** A batch of one cluster that still grows. */
interface Growing {
  readonly cluster: string;
  readonly batch: PastBatch;
  readonly keys: Set<RefKey>;
  readonly begun: number;
  size: number;
  news: Entry['news'];
}

function canTake({ size, begun, keys, news }: Growing, entry: Entry): boolean {
  if (news === 'seen') return false;
  if (size >= largestBatch || entry.at > begun + breath || (entry.key !== null && keys.has(entry.key))) return false;
  return entry.news === null || news === null || news === entry.news;
}

/** A batch, and the cluster that it is of. */
export interface ToldBatch {
  readonly cluster: string;
  readonly batch: PastBatch;
}

/**
 * The past of all clusters, batch by batch, in the order of time as far as anything is told of who is away. The last batch of each
 * cluster holds the cluster's own record as it was last seen.
 */
export function* tellPast(script: Script, inventory: Inventory): Generator<ToldBatch> {
  const all = script.clusters.flatMap((cluster) =>
    toldOf(script, inventory, cluster).map((entry) => ({ cluster, entry })),
  );
  const growing = new Map<string, Growing>();
  for (const { cluster, entry } of all.toSorted((a, b) => a.entry.at - b.entry.at)) {
    for (const one of [...growing.values()]) {
      const isFull = one.cluster === cluster && !canTake(one, entry);
      const isOlderNews = one.cluster !== cluster && entry.news !== null && one.news !== null;
      if (!isFull && !isOlderNews) continue;
      growing.delete(one.cluster);
      yield one;
    }
    const into = growing.get(cluster) ?? {
      cluster,
      batch: emptyBatch(),
      keys: new Set(),
      begun: entry.at,
      size: 0,
      news: null,
    };
    growing.set(cluster, into);
    if (entry.key !== null) into.keys.add(entry.key);
    into.batch.at = entry.at;
    into.size += 1;
    into.news = entry.news ?? into.news;
    entry.put(into.batch);
  }
  for (const cluster of script.clusters) {
    const { batch } = growing.get(cluster) ?? { batch: emptyBatch() };
    const record = pastCluster(inventory, cluster, script.from, script.to);
    yield { cluster, batch: { ...batch, at: script.to, cluster: record } };
  }
}
