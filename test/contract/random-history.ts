import type { Within } from '#lib/domain/access/within.ts';
import type { PlannedWork } from '#lib/domain/exemption/planned-work.ts';
import type { ChangeFact } from '#lib/domain/record/change.ts';
import type { CurrentObject, Onset, Transition } from '#lib/domain/record/current.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { CommitRange } from '#lib/domain/record/commit-range.ts';
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import { verdicts, type Verdict } from '#lib/domain/verdict/verdict.ts';
import { hour } from '#lib/domain/time/length.ts';
import type { CoverageChange, WriteBatch } from '#server/store/port/port.ts';
import { batchOf, clusterOf, detailOf, objectOf } from './store-records.ts';

/** One thing that was written of a cluster. Times in ms since the epoch. */
export type Written =
  | { readonly cluster: string; readonly batch: WriteBatch }
  | { readonly cluster: string; readonly forgottenAt: number };

/** Numbers from 0 up to 1, the same for one seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const clusterNames = ['a', 'b', 'c'] as const;
export const kinds = [
  { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization' },
  { group: 'helm.toolkit.fluxcd.io', kind: 'HelmRelease' },
] as const;

/** Views of it: parts of clusters, named and of any, and some of which all is seen. */
export const withins: readonly Within[] = [
  [],
  [{ clusters: ['a'], namespaces: null }],
  [{ clusters: ['a', 'none'], namespaces: ['n-0', 'nowhere'] }],
  [{ clusters: null, namespaces: ['n-1'] }],
  [
    { clusters: ['b'], namespaces: null },
    { clusters: ['a', 'c'], namespaces: ['n-0'] },
    { clusters: ['c'], namespaces: ['n-1', ''] },
  ],
];
const commits = ['1'.repeat(40), '2'.repeat(40), '3'.repeat(40), '4'.repeat(40)];
const facts: readonly ChangeFact[] = [
  { type: 'suspended', by: 'kubectl', field: 'spec.suspend' },
  { type: 'suspended', by: null, field: 'spec.suspend' },
  { type: 'resumed', by: 'flux', field: 'spec.suspend' },
  { type: 'exemption-added', kind: 'prune-disabled', field: 'spec.prune', by: null },
  { type: 'created' },
  { type: 'package-revision', package: 'xpkg/p', kind: 'ProviderRevision', name: 'p-2', from: 'v1', to: 'v2' },
];

interface Living {
  object: CurrentObject;
  away: Onset | null;
}

/** A fleet at a moment of its history, and the chance that moves it on. */
interface Fleet {
  readonly chance: Chance;
  readonly refs: readonly ObjectRef[];
  readonly living: Map<ObjectRef, Living>;
  /** Commits that have arrived, and where, so that each arrives once. */
  readonly arrived: Set<string>;
  /** ms */
  now: number;
  /** Number of objects made so far. */
  made: number;
}

/** Source of chance for a history. */
export interface Chance {
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly below: (count: number) => number;
  readonly pick: <T>(of: readonly T[]) => T;
}

/** Chance that is the same for one seed. */
export function chanceOf(seed: number): Chance {
  const random = randomOf(seed);
  const below = (count: number): number => Math.floor(random() * count);
  return {
    random,
    below,
    pick: (of) => {
      const picked = of[below(of.length)];
      if (picked === undefined) throw new Error('nothing to pick from');
      return picked;
    },
  };
}

/** History of a fleet of three clusters with some objects each from `from` (ms) on in so many steps; the same for one seed. */
export function randomHistory(seed: number, from: number, steps: number): { writes: Written[]; now: number } {
  const chance = chanceOf(seed);
  const { below, pick } = chance;
  const refs: readonly ObjectRef[] = clusterNames.flatMap((cluster) =>
    kinds.flatMap((kind) => ['x', 'y', 'z'].map((name) => ({ cluster, ...kind, namespace: `n-${below(2)}`, name }))),
  );
  const fleet: Fleet = { chance, refs, living: new Map(), arrived: new Set(), now: from, made: 0 };
  const writes = clusterNames.map((cluster): Written => {
    const seen: CoverageChange = { cluster, kind: null, at: from, observed: true, state: 'live', reason: null };
    return { cluster, batch: batchOf({ cluster: clusterOf(cluster), coverage: [seen] }) };
  });
  for (let step = 0; step < steps; step++) {
    fleet.now += 1 + below(2) * below(60_000) + below(3) * below(2 * hour);
    writes.push(stepOf(fleet, pick(clusterNames)));
  }
  return { writes, now: fleet.now + 1 };
}

/** One thing that happens on a cluster. */
function stepOf(fleet: Fleet, cluster: string): Written {
  const { chance, refs, living, now } = fleet;
  const roll = chance.random();
  if (roll < 0.01) {
    for (const ref of living.keys()) if (ref.cluster === cluster) living.delete(ref);
    return { cluster, forgottenAt: now };
  }
  if (roll < 0.04) return { cluster, batch: batchOf({ at: now, planned: planned(fleet, cluster) }) };
  const own = (): ObjectRef => chance.pick(refs.filter((one) => one.cluster === cluster));
  const change =
    roll < 0.15
      ? { cluster: clusterOf(cluster), coverage: coverage(fleet, cluster) }
      : roll < 0.4
        ? beside(fleet, own())
        : verdictChange(fleet, own());
  return { cluster, batch: batchOf({ at: now, ...change }) };
}

function verdictChange(fleet: Fleet, ref: ObjectRef): Partial<WriteBatch> {
  const { chance, living, now } = fleet;
  const before = living.get(ref);
  if (before !== undefined && chance.random() < 0.05) {
    living.delete(ref);
    return {
      removed: [{ ref, at: now }],
      transitions: [transitionFor(before.object, before.object.verdict, null, now)],
    };
  }
  // Home for good: nothing but that the time away is over.
  if (before?.object.verdict === 'converged' && before.away !== null && chance.random() < 0.6) {
    const object = { ...before.object, awaySince: null };
    living.set(ref, { object, away: null });
    return { objects: [{ object, detail: detailOf(object) }] };
  }
  const verdict = chance.random() < 0.45 ? 'converged' : chance.pick(verdicts);
  if (before?.object.verdict === verdict) return verdict === 'converged' ? {} : otherWords(fleet, ref, before);
  const after = judged(fleet, ref, verdict, before);
  living.set(ref, after);
  return {
    objects: [{ object: after.object, detail: detailOf(after.object) }],
    transitions: [transitionFor(after.object, before?.object.verdict ?? null, verdict, now)],
  };
}

/** The verdict goes on, for another reason or by another cause: that is no transition. */
function otherWords(fleet: Fleet, ref: ObjectRef, before: Living): Partial<WriteBatch> {
  const { onset, verdict } = before.object;
  const { object, away } = judged(fleet, ref, verdict, before);
  const after = { object: { ...object, onset }, away };
  fleet.living.set(ref, after);
  return { objects: [{ object: after.object, detail: detailOf(after.object) }] };
}

function judged(fleet: Fleet, ref: ObjectRef, verdict: Verdict, was: Living | undefined): Living {
  const { now } = fleet;
  const { random, below, pick } = fleet.chance;
  const at = now - below(3) * below(20_000);
  const onset: Onset = { time: at, bound: random() < 0.2 ? 'at-least' : 'exact', noticedAt: now };
  const away = verdict === 'converged' ? (was?.away ?? null) : (was?.away ?? onset);
  const object = objectOf(ref, {
    uid: was?.object.uid ?? `uid-${++fleet.made}`,
    verdict,
    onset,
    awaySince: away,
    reason: pick(['Reason0', 'Reason1', 'NoPass']),
    message: `message ${below(5)}`,
    commit: pick([...commits, null]),
    was: verdict === 'stale' ? 'converged' : null,
    drift: pick(['none', 'found', 'corrected']),
    role: pick(['applier', 'source']),
    confirmation: pick(['pass', 'none']),
    rootCause: random() < 0.4 ? causeFor(fleet, ref) : null,
    range: verdict === 'diverged' ? rangeFor(fleet) : null,
  });
  return { object, away };
}

function causeFor({ chance: { pick }, refs }: Fleet, { cluster }: ObjectRef): Cause {
  const source = pick(refs.filter((ref) => ref.cluster === cluster));
  const controller = { type: 'controller', cluster, namespace: 'flux-system', name: 'kustomize-controller' } as const;
  return pick<Cause>([{ type: 'cluster', cluster }, controller, { type: 'object', ref: source }]);
}

function rangeFor({ chance: { random, pick } }: Fleet): CommitRange | null {
  const [lastGood, firstBad] = [pick([...commits, null]), pick([...commits, null])];
  return random() < 0.5 ? null : { lastGood, firstBad, seenBetween: 0, watched: true };
}

function transitionFor(object: CurrentObject, from: Verdict | null, to: Verdict | null, now: number): Transition {
  const { ref, uid, onset, reason, message, commit, revision, rootCause } = object;
  const { time, bound } = to === null ? { time: now, bound: 'exact' as const } : onset;
  const said = { reason, message, commit, attempted: revision.attempted, rootCause };
  return { ref, uid, at: time, bound, noticedAt: now, from, to, ...said };
}

function coverage({ chance: { random, below, pick }, now }: Fleet, cluster: string): CoverageChange[] {
  const observed = random() < 0.6;
  const late = random() < 0.3 ? below(60) * hour : 0;
  const kind = random() < 0.4 ? pick(kinds) : null;
  const state = observed ? 'live' : pick(['unreachable', 'unobserved', 'failed']);
  const reason = observed ? null : `why ${below(2)}`;
  return [{ cluster, kind, at: now - late - below(1000), observed, state, reason }];
}

/** Planned work that is configured, or withdrawn. */
function planned({ chance: { below, pick }, now }: Fleet, cluster: string): PlannedWork[] {
  return Array.from({ length: below(3) }, () => {
    return { clusters: [cluster], until: now + below(8) * hour, reason: pick(['upgrade', 'move']) };
  });
}

/** Rows recorded beside the verdicts. */
function beside({ chance, living, arrived, now }: Fleet, ref: ObjectRef): Partial<WriteBatch> {
  const { random, below, pick } = chance;
  const fact = pick(facts);
  switch (below(4)) {
    case 0: {
      const times = { at: now - below(5000), notBefore: now - 5000, noticedAt: now };
      return { changes: [{ cluster: ref.cluster, ref: random() < 0.8 ? ref : null, ...times, fact }] };
    }
    case 1: {
      const certainty = pick(['confirmed', 'probable', 'contested'] as const);
      const correction = { at: now - below(3) * hour, certainty, said: 'configured', count: 1 + below(4) };
      return { corrections: [{ ref, correction }] };
    }
    case 2: {
      const commit = pick(commits);
      const key = `${JSON.stringify(ref)} ${commit}`;
      if (arrived.has(key) || !living.has(ref)) return {};
      arrived.add(key);
      return { arrivals: [{ ref, commit, at: now - below(5000) }] };
    }
    default: {
      const times = { from: now - 2 * hour, to: now - hour };
      const revision = pick(['main@sha1:1', null]);
      return { earlier: [{ ref, uid: 'u', ...times, good: random() < 0.5, status: 'Told', revision }] };
    }
  }
}
