import type { DemoFleet } from '#server/simulator/fleet/demo-fleet.ts';
import { nameOf } from './script-truth.ts';

/** So long ago (ms) something may have been tried or run that a sentence still names: two passes of the demo. */
const recently = 120_000;
/** The controller dates its passes by whole seconds (ms). */
const wholeSecond = 1_000;
/** A wait that is over is known once the pass has gone on for a while (ms). */
const waitKnownOver = 15_000;

/** The commits that the simulated Kustomizations tried and ran, as their own status said. */
export interface TriedLog {
  /** Looks at all of them. */
  look(now: number): void;
  /** The commits that an object tried or ran lately. */
  lately(object: string, now: number): ReadonlySet<string>;
  /** How many passes of an object ended well after `from` and by `to`; null of what is not looked at. */
  passes(object: string, from: number, to: number): number | null;
  /** Whether an object itself said, then or just before, that it waits for a dependency. */
  waited(object: string, at: number): boolean;
}

/** Starts an empty log over a fleet. */
export function triedLog({ clusters }: DemoFleet): TriedLog {
  const seen = new Map<string, Map<string, number>>();
  const waits = new Map<string, number[]>();
  const passed = new Map<string, Set<number>>();
  return {
    look(now) {
      for (const [cluster, { kustomizations }] of clusters)
        for (const [name, { object }] of kustomizations) {
          const place = { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization', namespace: 'flux-system' };
          const key = nameOf({ cluster, ...place, name });
          const known = seen.get(key) ?? new Map<string, number>();
          seen.set(key, known);
          if (object.status.conditions.some(({ reason }) => reason === 'DependencyNotReady'))
            waits.set(key, [...(waits.get(key) ?? []), now]);
          const passes = passed.get(key) ?? new Set();
          passed.set(key, passes);
          const [newest] = object.status.history ?? [];
          if (newest?.lastReconciledStatus === 'ReconciliationSucceeded') passes.add(Date.parse(newest.lastReconciled));
          for (const revision of [object.status.lastAttemptedRevision, object.status.lastAppliedRevision])
            if (revision !== undefined) known.set(revision.replace(/^.*sha1:/, ''), now);
        }
    },
    passes(object, from, to) {
      const ends = passed.get(object);
      return ends ? [...ends].filter((end) => end > from - wholeSecond && end <= to).length : null;
    },
    waited: (object, at) =>
      (waits.get(object) ?? []).some((moment) => moment <= at + 1_000 && moment > at - waitKnownOver),
    lately(object, now) {
      const known = [...(seen.get(object) ?? [])];
      return new Set(known.filter(([, at]) => at > now - recently).map(([commit]) => commit));
    },
  };
}
