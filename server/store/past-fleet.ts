import type { AlarmState, CurrentCluster, CurrentFeed, CurrentObject, Onset } from '#lib/domain/current.ts';
import type { CoveragePoint } from '#lib/domain/gap.ts';
import { isAway } from '#lib/domain/guarantee.ts';
import type { ObjectRef } from '#lib/domain/ref.ts';
import { pastSentence } from '#lib/domain/past-sentence.ts';
import type { Span } from '#lib/domain/span.ts';
import { standsOnNothing } from '#lib/domain/stands-on.ts';
import type { Traits } from './traits.ts';

/** Where an object was last known to come from. */
export type Place = Pick<CurrentObject, 'source' | 'deliveredBy' | 'path' | 'repository'>;

/** Of an object of which nothing of that kind was kept. */
export const noPlace: Place = { source: null, deliveredBy: null, path: null, repository: null };

/** What was kept of an object's record as its verdict began; all else of its traits was true of that moment only. */
export type PastTraits = Pick<Traits, 'reconciler' | 'role' | 'was' | 'confirmation' | 'drift' | 'commitDiffers'>;

/** The span that an object was in: it was noticed with its onset. */
export type PastSpan = Omit<Span, 'from' | 'to' | 'onset'> & Pick<CurrentObject, 'onset'>;

/** Of a transition that was written before traits were kept: nothing proves anything. */
export const noTraits: PastTraits = {
  reconciler: '',
  role: 'applier',
  was: null,
  confirmation: 'none',
  drift: 'not-measured',
  commitDiffers: false,
};

const noExemptions: CurrentObject['exemptions'] = [];
const unknownAlarm: AlarmState = { state: 'unknown', broken: null };
const noAlarm: AlarmState = { state: 'not-due', broken: null };

/**
 * The record of an object as it stood while `span` lasted. What was not kept is empty (see `PastFleet`); an alarm is not known.
 * Nothing bounds it but the coverage of its cluster: had its proof run out then, that would be another span.
 */
export function pastObject(span: PastSpan, traits: PastTraits, place: Place, awaySince: Onset | null): CurrentObject {
  const { ref, verdict, reason, rootCause, onset } = span;
  const revision = { applied: null, attempted: span.attempted, offered: null };
  return {
    ref,
    uid: span.uid,
    reconciler: traits.reconciler,
    role: traits.role,
    verdict,
    was: traits.was,
    reconciling: false,
    rolling: false,
    reason,
    message: span.message ?? '',
    sentence: pastSentence({ ref, role: traits.role, verdict, reason, rootCause, revision }),
    onset,
    awaySince,
    confirmation: traits.confirmation,
    observedAt: onset.noticedAt,
    confirmedAt: null,
    validUntil: null,
    revision,
    commit: span.commit,
    commitDiffers: traits.commitDiffers,
    path: place.path,
    source: place.source,
    deliveredBy: place.deliveredBy,
    standsOn: standsOnNothing,
    repository: place.repository,
    rootCause,
    drift: traits.drift,
    exemptions: noExemptions,
    alarm: isAway(span.verdict) ? unknownAlarm : noAlarm,
  };
}

const clusterStates: ReadonlyMap<string, CurrentCluster['state']> = new Map(
  (['connecting', 'unreachable', 'unauthorized', 'misconfigured', 'declared'] as const).map((state) => [state, state]),
);

const feedStates: ReadonlyMap<string, CurrentFeed['state']> = new Map(
  (['syncing', 'silent', 'forbidden', 'absent', 'failed'] as const).map((state) => [state, state]),
);

function kindKey({ group, kind }: Pick<ObjectRef, 'group' | 'kind'>): string {
  return `${group}/${kind}`;
}

/**
 * A cluster as it stood at `at` (ms). `points`: the last state of it (kind null) and of each of its kinds by then. `kinds`: those
 * of which it had objects, so many; where no state of one was recorded it was being observed, as everywhere in the record.
 * `present`: its record now, for its labels and whether it is one at all; null where there is none.
 */
export function pastCluster(
  name: string,
  at: number,
  points: readonly CoveragePoint[],
  kinds: ReadonlyMap<string, { readonly group: string; readonly kind: string; readonly objects: number }>,
  present: CurrentCluster | null,
): CurrentCluster {
  const own = points.find((point) => point.kind === null);
  const feeds = new Map<string, CurrentFeed>();
  const namespaced = new Map(present?.feeds.map((feed) => [kindKey(feed), feed.namespaced]));
  function put(kind: { readonly group: string; readonly kind: string }, point: CoveragePoint | null): void {
    const observed = point === null || point.observed;
    const lost = feedStates.get(point?.state ?? '') ?? 'silent';
    feeds.set(kindKey(kind), {
      group: kind.group,
      kind: kind.kind,
      version: null,
      namespaced: namespaced.get(kindKey(kind)) ?? true,
      state: observed ? (point?.state === 'idle' ? 'idle' : 'live') : lost,
      since: point?.at ?? own?.at ?? at,
      reason: point?.reason ?? null,
      lastWordAt: observed ? at : (point?.at ?? null),
      objects: kinds.get(kindKey(kind))?.objects ?? 0,
    });
  }
  for (const point of points) if (point.kind !== null) put(point.kind, point);
  for (const [key, kind] of kinds) if (!feeds.has(key)) put(kind, null);

  const observed = own === undefined || own.observed;
  const lost = clusterStates.get(own?.state ?? '');
  return {
    name,
    labels: present?.labels ?? {},
    // Nobody vouched for it then: that is what `asKnownAt` makes of a live one whose time is up.
    state: own === undefined && present?.state === 'declared' ? 'declared' : observed ? 'live' : (lost ?? 'live'),
    since: own?.at ?? at,
    reason: own?.reason ?? null,
    protocol: null,
    version: null,
    lastWordAt: observed ? at : (own?.at ?? null),
    validUntil: observed ? at + 1 : (own?.at ?? at),
    feeds: [...feeds.values()].toSorted((a, b) => (kindKey(a) < kindKey(b) ? -1 : 1)),
    controllers: [],
    conflicts: [],
    conflictsTotal: 0,
  };
}
