import { compareText } from '#lib/domain/observation/compare-text.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { CoveragePoint } from '#lib/domain/record/gap.ts';
import { kindKey, refKey, sameRef, type ObjectRef } from '#lib/domain/observation/ref.ts';
import type { RecordReader, RecordScope } from '../port/record-port.ts';
import { pastClusters, presentCluster, type KindCount } from './past-clusters.ts';
import { noLastKnownOrigin, noRevision, pastObject } from './past-object.ts';
import { includesCluster, type Recorded } from './recorded.ts';
import { spansWithin, type RecordedSpan } from './spans.ts';

/** Answers what was recorded of a past moment. */
export function readPastMoment(recorded: Recorded): RecordReader['stateAt'] {
  return async (at, scope) => {
    const objects = spansWithin(recorded, scope, { from: at, to: at + 1 })
      .map((one) => objectOf(recorded, one, at))
      .toSorted((a, b) => compareText(refKey(a.ref), refKey(b.ref)));
    const refs = objects.map(({ ref }) => ref);
    const onCluster = Map.groupBy(refs, ({ cluster }) => cluster);
    const kinds = new Map([...onCluster].map(([cluster, of]) => [cluster, kindsOf(of)]));
    const present = [...recorded.clusters].map(([name, cluster]) => [name, presentCluster(cluster)] as const);
    return { clusters: pastClusters(at, pointsAt(recorded, at, scope), kinds, new Map(present)), objects };
  };
}

function objectOf(recorded: Recorded, { span, traits }: RecordedSpan, at: number): CurrentObject {
  const absence = recorded.absences.find(
    ({ ref, noticedAt, closedAt }) => sameRef(ref, span.ref) && noticedAt <= at && (closedAt ?? Infinity) > at,
  );
  const { attempted, ...kept } = span;
  return pastObject({
    span: { ...kept, revision: { ...noRevision, attempted }, onset: { ...span.onset, noticedAt: span.from } },
    traits,
    origin: recorded.origins.get(refKey(span.ref)) ?? noLastKnownOrigin,
    absence: absence ?? null,
  });
}

function kindsOf(refs: readonly ObjectRef[]): readonly KindCount[] {
  return [...Map.groupBy(refs, kindKey)].flatMap(([name, of]) =>
    of.slice(0, 1).map(({ group, kind }) => ({ name, group, kind, objects: of.length })),
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
