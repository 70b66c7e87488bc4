import type { Role } from '#lib/domain/observation/observation.ts';
import type { Drift } from '#lib/domain/verdict/verdict.ts';
import { pastSentence } from '#lib/domain/record/past-sentence.ts';
import { parseRefKey, type ObjectRef } from '#lib/domain/observation/ref.ts';
import { boundedMemo } from '../../../runtime/bounded-map.ts';
import { noRevision, type LastKnownOrigin } from '../../record/past-object.ts';
import {
  allRows,
  firstWhole,
  oneRow,
  text,
  textOrNull,
  whole,
  wholeOrNull,
  type Cell,
  type Row,
} from '../rows/cells.ts';
import type { Scopes } from './record/record-scope.ts';

/** Part of an object that is the same for long: as it was when its row was last written. */
export interface Identity {
  readonly ref: ObjectRef;
  /** Id of its group/kind. */
  readonly kind: number;
  /** null while it is gone. */
  readonly uid: string | null;
  /** When the last removal under its name was noticed (ms), 0 for none: what was noticed before had another uid. */
  readonly since: number;
  readonly origin: LastKnownOrigin;
  /** Last sentence of it while it was converged; null before. */
  settled: Settled | null;
}

interface Settled {
  readonly role: Role;
  readonly drift: Drift;
  readonly sentence: string;
}

/** Identities by the ids of objects: most are the same at the next moment that is asked for. */
export type Identities = ReturnType<typeof openIdentities>;

/** The sentence of an object that is converged: the same at nearly every moment, and nearly all objects are. */
export function settledSentence(identity: Identity, { role, drift }: Pick<Settled, 'role' | 'drift'>): string {
  const { ref, settled } = identity;
  if (settled?.role === role && settled.drift === drift) return settled.sentence;
  const nothing = { verdict: 'converged', reason: '', rootCause: null, revision: noRevision } as const;
  const sentence = pastSentence({ ref, role, drift, ...nothing });
  identity.settled = { role, drift, sentence };
  return sentence;
}

/** So many are kept from one question to the next, of about 400 bytes each. */
const remembered = 200_000;
const stringsShared = 50_000;

const columns = `o.id, o.cluster, o.kind, o.namespace, o.name, o.uid, o.source, o.delivered_by, o.path, o.repository,
  (SELECT MAX(noticed_at) FROM transition g INDEXED BY transition_gone WHERE g.object = o.id AND g.to_verdict = '')`;

/** Identities over an open database. */
export function openIdentities(scopes: Scopes, most = remembered) {
  const identityOf = openIdentityRows(scopes);
  /** By the ids of objects, of which there are few holes: read three times as quickly as a map. */
  let known: (Identity | undefined)[] = [];
  let count = 0;
  /** Position up to which each cluster was written when its identities were read: those of all that is there at once. */
  const latest = new Map<number, number>();
  let storeRead = '';
  const readStore = scopes.statement('SELECT id FROM store');
  const readSequences = scopes.statement('SELECT id, seq FROM fact_source');
  const readObject = scopes.statement(`SELECT ${columns} FROM object o WHERE id = ?`);
  const readLatest = scopes.statement('SELECT seq FROM fact_source WHERE id = ?');
  const readCluster = scopes.statement(`SELECT ${columns} FROM object o WHERE cluster = ? AND traits IS NOT NULL`);
  const readWritten = scopes.statement('SELECT id FROM object WHERE cluster = ? AND seq > ?');

  function keep(row: Row): Identity {
    const [object, identity] = [whole(row[0]), identityOf(row)];
    while (known.length <= object) known.push(undefined);
    if (known[object] === undefined) count += 1;
    known[object] = identity;
    return identity;
  }

  function forget(object: number): void {
    if (known[object] === undefined) return;
    known[object] = undefined;
    count -= 1;
  }

  function forgetAll(): void {
    known = [];
    count = 0;
    latest.clear();
  }

  function refresh(): void {
    const store = text(oneRow(readStore)[0]);
    // A store that was purged is another one, in which an id may name something else.
    if (store !== storeRead) forgetAll();
    storeRead = store;
    for (const [cluster, seq] of allRows(readSequences)) {
      const before = latest.get(whole(cluster));
      if (before === undefined || before === whole(seq)) continue;
      latest.set(whole(cluster), whole(seq));
      for (const row of allRows(readWritten, whole(cluster), before)) forget(whole(row[0]));
    }
  }

  return {
    /** Answers one question: what was written since the one before is read anew in it, and what is too much is forgotten after it. */
    during(question: () => void): void {
      refresh();
      question();
      if (count > most) forgetAll();
    },
    /** Within a question. */
    of(object: number): Identity {
      const found = known[object];
      if (found !== undefined) return found;
      const row = oneRow(readObject, object);
      const cluster = whole(row[1]);
      if (latest.has(cluster)) return keep(row);
      latest.set(cluster, firstWhole(readLatest, cluster) ?? 0);
      for (const other of allRows(readCluster, cluster)) keep(other);
      return known[object] ?? keep(row);
    },
  };
}

/** Reads an identity from a row of `columns`. */
function openIdentityRows({ textOf, ...scopes }: Scopes): (row: Row) => Identity {
  // Clusters have objects of the same names: one text for all is quicker to compare, and smaller.
  const shared = boundedMemo(stringsShared, (name: string) => name);
  const refs = boundedMemo(stringsShared, (id: number) => ({ ref: parseRefKey(textOf(id)) }));

  function textIn(cell: Cell): string | null {
    return cell === null ? null : textOf(whole(cell));
  }

  function refIn(cell: Cell): ObjectRef | null {
    return cell === null ? null : refs(whole(cell)).ref;
  }

  return (row) => {
    const kind = whole(row[2]);
    const ref: ObjectRef = {
      cluster: scopes.clusterName(whole(row[1])),
      ...scopes.kindOf(kind),
      namespace: scopes.nameOf(whole(row[3])),
      name: shared(text(row[4])),
    };
    return {
      ref,
      kind,
      uid: textOrNull(row[5]),
      since: wholeOrNull(row[10]) ?? 0,
      origin: { source: refIn(row[6]), deliveredBy: refIn(row[7]), path: textIn(row[8]), repository: textIn(row[9]) },
      settled: null,
    };
  };
}
