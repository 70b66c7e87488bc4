import type { CurrentCluster, CurrentObject } from '#lib/domain/current.ts';
import type { CoveragePoint } from '#lib/domain/gap.ts';
import { parseRefKey, type ObjectRef } from '#lib/domain/ref.ts';
import { boundedMap } from '../bounded-map.ts';
import { decodeCause, decodeCluster } from '../decode.ts';
import { noTraits, pastCluster, pastObject, type PastSpan, type Place } from '../past-fleet.ts';
import type { PastFleet, RecordScope } from '../record-port.ts';
import type { StandingSpan } from '../standing-block.ts';
import { boundOf, decodeTraits, verdictOf, type Traits } from '../traits.ts';
import { allRows, firstRow, text, textOrNull, whole, wholeOrNull, type Cell, type Row } from './cells.ts';
import { notKept } from './keeping/old-messages.ts';
import type { IncidentReader } from './record-incidents.ts';
import { ofClusters, type ScopeIds, type Scopes } from './record-scope.ts';
import { openStandingReader } from './standing-reader.ts';
import { groupAndKind } from './state-reader.ts';

const remembered = 100_000;

/** What of an object is the same for long. */
interface Identity {
  readonly ref: ObjectRef;
  /** group/kind */
  readonly kind: string;
  /** null while it is gone. */
  readonly uid: string | null;
  /** When the last removal under its name was noticed (ms), 0 for none: what was noticed before had another uid. */
  readonly since: number;
  readonly place: Place;
}

/** How many objects of a kind there are. */
interface Counted {
  readonly group: string;
  readonly kind: string;
  objects: number;
}

/** How many objects there are, by cluster and group/kind. */
type Counts = Map<string, Map<string, Counted>>;

/** The state word of a cluster that was not configured any more. */
const forgotten = 'forgotten';

/** Past moments over an open database; `nameOf` and `textOf` give the words of ids. */
export function openRecordState(
  scopes: Scopes,
  incidents: IncidentReader,
  nameOf: (id: number) => string,
  textOf: (id: number) => string,
): (at: number, scope: RecordScope) => PastFleet {
  const traits = remember<Traits>(decodeTraits);
  let identities = boundedMap<number, Identity>(remembered);
  /** How far each cluster was written when identities of it were read. */
  const heads = new Map<number, number>();
  let storeRead = '';
  const readStore = scopes.statement('SELECT id FROM store');
  const readHeads = scopes.statement('SELECT cluster, seq FROM head');
  const readWritten = scopes.statement('SELECT id FROM object WHERE cluster = ? AND seq > ?');
  const presents = boundedMap<string, { readonly stored: string; readonly cluster: CurrentCluster | null }>(2_000);
  const standing = openStandingReader(scopes);
  const readIdentity = scopes.statement(
    `SELECT uid, source, delivered_by, path, repository,
       (SELECT MAX(noticed_at) FROM transition g INDEXED BY transition_gone WHERE g.object = o.id AND g.to_verdict = '')
     FROM object o WHERE id = ?`,
  );
  const refs = remember<{ readonly ref: ObjectRef | null }>((stored) => ({ ref: parseRefKey(stored) }));

  function remember<T>(decode: (stored: string) => T): (id: number) => T {
    const known = boundedMap<number, T>(remembered);
    return (id) => {
      let found = known.get(id);
      if (found === undefined) known.set(id, (found = decode(textOf(id))));
      return found;
    };
  }

  const readUntold = scopes.statement('SELECT to_verdict, bound, reason FROM transition WHERE id = ?');
  const readUid = scopes.statement('SELECT uid FROM transition WHERE id = ?');
  const readEmptied = scopes.statement(`SELECT place FROM keeping WHERE work = 'messages'`);

  function textIn(cell: Cell): string | null {
    return cell === null ? null : textOf(whole(cell));
  }

  function refIn(cell: Cell): ObjectRef | null {
    return cell === null ? null : refs(whole(cell)).ref;
  }

  /** Forgets what was written since it was read. A store that was purged is another one, in which an id may name something else. */
  function forgetWritten(): void {
    const store = text(firstRow(readStore)?.[0]);
    if (store !== storeRead) {
      identities = boundedMap(remembered);
      heads.clear();
      storeRead = store;
    }
    for (const [cluster, seq] of allRows(readHeads)) {
      const before = heads.get(whole(cluster));
      if (before === whole(seq)) continue;
      heads.set(whole(cluster), whole(seq));
      if (before === undefined) continue;
      for (const row of allRows(readWritten, whole(cluster), before)) identities.delete(whole(row[0]));
    }
  }

  /** An object's name and place as they were when its row was last written: most are the same at the next moment that is asked for. */
  function identityOf(object: number): Identity {
    const known = identities.get(object);
    if (known !== undefined) return known;
    const now = firstRow(readIdentity, object);
    if (now === null) throw new Error(`the store has no object ${object}`);
    const ref = scopes.refOf(object);
    const made: Identity = {
      ref,
      kind: `${ref.group}/${ref.kind}`,
      uid: textOrNull(now[0]),
      since: wholeOrNull(now[5]) ?? 0,
      place: { source: refIn(now[1]), deliveredBy: refIn(now[2]), path: textIn(now[3]), repository: textIn(now[4]) },
    };
    identities.set(object, made);
    return made;
  }

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

  function uidOf({ uid, since }: Identity, { id, noticedAt }: StandingSpan): string {
    return uid !== null && noticedAt >= since ? uid : text(firstRow(readUid, id)?.[0]);
  }

  function count({ ref, kind }: Identity, counts: Counts): void {
    let kinds = counts.get(ref.cluster);
    if (kinds === undefined) counts.set(ref.cluster, (kinds = new Map()));
    const counted = kinds.get(kind);
    if (counted === undefined) kinds.set(kind, { group: ref.group, kind: ref.kind, objects: 1 });
    else counted.objects += 1;
  }

  function objectsAt(at: number, scope: ScopeIds, counts: Counts): readonly CurrentObject[] {
    const away = incidents.within(scope, { from: at, to: at + 1 });
    const emptied = wholeOrNull(firstRow(readEmptied)?.[0] ?? null) ?? 0;
    const told: CurrentObject[] = [];
    // One for all: nobody keeps it.
    const span: { -readonly [K in keyof PastSpan]: PastSpan[K] } = {
      ref: { cluster: '', group: '', kind: '', namespace: '', name: '' },
      uid: '',
      verdict: 'unobserved',
      onset: { time: 0, bound: 'exact', noticedAt: 0 },
      reason: '',
      message: null,
      commit: null,
      attempted: null,
      rootCause: null,
    };
    forgetWritten();
    standing(at, scope, (row) => {
      const { object } = row;
      const identity = identityOf(object);
      const known = row.traits === null ? null : traits(row.traits);
      const { verdict, onsetBound, reason } = known ?? untold(row.id);
      const cause = textIn(row.rootCause);
      span.ref = identity.ref;
      span.uid = uidOf(identity, row);
      span.verdict = verdict;
      span.onset = { time: row.at, bound: onsetBound, noticedAt: row.noticedAt };
      span.reason = reason;
      span.message = row.message === notKept || row.id <= emptied ? null : textOf(row.message);
      span.commit = textIn(row.commit);
      span.attempted = textIn(row.attempted);
      span.rootCause = cause === null ? null : decodeCause(cause);
      const incident = away.get(object)?.[0];
      const since =
        incident === undefined
          ? null
          : { time: incident.openedAt, bound: incident.bound, noticedAt: incident.noticedAt };
      count(identity, counts);
      told.push(pastObject(span, known ?? noTraits, identity.place, since));
    });
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
      kind: kind === 0 ? null : groupAndKind(nameOf(kind)),
      at: whole(row[2]),
      observed: row[3] === 1,
      state: text(row[4]),
      reason: textOrNull(row[5]),
    };
  }

  /** Of a cluster in which nothing happens the record is the same from moment to moment. */
  function decoded(name: string, stored: string): CurrentCluster | null {
    const known = presents.get(name);
    if (known?.stored === stored) return known.cluster;
    const cluster = decodeCluster(stored);
    presents.set(name, { stored, cluster });
    return cluster;
  }

  function presentOf(scope: ScopeIds): ReadonlyMap<string, CurrentCluster> {
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
    const kinds: Counts = new Map();
    const objects = objectsAt(at, ids, kinds);
    const points = pointsAt(at, ids);
    const present = presentOf(ids);
    const clusters = [...new Set([...points.keys(), ...kinds.keys()])]
      .filter((name) => !points.get(name)?.some(({ kind, state }) => kind === null && state === forgotten))
      .toSorted()
      .map((name) =>
        pastCluster(name, at, points.get(name) ?? [], kinds.get(name) ?? new Map(), present.get(name) ?? null),
      );
    return { clusters, objects };
  };
}
