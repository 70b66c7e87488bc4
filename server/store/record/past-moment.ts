import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { CoveragePoint } from '#lib/domain/record/gap.ts';
import { pastSentence } from '#lib/domain/record/past-sentence.ts';
import { kindKey, refKey, sameRef } from '#lib/domain/observation/ref.ts';
import type { RecordReader, RecordScope } from '../port/record-port.ts';
import { compareTexts } from './lists.ts';
import {
  noLastKnownOrigin,
  noRevision,
  pastClusters,
  pastObject,
  presentCluster,
  type KindCount,
} from './past-fleet.ts';
import { includesCluster, type Recorded } from './recorded.ts';
import { spansWithin, type RecordedSpan } from './spans.ts';

/** Answers what was recorded of a past moment. */
export function readPastMoment(recorded: Recorded): RecordReader['stateAt'] {
  return async (at, scope) => {
    const objects = spansWithin(recorded, scope, { from: at, to: at + 1 })
      .map((one) => objectOf(recorded, one, at))
      .toSorted((a, b) => compareTexts(refKey(a.ref), refKey(b.ref)));
    const onCluster = Map.groupBy(objects, ({ ref }) => ref.cluster);
    const kinds = new Map([...onCluster].map(([cluster, of]) => [cluster, kindsOf(of)]));
    const present = [...recorded.clusters].map(([name, cluster]) => [name, presentCluster(cluster)] as const);
    return { clusters: pastClusters(at, pointsAt(recorded, at, scope), kinds, new Map(present)), objects };
  };
}

function objectOf(recorded: Recorded, { span, traits }: RecordedSpan, at: number): CurrentObject {
  const { attempted, ...kept } = span;
  const past = { ...kept, revision: { ...noRevision, attempted }, onset: { ...span.onset, noticedAt: span.from } };
  const incident = recorded.incidents.find(
    ({ ref, noticedAt, closedAt }) => sameRef(ref, span.ref) && noticedAt <= at && (closedAt ?? Infinity) > at,
  );
  const sentence = pastSentence({ ...past, role: traits.role, drift: traits.drift });
  return pastObject(
    past,
    traits,
    recorded.origins.get(refKey(span.ref)) ?? noLastKnownOrigin,
    incident ?? null,
    sentence,
  );
}

function kindsOf(objects: readonly CurrentObject[]): readonly KindCount[] {
  return [...Map.groupBy(objects, ({ ref }) => kindKey(ref))].flatMap(([name, of]) =>
    of.slice(0, 1).map(({ ref: { group, kind } }) => ({ name, group, kind, objects: of.length })),
  );
}

/** Knowledge of the clusters of a scope and of their kinds by a moment, in the order of time. */
function pointsAt(
  { coverage }: Recorded,
  at: number,
  scope: RecordScope,
): ReadonlyMap<string, readonly CoveragePoint[]> {
  const known = coverage.filter((point) => point.at <= at && includesCluster(scope, point.cluster));
  return Map.groupBy(
    known.toSorted((a, b) => a.at - b.at),
    ({ cluster }) => cluster,
  );
}
