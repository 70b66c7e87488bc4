import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { CoveragePoint } from '#lib/domain/record/gap.ts';
import { pastSentence } from '#lib/domain/record/past-sentence.ts';
import { boundedMap, boundedMemo } from '../../../../runtime/bounded-map.ts';
import { decodeCause, decodeCluster } from '../../../codec/decode.ts';
import { decodeRange } from '../../../codec/range-text.ts';
import {
  noRevision,
  noTraits,
  pastCluster,
  pastObject,
  presentCluster,
  type KindCount,
  type PresentCluster,
} from '../../../record/past-fleet.ts';
import type { PastFleet, RecordScope } from '../../../port/record-port.ts';
import type { SnapshotSpan } from '../../../codec/snapshot-block.ts';
import { boundOf, decodeTraits, verdictOf, type Traits } from '../../../codec/traits.ts';
import { allRows, firstRow, text, textOrNull, whole, wholeOrNull, type Row } from '../../rows/cells.ts';
import { notKept } from '../../housekeeping/old-messages.ts';
import type { IncidentReader } from './record-incidents.ts';
import { ofClusters, type ScopeIds, type Scopes } from './record-scope.ts';
import { openIdentities, settledSentence, type Identity } from '../past-identities.ts';
import { openSnapshotReader } from '../snapshot-reader.ts';

const remembered = 100_000;

/** How many objects there are, by cluster and by the id of their group/kind. */
type Counts = Map<string, Map<number, number>>;

/** The state word of a cluster that was not configured any more. */
const forgotten = 'forgotten';

/** Past moments over an open database; `textOf` gives the text of an id. */
export function openRecordState(
  scopes: Scopes,
  incidents: IncidentReader,
  textOf: (id: number) => string,
): (at: number, scope: RecordScope) => PastFleet {
  const traits = boundedMemo(remembered, (id: number) => decodeTraits(textOf(id)));
  const revisions = boundedMemo(remembered, (id: number) => revisionOf(textOf(id)));
  const identities = openIdentities(scopes, textOf);
  const ranges = boundedMemo(remembered, (id: number) => decodeRange(textOf(id)));
  const causes = boundedMemo(remembered, (id: number) => ({ cause: decodeCause(textOf(id)) }));
  const presents = boundedMap<string, { readonly stored: string; readonly present: PresentCluster | null }>(2_000);
  const standing = openSnapshotReader(scopes);
  const readUntold = scopes.statement('SELECT to_verdict, bound, reason FROM transition WHERE id = ?');
  const readUid = scopes.statement('SELECT uid FROM transition WHERE id = ?');
  const readEmptied = scopes.statement(`SELECT place FROM keeping WHERE work = 'messages'`);

  /** Of a row that was written before traits were kept. */
  function untold(id: number): Pick<Traits, 'verdict' | 'onsetBound' | 'reason'> {
    const row = firstRow(readUntold, id);
    if (row === null) throw new Error(`the store has no transition ${id}`);
    return {
      verdict: verdictOf(text(row[0])) ?? 'unobserved',
      onsetBound: boundOf(text(row[1])),
      reason: textOf(whole(row[2])),
    };
  }

  function uidOf({ uid, since }: Identity, { id, noticedAt }: SnapshotSpan): string {
    return uid !== null && noticedAt >= since ? uid : text(firstRow(readUid, id)?.[0]);
  }

  function objectsAt(at: number, scope: ScopeIds, counts: Counts): readonly CurrentObject[] {
    const away = incidents.within(scope, { from: at, to: at + 1 });
    const emptied = wholeOrNull(firstRow(readEmptied)?.[0] ?? null) ?? 0;
    const told: CurrentObject[] = [];
    // They come cluster by cluster, mostly.
    let [cluster, kinds] = ['', new Map<number, number>()];
    function tell(row: SnapshotSpan): void {
      const { object } = row;
      const identity = identities.of(object);
      const { ref, place, kind } = identity;
      if (ref.cluster !== cluster) {
        ({ cluster } = ref);
        kinds = counts.get(cluster) ?? new Map<number, number>();
        counts.set(cluster, kinds);
      }
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      const kept = row.traits === null ? null : traits(row.traits);
      const { verdict, onsetBound, reason } = kept ?? untold(row.id);
      const common = kept ?? noTraits;
      const revision = row.attempted === null ? noRevision : revisions(row.attempted);
      const rootCause = row.rootCause === null ? null : causes(row.rootCause).cause;
      const known = away.get(object)?.[0];
      const incident =
        known === undefined ? null : { ...known, range: known.range === null ? null : ranges(known.range) };
      const span = {
        ref,
        uid: uidOf(identity, row),
        verdict,
        onset: { time: row.at, bound: onsetBound, noticedAt: row.noticedAt },
        reason,
        message: row.message === notKept || row.id <= emptied ? null : textOf(row.message),
        commit: row.commit === null ? null : textOf(row.commit),
        revision,
        rootCause,
      };
      const sentence =
        verdict === 'converged'
          ? settledSentence(identity, common)
          : pastSentence({ ...span, role: common.role, drift: common.drift });
      told.push(pastObject(span, common, place, incident, sentence));
    }
    identities.during(() => standing(at, scope, tell));
    return told;
  }

  /** The last state of the clusters of a scope and of each of their kinds at a moment. */
  function pointsAt(at: number, scope: ScopeIds): ReadonlyMap<string, readonly CoveragePoint[]> {
    const { sql, parameters } = ofClusters(scope, 'cluster');
    const statement = scopes.statement(
      `SELECT l.cluster, l.kind, l.at, l.observed, l.state, l.reason
       FROM (SELECT cluster, kind, MAX(at) AS at FROM coverage WHERE ${sql} AND at <= ? GROUP BY cluster, kind) last
       CROSS JOIN coverage l ON l.cluster = last.cluster AND l.at = last.at AND l.kind = last.kind ORDER BY l.cluster, l.kind, l.id`,
    );
    const points = new Map<string, CoveragePoint[]>();
    let [cluster, kind] = [0, -1];
    for (const row of allRows(statement, ...parameters, at)) {
      const name = scopes.clusterName(whole(row[0]));
      const of = points.get(name) ?? [];
      points.set(name, of);
      // Of two of one moment the one that was written last.
      if (whole(row[0]) === cluster && whole(row[1]) === kind) of.pop();
      [cluster, kind] = [whole(row[0]), whole(row[1])];
      of.push(pointOf(row));
    }
    return points;
  }

  function pointOf(row: Row): CoveragePoint {
    const kind = whole(row[1]);
    return {
      kind: kind === 0 ? null : scopes.kindOf(kind),
      at: whole(row[2]),
      observed: row[3] === 1,
      state: text(row[4]),
      reason: textOrNull(row[5]),
    };
  }

  /** Of a cluster in which nothing happens the record is the same from moment to moment. */
  function decoded(name: string, stored: string): PresentCluster | null {
    const known = presents.get(name);
    if (known?.stored === stored) return known.present;
    const cluster = decodeCluster(stored);
    const present = cluster === null ? null : presentCluster(cluster);
    presents.set(name, { stored, present });
    return present;
  }

  function presentOf(scope: ScopeIds): ReadonlyMap<string, PresentCluster> {
    const { sql, parameters } = ofClusters(scope, 'id');
    const rows = allRows(
      scopes.statement(`SELECT name, record FROM cluster WHERE ${sql} AND record IS NOT NULL`),
      ...parameters,
    );
    return new Map(
      rows.flatMap(([name, record]) => {
        const cluster = decoded(text(name), text(record));
        return cluster === null ? [] : [[text(name), cluster]];
      }),
    );
  }

  return (at, scope) => {
    const ids = scopes.resolve(scope);
    if (ids === null) return { clusters: [], objects: [] };
    const counts: Counts = new Map();
    const objects = objectsAt(at, ids, counts);
    const points = pointsAt(at, ids);
    const present = presentOf(ids);
    const kindsOf = (name: string): readonly KindCount[] =>
      [...(counts.get(name) ?? [])].map(([id, held]) => ({
        name: scopes.nameOf(id),
        ...scopes.kindOf(id),
        objects: held,
      }));
    const clusters = [...new Set([...points.keys(), ...counts.keys()])]
      .filter((name) => !points.get(name)?.some(({ kind, state }) => kind === null && state === forgotten))
      .toSorted()
      .map((name) => pastCluster(name, at, points.get(name) ?? [], kindsOf(name), present.get(name) ?? null));
    return { clusters, objects };
  };
}

function revisionOf(attempted: string): CurrentObject['revision'] {
  return { ...noRevision, attempted };
}
