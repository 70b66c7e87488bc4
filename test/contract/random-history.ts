import type { ChangeFact } from '#lib/domain/record/change.ts';
import type { CurrentObject, Onset } from '#lib/domain/record/current.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { verdicts, type Verdict } from '#lib/domain/verdict/verdict.ts';
import { hour } from '#lib/domain/time/length.ts';
import type { CoverageChange, WriteBatch } from '#server/store/port/port.ts';
import type { Written } from './plain-history.ts';
import { batchOf, clusterOf, detailOf, objectOf } from './store-records.ts';

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
const commits = ['1'.repeat(40), '2'.repeat(40), '3'.repeat(40), '4'.repeat(40)];
const facts: readonly ChangeFact[] = [
  { type: 'suspended', by: 'kubectl', field: 'spec.suspend' },
  { type: 'suspended', by: null, field: 'spec.suspend' },
  { type: 'resumed', by: 'flux', field: 'spec.suspend' },
  { type: 'exemption-added', kind: 'prune-disabled', field: 'spec.prune', by: null },
  { type: 'created' },
];

interface Living {
  object: CurrentObject;
  away: Onset | null;
}

/** What a fleet of three clusters with some objects each did from `from` (ms) on in so many steps; the same for one seed. */
export function randomHistory(seed: number, from: number, steps: number): { writes: Written[]; now: number } {
  const random = randomOf(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const pick = <T>(of: readonly T[]): T => {
    const picked = of[below(of.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  };
  const refs: readonly ObjectRef[] = clusterNames.flatMap((cluster) =>
    kinds.flatMap((kind) => ['x', 'y', 'z'].map((name) => ({ cluster, ...kind, namespace: `n-${below(2)}`, name }))),
  );
  const living = new Map<ObjectRef, Living>();
  const writes: Written[] = [];
  const arrived = new Set<string>();
  let now = from;
  let made = 0;

  function judged(ref: ObjectRef, verdict: Verdict, was: Living | undefined): Living {
    const at = now - below(3) * below(20_000);
    const onset: Onset = { time: at, bound: random() < 0.2 ? 'at-least' : 'exact', noticedAt: now };
    const away = verdict === 'converged' ? (was?.away ?? null) : (was?.away ?? onset);
    const object = objectOf(ref, {
      uid: was?.object.uid ?? `uid-${++made}`,
      verdict,
      onset,
      awaySince: away,
      reason: `Reason${below(3)}`,
      message: `message ${below(5)}`,
      commit: pick([...commits, null]),
      was: verdict === 'stale' ? 'converged' : null,
      drift: pick(['none', 'found', 'corrected']),
      role: pick(['applier', 'source']),
      confirmation: pick(['pass', 'none']),
      rootCause: random() < 0.3 ? { type: 'cluster', cluster: ref.cluster } : null,
    });
    return { object, away };
  }

  function change(ref: ObjectRef): Partial<WriteBatch> {
    const before = living.get(ref);
    if (before !== undefined && random() < 0.05) {
      living.delete(ref);
      const transition = transitionFor(before.object, before.object.verdict, null);
      return { removed: [{ ref, at: now }], transitions: [transition] };
    }
    // Home for good: nothing but that the time away is over.
    if (before?.object.verdict === 'converged' && before.away !== null && random() < 0.6) {
      const object = { ...before.object, awaySince: null };
      living.set(ref, { object, away: null });
      return { objects: [{ object, detail: detailOf(object) }] };
    }
    const verdict = random() < 0.45 ? 'converged' : pick(verdicts);
    if (before?.object.verdict === verdict) return {};
    const after = judged(ref, verdict, before);
    living.set(ref, after);
    return {
      objects: [{ object: after.object, detail: detailOf(after.object) }],
      transitions: [transitionFor(after.object, before?.object.verdict ?? null, verdict)],
    };
  }

  function transitionFor(
    object: CurrentObject,
    was: Verdict | null,
    to: Verdict | null,
  ): WriteBatch['transitions'][number] {
    const { ref, uid, onset, reason, message, commit, revision, rootCause } = object;
    const { time, bound } = to === null ? { time: now, bound: 'exact' as const } : onset;
    return {
      ref,
      uid,
      at: time,
      bound,
      noticedAt: now,
      from: was,
      to,
      reason,
      message,
      commit,
      attempted: revision.attempted,
      rootCause,
    };
  }

  function coverage(cluster: string): CoverageChange[] {
    const observed = random() < 0.6;
    const late = random() < 0.3 ? below(60) * hour : 0;
    const kind = random() < 0.4 ? pick(kinds) : null;
    const state = observed ? 'live' : pick(['unreachable', 'unobserved', 'failed']);
    return [
      { cluster, kind, at: now - late - below(1000), observed, state, reason: observed ? null : `why ${below(2)}` },
    ];
  }

  function beside(cluster: string): Partial<WriteBatch> {
    const ref = pick(refs.filter((one) => one.cluster === cluster));
    const fact = pick(facts);
    switch (below(4)) {
      case 0:
        return {
          changes: [
            {
              cluster,
              ref: random() < 0.8 ? ref : null,
              at: now - below(5000),
              notBefore: now - 5000,
              noticedAt: now,
              fact,
            },
          ],
        };
      case 1: {
        const certainty = pick(['confirmed', 'probable', 'contested'] as const);
        return {
          corrections: [
            { ref, correction: { at: now - below(3) * hour, certainty, said: 'configured', count: 1 + below(4) } },
          ],
        };
      }
      case 2: {
        const commit = pick(commits);
        const key = `${JSON.stringify(ref)} ${commit}`;
        if (arrived.has(key) || !living.has(ref)) return {};
        arrived.add(key);
        return { arrivals: [{ ref, commit, at: now - below(5000) }] };
      }
      default:
        return {
          earlier: [
            {
              ref,
              uid: 'u',
              from: now - 2 * hour,
              to: now - hour,
              good: random() < 0.5,
              status: 'Told',
              revision: pick(['main@sha1:1', null]),
            },
          ],
        };
    }
  }

  function forget(cluster: string): void {
    writes.push({ cluster, forgottenAt: now });
    for (const ref of living.keys()) if (ref.cluster === cluster) living.delete(ref);
  }

  for (const cluster of clusterNames) {
    const seen: CoverageChange = { cluster, kind: null, at: now, observed: true, state: 'live', reason: null };
    writes.push({ cluster, batch: batchOf({ cluster: clusterOf(cluster), coverage: [seen] }) });
  }
  for (let step = 0; step < steps; step++) {
    now += 1 + below(2) * below(60_000) + below(3) * below(2 * hour);
    const cluster = pick(clusterNames);
    const roll = random();
    if (roll < 0.01) forget(cluster);
    else if (roll < 0.15)
      writes.push({ cluster, batch: batchOf({ at: now, cluster: clusterOf(cluster), coverage: coverage(cluster) }) });
    else if (roll < 0.4) writes.push({ cluster, batch: batchOf({ at: now, ...beside(cluster) }) });
    else
      writes.push({
        cluster,
        batch: batchOf({ at: now, ...change(pick(refs.filter((one) => one.cluster === cluster))) }),
      });
  }
  return { writes, now: now + 1 };
}
