import type { DemoFleet } from '#server/simulator/fleet/demo-fleet.ts';
import type { Kustomization } from '#server/simulator/objects/kustomization.ts';
import { nameOf } from './judged.ts';
import { seenValues, type SeenValues } from './seen-values.ts';

/** The controller dates its passes by whole seconds (ms). */
const wholeSecond = 1_000;

/** So many passes ended well between two moments: two may end in one second. */
interface PassesEnded {
  readonly after: number;
  readonly by: number;
  readonly count: number;
}

/** Status of one simulated Kustomization over time. */
interface Said {
  /** Revisions as they are written. */
  readonly applied: SeenValues;
  readonly attempted: SeenValues;
  /** The reason of Ready while it is neither True nor Unknown; null else. */
  readonly failure: SeenValues;
  /** 'busy' in the middle of a pass, else null. */
  readonly pass: SeenValues;
  /** When its newest history entry says that it was reconciled, as it is written. */
  readonly reconciled: SeenValues;
  /** The passes that ended well. */
  readonly ends: PassesEnded[];
  /** Number that had ended well in all, of each content that was applied. */
  totals: ReadonlyMap<string, number>;
}

/** Least number, and greatest. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** Words of the simulated Kustomizations and sources on themselves over time, second by second. */
export interface TriedLog {
  /** Looks at all of them. */
  sample(now: number): void;
  /** The revisions that an object may have applied from one moment to another; null of what is no Kustomization. */
  applied(object: string, from: number, to: number): ReadonlySet<string | null> | null;
  /** The revisions whose try was the newest that had ended, or the newest of all, from one moment to another. */
  tried(object: string, from: number, to: number): ReadonlySet<string | null>;
  /** When the revisions came that an object applied: each between the two moments. */
  arrivals(object: string): ReturnType<SeenValues['changes']>;
  /** When its status said that it was reconciled last, from one moment to another (RFC 3339). */
  reconciled(object: string, from: number, to: number): ReadonlySet<string | null>;
  /** The revisions that the control repository's source on a cluster offers, from one moment to another. */
  offered(cluster: string, from: number, to: number): ReadonlySet<string | null>;
  /** When the revisions came that it offers. */
  offers(cluster: string): ReturnType<SeenValues['changes']>;
  /** True if an object itself said at a moment that it waits for a dependency. */
  saysItWaits(object: string, at: number): boolean;
  /** Number of passes of an object that ended well after `from` and by `to`; null of what is not looked at. */
  passes(object: string, from: number, to: number): Bounds | null;
}

type Status = Kustomization['status'];

/** Notes the passes that ended well between two looks. Those that it tells of at the first look are nobody's. */
function noteEnds(of: Said, { history = [] }: Status, before: number, now: number): void {
  const well = history.filter(({ lastReconciledStatus }) => lastReconciledStatus === 'ReconciliationSucceeded');
  for (const { digest, lastReconciled, totalReconciliations } of well) {
    const count = totalReconciliations - (of.totals.get(digest) ?? 0);
    if (count === 0 || before === 0) continue;
    const at = Date.parse(lastReconciled);
    const after = count === 1 ? Math.max(before, at) : before;
    of.ends.push({ after, by: Math.min(now, at + wholeSecond - 1), count });
  }
  // What leaves the history is counted anew where it comes again.
  of.totals = new Map(well.map(({ digest, totalReconciliations }) => [digest, totalReconciliations]));
}

function fresh(): Said {
  return {
    applied: seenValues(),
    attempted: seenValues(),
    failure: seenValues(),
    pass: seenValues(),
    reconciled: seenValues(),
    ends: [],
    totals: new Map(),
  };
}

/** Starts an empty log over a fleet. */
export function triedLog({ clusters }: DemoFleet): TriedLog {
  const said = new Map<string, Said>();
  const sources = new Map<string, SeenValues>();
  const none: ReadonlySet<string | null> = new Set();
  let before = 0;

  function sampleCluster(cluster: string, now: number): void {
    const one = clusters.get(cluster);
    const source = sources.get(cluster) ?? seenValues();
    sources.set(cluster, source);
    source.note(one?.sources.get('control-repo')?.object.status.artifact?.revision ?? null, before, now);
    for (const [name, { object }] of one?.kustomizations ?? []) {
      const place = { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization', namespace: 'flux-system' };
      const key = nameOf({ cluster, ...place, name });
      const of = said.get(key) ?? fresh();
      said.set(key, of);
      const { conditions, history, lastAppliedRevision = null, lastAttemptedRevision = null } = object.status;
      const ready = conditions.find(({ type }) => type === 'Ready');
      const [newest] = history ?? [];
      of.applied.note(lastAppliedRevision, before, now);
      of.attempted.note(lastAttemptedRevision, before, now);
      of.failure.note(ready?.status === 'False' ? ready.reason : null, before, now);
      of.pass.note(ready?.status === 'Unknown' ? 'busy' : null, before, now);
      of.reconciled.note(newest?.lastReconciled ?? null, before, now);
      noteEnds(of, object.status, before, now);
    }
  }

  return {
    sample(now) {
      for (const cluster of clusters.keys()) sampleCluster(cluster, now);
      before = now;
    },
    applied: (object, from, to) => said.get(object)?.applied.within(from, to) ?? null,
    tried(object, from, to) {
      const of = said.get(object);
      if (!of) return none;
      // In the middle of a pass the one before it is the last that has ended.
      const began = of.pass.changes().findLast(({ value, after }) => value === 'busy' && after <= to);
      const busy = of.pass.within(from, to).has('busy');
      return of.attempted.within(busy ? Math.min(from, began?.after ?? 0) : from, to);
    },
    arrivals: (object) => said.get(object)?.applied.changes() ?? [],
    reconciled: (object, from, to) => said.get(object)?.reconciled.within(from, to) ?? none,
    offered: (cluster, from, to) => sources.get(cluster)?.within(from, to) ?? none,
    offers: (cluster) => sources.get(cluster)?.changes() ?? [],
    saysItWaits: (object, at) =>
      said
        .get(object)
        ?.failure.within(at - wholeSecond, at)
        .has('DependencyNotReady') ?? false,
    passes(object, from, to) {
      const ends = said.get(object)?.ends;
      if (!ends) return null;
      const sum = (isOne: (end: PassesEnded) => boolean): number =>
        ends.filter(isOne).reduce((all, { count }) => all + count, 0);
      return {
        least: sum(({ after, by }) => after >= from && by <= to),
        most: sum(({ after, by }) => by >= from && after <= to),
      };
    },
  };
}
