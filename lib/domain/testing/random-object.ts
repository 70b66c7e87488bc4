// Random writes of one object: most of what it says stays as it was.
import type { Fault, Observation, StatusSummary } from '../observation/observation.ts';
import { minute } from '../time/length.ts';

/** A seeded generator (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Draws from one seed, always the same. */
export interface Chance {
  readonly next: () => number;
  one<T>(of: readonly [T, ...T[]]): T;
  maybe(share: number): boolean;
  upTo(most: number): number;
}

/** Starts the draws of a seed. */
export function chance(seed: number): Chance {
  const next = generator(seed);
  return {
    next,
    one: (of) => of[Math.trunc(next() * of.length)] ?? of[0],
    maybe: (share) => next() < share,
    upTo: (most) => Math.trunc(next() * most),
  };
}

const faults: readonly [Fault, ...Fault[]] = ['apply', 'health', 'observe', 'dependency', 'artifact', 'fetch'];
const revisions: readonly [string, ...string[]] = ['main@sha1:a', 'main@sha1:b', 'main@sha1:c'];

function wordOf({ one, maybe }: Chance): StatusSummary {
  const bad: StatusSummary = {
    said: 'bad',
    fault: one(faults),
    reason: one(['BuildFailed', 'HealthCheckFailed', 'X']),
    message: 'no',
    terminal: maybe(0.1),
  };
  const good: StatusSummary = { said: 'good', reason: 'ReconciliationSucceeded', message: '' };
  return one<StatusSummary>([
    good,
    good,
    good,
    good,
    bad,
    { said: 'busy', reason: 'Progressing', message: '', before: one([null, good, bad]) },
    { said: 'nothing' },
    { said: 'static' },
    { said: 'unrecognised', why: 'odd' },
  ]);
}

/** The next write of an object: most of it stays as it was. */
export function rewritten(before: Observation, now: number, version: number, by: Chance): Observation {
  const { one, maybe, upTo } = by;
  const summary = wordOf(by);
  const passed = summary.said === 'good' && maybe(0.8);
  const applier = before.role === 'applier';
  const generation = before.generation + (maybe(0.1) ? 1 : 0);
  return {
    ...before,
    resourceVersion: String(version),
    uid: maybe(0.01) ? `uid-${version}` : before.uid,
    generation,
    observedGeneration: one([generation, generation, generation, generation - 1, null]),
    summary,
    reconciling: summary.said === 'busy' || maybe(0.1),
    deletedAt: maybe(0.02) ? now - upTo(30 * minute) : null,
    suspended: maybe(0.1) ? { field: 'spec.suspend', by: null, at: now } : maybe(0.5) ? before.suspended : null,
    cadence: maybe(0.05)
      ? {
          interval: one([10_000, minute, 60 * minute, null]),
          retryInterval: one([null, 30_000]),
          timeout: one([null, minute]),
        }
      : before.cadence,
    passes: applier
      ? {
          seenBy: one(['history', 'writes']),
          last: passed ? now - upTo(2_000) + (maybe(0.02) ? 60 * minute : 0) : before.passes.last,
          total: null,
        }
      : before.passes,
    revisions: applier
      ? {
          ...before.revisions,
          applied: passed ? one([before.revisions.applied, ...revisions]) : before.revisions.applied,
          attempted: one([null, ...revisions]),
        }
      : { ...before.revisions, artifact: maybe(0.2) ? one(revisions) : before.revisions.artifact },
    hasArtifact: applier ? false : !maybe(0.05),
    drift:
      summary.said === 'good' && maybe(0.05) ? { drift: 'found', message: 'x', left: maybe(0.5) } : { drift: 'none' },
    lastWriteAt: maybe(0.9) ? now : null,
  };
}
