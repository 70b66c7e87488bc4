import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { CoveragePoint } from '#lib/domain/record/gap.ts';
import { boundedMap, boundedMemo } from '../../../../runtime/bounded-map.ts';
import { decodeCause, decodeCluster } from '../../../codec/decode.ts';
import { decodeRange } from '../../../codec/range-text.ts';
import { pastClusters, presentCluster, type KindCount, type PresentCluster } from '../../../record/past-clusters.ts';
import { noRevision, noTraits, pastObject, type PastAbsence } from '../../../record/past-object.ts';
import type { PastFleet, RecordScope } from '../../../port/record-port.ts';
import type { SnapshotSpan } from '../../../codec/snapshot-block.ts';
import { boundOf, decodeTraits, verdictOf, type Traits } from '../../../codec/traits.ts';
import { allRows, firstWhole, oneRow, text, whole } from '../../rows/cells.ts';
import { notKept } from '../../rows/record-rows.ts';
import { coverageWithin } from './record-gaps.ts';
import type { AbsenceReader, KnownAbsence } from './absence-reader.ts';
import type { RollupReader } from './record-rollups.ts';
import { ofClusters, type ScopeIds, type Scopes } from './record-scope.ts';
import { openIdentities, settledSentence, type Identities, type Identity } from '../past-identities.ts';
import { openSnapshotReader, type SnapshotReader } from '../snapshot-reader.ts';

const remembered = 100_000;

/** Number of objects, by cluster and by the id of their group/kind. */
type Counts = Map<string, Map<number, number>>;

/** Past moments over an open database. */
export function openRecordState(
  scopes: Scopes,
  absences: AbsenceReader,
  rollups: RollupReader,
): (at: number, scope: RecordScope) => PastFleet {
  const identities = openIdentities(scopes);
  const snapshots = openSnapshotReader(scopes, rollups);
  const rows = openPastRows(scopes);
  const presents = openPresentClusters(scopes);

  return (at, scope) => {
    const ids = scopes.resolve(scope);
    if (ids === null) return { clusters: [], objects: [] };
    const away = absences.within(ids, { from: at, to: at + 1 });
    const counts: Counts = new Map();
    const objects = objectsOf({ identities, snapshots, objectOf: rows(away) }, at, ids, counts);
    const kinds = new Map([...counts].map(([name, of]) => [name, kindCounts(scopes, of)]));
    return { clusters: pastClusters(at, pointsAt(scopes, ids, at), kinds, presents(ids)), objects };
  };
}

/** Readers of the objects of a moment. */
interface PastReaders {
  readonly identities: Identities;
  readonly snapshots: SnapshotReader;
  readonly objectOf: (row: SnapshotSpan, identity: Identity) => CurrentObject;
}

/** The objects of a scope at a moment; `counts` is added to. */
function objectsOf(
  { identities, snapshots, objectOf }: PastReaders,
  at: number,
  scope: ScopeIds,
  counts: Counts,
): readonly CurrentObject[] {
  const objects: CurrentObject[] = [];
  // They come cluster by cluster, mostly.
  let [cluster, kinds] = ['', new Map<number, number>()];
  identities.during(() =>
    snapshots(at, scope, (row) => {
      const identity = identities.of(row.object);
      const { ref, kind } = identity;
      if (ref.cluster !== cluster) {
        ({ cluster } = ref);
        kinds = counts.get(cluster) ?? new Map<number, number>();
        counts.set(cluster, kinds);
      }
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      objects.push(objectOf(row, identity));
    }),
  );
  return objects;
}

function kindCounts(scopes: Scopes, counts: ReadonlyMap<number, number>): readonly KindCount[] {
  return [...counts].map(([id, objects]) => ({ name: scopes.nameOf(id), ...scopes.kindOf(id), objects }));
}

/** Reads past objects from their rows, once it is told which absences they were in. */
function openPastRows({
  textOf,
  statement,
}: Scopes): (away: ReadonlyMap<number, readonly KnownAbsence[]>) => PastReaders['objectOf'] {
  const traits = boundedMemo(remembered, (id: number) => decodeTraits(textOf(id)));
  const revisions = boundedMemo(remembered, (id: number) => ({ ...noRevision, attempted: textOf(id) }));
  const ranges = boundedMemo(remembered, (id: number) => decodeRange(textOf(id)));
  const causes = boundedMemo(remembered, (id: number) => ({ cause: decodeCause(textOf(id)) }));
  const readUnreported = statement('SELECT to_verdict, bound, reason FROM transition WHERE id = ?');
  const readUid = statement('SELECT uid FROM transition WHERE id = ?');
  const readEmptied = statement(`SELECT place FROM housekeeping WHERE work = 'messages'`);

  /** Of a transition whose record came in no batch with it: the object was removed in the same one. */
  function untold(id: number): Pick<Traits, 'verdict' | 'onsetBound' | 'reason'> {
    const [verdict, bound, reason] = oneRow(readUnreported, id);
    return {
      verdict: verdictOf(text(verdict)) ?? 'unobserved',
      onsetBound: boundOf(text(bound)),
      reason: textOf(whole(reason)),
    };
  }

  function uidOf({ uid, since }: Identity, { id, noticedAt }: SnapshotSpan): string {
    return uid !== null && noticedAt >= since ? uid : text(oneRow(readUid, id)[0]);
  }

  function absenceOf(known: KnownAbsence | undefined): PastAbsence | null {
    return known === undefined ? null : { ...known, range: known.range === null ? null : ranges(known.range) };
  }

  return (away) => {
    const emptied = firstWhole(readEmptied) ?? 0;
    return (row, identity) => {
      const { ref, origin } = identity;
      const kept = row.traits === null ? null : traits(row.traits);
      const { verdict, onsetBound, reason } = kept ?? untold(row.id);
      const span = {
        ref,
        uid: uidOf(identity, row),
        verdict,
        onset: { time: row.at, bound: onsetBound, noticedAt: row.noticedAt },
        reason,
        message: row.message === notKept || row.id <= emptied ? null : textOf(row.message),
        commit: row.commit === null ? null : textOf(row.commit),
        revision: row.attempted === null ? noRevision : revisions(row.attempted),
        rootCause: row.rootCause === null ? null : causes(row.rootCause).cause,
      };
      const common = kept ?? noTraits;
      const past = { span, traits: common, origin, absence: absenceOf(away.get(row.object)?.[0]) };
      return verdict === 'converged' ? pastObject(past, settledSentence(identity, common)) : pastObject(past);
    };
  };
}

/** The last state of the clusters of a scope and of each of their kinds at a moment, in the order in which they were written. */
function pointsAt(scopes: Scopes, scope: ScopeIds, at: number): ReadonlyMap<string, readonly CoveragePoint[]> {
  const points = coverageWithin(scopes, scope, { from: at, to: at });
  return new Map([...points].map(([cluster, of]) => [scopes.clusterName(cluster), of]));
}

/** Reads what of the present records of clusters is said of their past. */
function openPresentClusters(scopes: Scopes): (scope: ScopeIds) => ReadonlyMap<string, PresentCluster> {
  const known = boundedMap<string, { readonly stored: string; readonly present: PresentCluster | null }>(2_000);

  /** Of a cluster in which nothing happens the record is the same from moment to moment. */
  function decoded(name: string, stored: string): PresentCluster | null {
    const found = known.get(name);
    if (found?.stored === stored) return found.present;
    const cluster = decodeCluster(stored);
    const present = cluster === null ? null : presentCluster(cluster);
    known.set(name, { stored, present });
    return present;
  }

  return (scope) => {
    const { sql, parameters } = ofClusters(scope, 'c.id');
    const statement = scopes.statement(
      `SELECT s.name, c.record FROM cluster c JOIN fact_source s ON s.id = c.id WHERE ${sql} AND c.record IS NOT NULL`,
    );
    return new Map(
      allRows(statement, ...parameters).flatMap(([name, record]) => {
        const cluster = decoded(text(name), text(record));
        return cluster === null ? [] : [[text(name), cluster]];
      }),
    );
  };
}
