import type { CurrentCluster, CurrentObject } from '#lib/domain/record/current.ts';
import type { CoveragePoint } from '#lib/domain/record/gap.ts';
import { pastSentence } from '#lib/domain/record/past-sentence.ts';
import { kindKey, type ObjectRef, refKey, sameRef } from '#lib/domain/observation/ref.ts';
import type { Span } from '#lib/domain/record/span.ts';
import {
  noLastKnownOrigin,
  noRevision,
  pastCluster,
  pastObject,
  presentCluster,
  type KindCount,
  type PastIncident,
  type PastTraits,
} from '#server/store/record/past-fleet.ts';
import type { PastFleet, RecordScope } from '#server/store/port/record-port.ts';
import type { PlainHistory } from './plain-lists.ts';

/** A span with what was kept of its object. */
interface TraitSpan extends Span {
  readonly traits: PastTraits;
}

/** The fleet of a scope at a moment (ms) in which these spans lasted. */
export function plainFleet(
  history: PlainHistory,
  spans: readonly TraitSpan[],
  at: number,
  scope: RecordScope,
): PastFleet {
  const objects = spans.map((span) => objectOf(history, span, at));
  return { clusters: clustersAt(history, objects, at, scope), objects };
}

function objectOf(history: PlainHistory, { attempted, traits, ...span }: TraitSpan, at: number): CurrentObject {
  const past = { ...span, revision: { ...noRevision, attempted }, onset: { ...span.onset, noticedAt: span.from } };
  const place = history.places.get(refKey(span.ref)) ?? noLastKnownOrigin;
  const sentence = pastSentence({ ...past, role: traits.role, drift: traits.drift });
  return pastObject(past, traits, place, incidentAt(history, span.ref, at), sentence);
}

function incidentAt(history: PlainHistory, ref: ObjectRef, at: number): PastIncident | null {
  return (
    history.incidents.find((one) => sameRef(one.ref, ref) && one.noticedAt <= at && (one.closedAt ?? Infinity) > at) ??
    null
  );
}

function clustersAt(
  history: PlainHistory,
  objects: readonly CurrentObject[],
  at: number,
  scope: RecordScope,
): readonly CurrentCluster[] {
  const known = new Map<string, CoveragePoint[]>();
  for (const { ref } of objects) known.set(ref.cluster, []);
  for (const { cluster, ...point } of history.coverage.toSorted((a, b) => a.at - b.at)) {
    if (point.at > at || !(scope.clusters?.includes(cluster) ?? true)) continue;
    const points = (known.get(cluster) ?? []).filter((one) => kindText(one) !== kindText(point));
    known.set(cluster, [...points, point]);
  }
  return [...known]
    .filter(([, points]) => !points.some(({ kind, state }) => kind === null && state === 'forgotten'))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, points]) => {
      const present = history.clusters.find((cluster) => cluster.name === name);
      const kinds = kindsOf(objects.filter(({ ref }) => ref.cluster === name));
      return pastCluster(name, at, points, kinds, present === undefined ? null : presentCluster(present));
    });
}

function kindsOf(objects: readonly CurrentObject[]): readonly KindCount[] {
  const kinds = new Map<string, KindCount>();
  for (const { ref } of objects) {
    const { group, kind } = ref;
    const name = kindText({ kind: ref });
    kinds.set(name, { name, group, kind, objects: (kinds.get(name)?.objects ?? 0) + 1 });
  }
  return [...kinds.values()];
}

/** A kind as group/kind; '' for a cluster itself. */
export function kindText({ kind }: Pick<CoveragePoint, 'kind'>): string {
  return kind === null ? '' : kindKey(kind);
}
