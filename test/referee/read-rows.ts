// The record as its rows are in the SQLite file, read with SQL of its own. It relies on the columns that are named here, and on:
// a row of `transition` lasts from `noticed_at` to `until` (NULL: it lasts; to_verdict '': a removal, which is no time);
// `name` holds kinds as "group/kind" and namespaces, `text` what repeats; a row of `coverage` holds until the next one of its kind
// (kind 0: of the whole cluster); `change.fact` is JSON with its `type`. What is rolled up is never read.
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { Cause, type CoverageRow, type ObjectRows, type RecordRows, type RowRef } from './rows.ts';

const lasting = z
  .number()
  .nullable()
  .transform((time) => time ?? Infinity);
const causeText = z
  .string()
  .nullable()
  .transform((text) => (text === null ? null : Cause.parse(JSON.parse(text))));
const ofObject = { id: z.number(), object: z.number() };

const shapes = {
  objects: z.object({ id: z.number(), cluster: z.string(), kind: z.string(), namespace: z.string(), name: z.string() }),
  transitions: z.object({
    ...ofObject,
    uid: z.string(),
    noticed_at: z.number(),
    until: lasting,
    at: z.number(),
    bound: z.string(),
    from_verdict: z.string(),
    to_verdict: z.string(),
    reason: z.string(),
    commit_text: z.string().nullable(),
    cause_text: causeText,
  }),
  incidents: z.object({
    ...ofObject,
    uid: z.string(),
    opened_at: z.number(),
    bound: z.string(),
    noticed_at: z.number(),
    closed_at: lasting,
    ended: z.string().nullable(),
    worst: z.string(),
    reason: z.string(),
    cause_text: causeText,
  }),
  coverage: z.object({
    cluster: z.string(),
    kind: z.string().nullable(),
    at: z.number(),
    observed: z.number(),
    why: z.string(),
  }),
  clusters: z.object({ name: z.string(), record: z.string().nullable() }),
  corrections: z.object({ ...ofObject, at: z.number(), certainty: z.string(), count: z.number() }),
  changes: z.object({
    ...ofObject,
    cluster: z.string(),
    at: z.number(),
    noticed_at: z.number(),
    fact: z.string(),
  }),
  arrivals: z.object({
    cluster: z.string(),
    commit_hash: z.string(),
    offered_at: z.number().nullable(),
    last_at: z.number().nullable(),
  }),
} as const;

const questions: Readonly<Record<keyof typeof shapes, string>> = {
  objects: `SELECT o.id, c.name AS cluster, k.text AS kind, n.text AS namespace, o.name FROM object o
    JOIN fact_source c ON c.id = o.cluster JOIN name k ON k.id = o.kind JOIN name n ON n.id = o.namespace`,
  transitions: `SELECT t.id, t.object, t.uid, t.noticed_at, t.until, t.at, t.bound, t.from_verdict, t.to_verdict, r.text AS reason,
    m.text AS commit_text, x.text AS cause_text FROM transition t JOIN text r ON r.id = t.reason
    LEFT JOIN text m ON m.id = t.commit_id LEFT JOIN text x ON x.id = t.root_cause ORDER BY t.object, t.id`,
  incidents: `SELECT i.id, i.object, i.uid, i.opened_at, i.bound, i.noticed_at, i.closed_at, i.ended, i.worst, r.text AS reason,
    x.text AS cause_text FROM incident i JOIN text r ON r.id = i.reason LEFT JOIN text x ON x.id = i.root_cause ORDER BY i.object, i.noticed_at, i.id`,
  coverage: `SELECT c.name AS cluster, k.text AS kind, v.at, v.observed,
    COALESCE(v.reason, v.state) AS why FROM coverage v JOIN fact_source c ON c.id = v.cluster
    LEFT JOIN name k ON k.id = v.kind ORDER BY v.cluster, v.at, v.id`,
  clusters: 'SELECT s.name, c.record FROM cluster c JOIN fact_source s ON s.id = c.id',
  corrections: 'SELECT id, object, at, certainty, count FROM correction ORDER BY at, id',
  changes: `SELECT h.id, h.object, c.name AS cluster, h.at, h.noticed_at, x.text AS fact FROM change h
    JOIN fact_source c ON c.id = h.cluster JOIN text x ON x.id = h.fact ORDER BY h.noticed_at, h.id`,
  arrivals: `SELECT c.name AS cluster, a.commit_hash, a.offered_at, a.last_at FROM arrival a JOIN fact_source c ON c.id = a.cluster`,
};

const Labels = z.object({ labels: z.record(z.string(), z.string()) });
const Fact = z.object({ type: z.string(), by: z.string().nullish() });

function refOf({ cluster, kind, namespace, name }: z.infer<typeof shapes.objects>): RowRef {
  const slash = kind.indexOf('/');
  return { cluster, group: kind.slice(0, slash), kind: kind.slice(slash + 1), namespace, name };
}

/** Reads all rows of the store at `path`, which may be open elsewhere. */
export function readRows(path: string): RecordRows {
  const database = new DatabaseSync(path, { readOnly: true });
  function rows<Name extends keyof typeof shapes>(name: Name): unknown[] {
    return database.prepare(questions[name]).all();
  }
  const refs = new Map(
    shapes.objects
      .array()
      .parse(rows('objects'))
      .map((row) => [row.id, refOf(row)]),
  );
  const named = (id: number): RowRef => {
    const ref = refs.get(id);
    if (ref === undefined) throw new Error(`a row is of object ${id}, which is not there`);
    return ref;
  };
  const transitions = shapes.transitions.array().parse(rows('transitions'));
  const incidents = shapes.incidents.array().parse(rows('incidents'));
  const clusters = shapes.clusters.array().parse(rows('clusters'));
  const found: RecordRows = {
    labels: new Map(
      clusters.map(({ name, record }) => [name, record === null ? {} : Labels.parse(JSON.parse(record)).labels]),
    ),
    objects: objectsOf(refs, transitions, incidents),
    coverage: coverageOf(shapes.coverage.array().parse(rows('coverage'))),
    transitions: transitions.map(({ object, noticed_at, from_verdict, to_verdict }) => ({
      ref: named(object),
      noticedAt: noticed_at,
      from: from_verdict,
      to: to_verdict,
    })),
    corrections: shapes.corrections
      .array()
      .parse(rows('corrections'))
      .map(({ object, at, certainty, count }) => ({ ref: named(object), at, certainty, count })),
    changes: shapes.changes
      .array()
      .parse(rows('changes'))
      .map(({ object, cluster, at, noticed_at, fact }) => {
        const { type, by } = Fact.parse(JSON.parse(fact));
        return { cluster, ref: object === 0 ? null : named(object), at, noticedAt: noticed_at, type, by: by ?? null };
      }),
    arrivals: shapes.arrivals
      .array()
      .parse(rows('arrivals'))
      .map(({ cluster, commit_hash, offered_at, last_at }) => ({
        cluster,
        commit: commit_hash,
        offeredAt: offered_at,
        lastAt: last_at,
      })),
  };
  database.close();
  return found;
}

function objectsOf(
  refs: ReadonlyMap<number, RowRef>,
  transitions: readonly z.infer<typeof shapes.transitions>[],
  incidents: readonly z.infer<typeof shapes.incidents>[],
): readonly ObjectRows[] {
  const spans = Map.groupBy(transitions, ({ object }) => object);
  const away = Map.groupBy(incidents, ({ object }) => object);
  return [...refs].map(([id, ref]) => ({
    id,
    ref,
    spans: (spans.get(id) ?? [])
      .filter(({ to_verdict }) => to_verdict !== '')
      .map((row) => ({
        id: row.id,
        uid: row.uid,
        verdict: row.to_verdict,
        from: row.noticed_at,
        to: row.until,
        onsetAt: row.at,
        bound: row.bound,
        reason: row.reason,
        commit: row.commit_text,
        cause: row.cause_text,
      })),
    incidents: (away.get(id) ?? []).map((row) => ({
      id: row.id,
      object: id,
      uid: row.uid,
      openedAt: row.opened_at,
      bound: row.bound,
      noticedAt: row.noticed_at,
      closedAt: row.closed_at,
      ended: row.ended,
      worst: row.worst,
      reason: row.reason,
      cause: row.cause_text,
    })),
  }));
}

function coverageOf(rows: readonly z.infer<typeof shapes.coverage>[]): ReadonlyMap<string, readonly CoverageRow[]> {
  const points = rows.map(({ cluster, kind, at, observed, why }) => ({
    cluster,
    kind,
    at,
    why,
    observed: observed === 1,
  }));
  return Map.groupBy(points, ({ cluster }) => cluster);
}
