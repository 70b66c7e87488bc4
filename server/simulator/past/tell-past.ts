// A script as a collector would have recorded it: batches of one cluster, in the order of time.
import type { NotedChange } from '#lib/domain/record/change.ts';
import type {
  Correction,
  CurrentCluster,
  CurrentObject,
  ObjectDetail,
  Onset,
  Transition,
} from '#lib/domain/record/current.ts';
import type { ObjectRef, RefKey } from '#lib/domain/observation/ref.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import type { EarlierSpan } from '#lib/domain/record/span.ts';
import { hour } from '#lib/domain/time/length.ts';
import { goodSummary } from './inventory.ts';
import type { Inventory } from './inventory.ts';
import { pastCluster, pastDetail, pastRecord } from './past-record.ts';
import type { Episode, Span, ObjectPast, Script, Stage } from './script.ts';
import { runningAt } from './write-script.ts';

/** A state of what was being seen, from `at` (ms since the epoch) on. */
interface Coverage {
  readonly cluster: string;
  readonly kind: { readonly group: string; readonly kind: string } | null;
  readonly at: number;
  readonly observed: boolean;
  readonly state: string;
  readonly reason: string | null;
}

/** One transaction of the past: what the store's writer takes, of one cluster. */
export interface PastBatch {
  at: number;
  cluster: CurrentCluster | null;
  objects: { readonly object: CurrentObject; readonly detail: ObjectDetail }[];
  removed: { readonly ref: ObjectRef; readonly at: number }[];
  transitions: Transition[];
  changes: NotedChange[];
  corrections: { readonly ref: ObjectRef; readonly correction: Correction }[];
  earlier: EarlierSpan[];
  arrivals: { readonly ref: ObjectRef; readonly commit: string; readonly at: number }[];
  confirmations: never[];
  coverage: Coverage[];
  resume: never[];
}

/** One thing that is told, at ms since the epoch. */
interface Entry {
  readonly at: number;
  /** Whose record it writes: a batch holds one record of an object at most. */
  readonly key: RefKey | null;
  put(batch: PastBatch): void;
}

const largestBatch = 400;
/** So much time is told in one breath at most (ms). */
const breath = 6 * hour;

function emptyBatch(): PastBatch {
  return {
    at: 0,
    cluster: null,
    objects: [],
    removed: [],
    transitions: [],
    changes: [],
    corrections: [],
    earlier: [],
    arrivals: [],
    confirmations: [],
    coverage: [],
    resume: [],
  };
}

function isWithin(span: Span, { stages: [first] }: Episode): boolean {
  return first.noticedAt >= span.noticedAt && first.noticedAt < (span.goneAt ?? Infinity);
}

function wellAt(past: ObjectPast, { at, bound, noticedAt }: Span): Stage {
  const { reason, message } = goodSummary(past.object);
  const commit = runningAt(past.runs, noticedAt);
  return { verdict: 'converged', at, bound, noticedAt, reason, message, attempted: null, commit, rootCause: null };
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
  return { at, key: refKey(past.object.ref), put };
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
      const record = pastRecord(past, uid, stage, away, repository);
      const { verdict, ...summary } = stage;
      const { attempted } = record.revision;
      const transition: Transition = { ref, uid, from, to: verdict, ...summary, attempted };
      yield {
        at: stage.noticedAt,
        key,
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
      put(batch) {
        batch.removed.push({ ref, at: goneAt });
        batch.transitions.push(end);
      },
    };
  }
}

function* besidesOf(script: Script, past: ObjectPast): Generator<Entry> {
  const { ref, uid, role } = past.object;
  for (const correction of past.corrections)
    yield { at: correction.at + 700, key: null, put: (batch) => void batch.corrections.push({ ref, correction }) };
  const [first] = past.spans;
  for (const { commit, at } of past.landings)
    if (first && at > first.noticedAt)
      yield { at, key: null, put: (batch) => void batch.arrivals.push({ ref, commit, at }) };
  if (role !== 'applier' || ref.kind !== 'Kustomization' || !first || first.at >= script.from) return;
  const commit = runningAt(past.runs, script.from);
  const revision = commit === null ? null : `main@sha1:${commit}`;
  const passes = { from: first.at, to: script.from - 40_000, good: true, status: 'ReconciliationSucceeded' };
  const span = { ref, uid, ...passes, revision };
  yield { at: first.noticedAt, key: null, put: (batch) => void batch.earlier.push(span) };
}

function* coverageOf({ blindness, from }: Script, cluster: string): Generator<Entry> {
  const coverageAt = (change: Omit<Coverage, 'cluster'>): Entry => ({
    at: change.at,
    key: null,
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

/** The past of one cluster, batch by batch. The last of them holds the cluster's own record as it was last seen. */
export function* tellPast(script: Script, inventory: Inventory, cluster: string): Generator<PastBatch> {
  const entries: Entry[] = [...coverageOf(script, cluster)];
  for (const past of script.objects) {
    if (past.object.ref.cluster !== cluster) continue;
    for (const entry of entriesOf(past, inventory.repository, script.to)) entries.push(entry);
    for (const entry of besidesOf(script, past)) entries.push(entry);
  }
  for (const change of script.changes) {
    if (change.cluster !== cluster) continue;
    entries.push({ at: change.noticedAt, key: null, put: (batch) => void batch.changes.push(change) });
  }
  entries.sort((a, b) => a.at - b.at);

  let batch = emptyBatch();
  let begun = script.from;
  let size = 0;
  const keys = new Set<RefKey>();
  for (const { at, key, put } of entries) {
    if (size > 0 && (size >= largestBatch || at > begun + breath || (key !== null && keys.has(key)))) {
      yield batch;
      batch = emptyBatch();
      keys.clear();
      size = 0;
    }
    if (size === 0) begun = at;
    if (key !== null) keys.add(key);
    batch.at = at;
    put(batch);
    size += 1;
  }
  yield { ...batch, at: script.to, cluster: pastCluster(inventory, cluster, script.from, script.to) };
}
