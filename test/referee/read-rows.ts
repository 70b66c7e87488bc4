// The record as its rows are in the SQLite file, read with SQL of its own. It relies on the columns that are named here, and on:
// a row of `transition` lasts from `noticed_at` to `until` (NULL: it lasts; to_verdict '': a removal, which is no time);
// `name` holds kinds as "group/kind" and namespaces, `text` what repeats; a row of `coverage` holds until the next one of its kind
// (kind 0: of the whole cluster); `change.fact` is JSON with its `type`; a row of `incident_member` is in its incident since `joined_at`,
// with `object` 0 for a cluster. What is rolled up is never read, nor how an incident is now.
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import {
  Cause,
  type CalledName,
  type CoverageRow,
  type IncidentRow,
  type ObjectRows,
  type RecordRows,
  type RowRef,
} from './rows.ts';

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
  absences: z.object({
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
  incidents: z.object({ id: z.number(), public_id: z.string() }),
  steps: z.object({
    incident: z.number(),
    at: z.number(),
    bound: z.string(),
    noticed_at: z.number(),
    ended: z.string().nullable(),
    worst: z.string(),
    reason: z.string(),
    returns: z.number(),
    objects: z.number(),
    most_objects: z.number(),
    most_clusters: z.number(),
    merged_into: z.number().nullable(),
  }),
  members: z.object({
    incident: z.number(),
    object: z.number(),
    cluster: z.string(),
    joined_at: z.number(),
    from_at: z.number(),
    to_at: lasting,
  }),
  arrivals: z.object({
    cluster: z.string(),
    commit_hash: z.string(),
    offered_at: z.number().nullable(),
    last_at: z.number().nullable(),
  }),
  calls: z.object({
    source: z.string(),
    alert: z.string(),
    attributed: z.string().nullable(),
    labels: z.string(),
    from_at: z.number(),
    to_at: lasting,
  }),
  alarmCoverage: z.object({ source: z.string(), at: z.number(), read: z.number(), clusters: z.string() }),
  faults: z.object({ subject: z.number(), at: z.number(), fault: z.string().nullable() }),
} as const;

const questions: Readonly<Record<keyof typeof shapes, string>> = {
  objects: `SELECT o.id, c.name AS cluster, k.text AS kind, n.text AS namespace, o.name FROM object o
    JOIN fact_source c ON c.id = o.cluster JOIN name k ON k.id = o.kind JOIN name n ON n.id = o.namespace`,
  transitions: `SELECT t.id, t.object, t.uid, t.noticed_at, t.until, t.at, t.bound, t.from_verdict, t.to_verdict, r.text AS reason,
    m.text AS commit_text, x.text AS cause_text FROM transition t JOIN text r ON r.id = t.reason
    LEFT JOIN text m ON m.id = t.commit_id LEFT JOIN text x ON x.id = t.root_cause ORDER BY t.object, t.id`,
  absences: `SELECT i.id, i.object, i.uid, i.opened_at, i.bound, i.noticed_at, i.closed_at, i.ended, i.worst, r.text AS reason,
    x.text AS cause_text FROM absence i JOIN text r ON r.id = i.reason LEFT JOIN text x ON x.id = i.root_cause ORDER BY i.object, i.noticed_at, i.id`,
  coverage: `SELECT c.name AS cluster, k.text AS kind, v.at, v.observed,
    COALESCE(v.reason, v.state) AS why FROM coverage v JOIN fact_source c ON c.id = v.cluster
    LEFT JOIN name k ON k.id = v.kind ORDER BY v.cluster, v.at, v.id`,
  clusters: 'SELECT s.name, c.record FROM cluster c JOIN fact_source s ON s.id = c.id',
  corrections: 'SELECT id, object, at, certainty, count FROM correction ORDER BY at, id',
  changes: `SELECT h.id, h.object, c.name AS cluster, h.at, h.noticed_at, x.text AS fact FROM change h
    JOIN fact_source c ON c.id = h.cluster JOIN text x ON x.id = h.fact ORDER BY h.noticed_at, h.id`,
  incidents: 'SELECT id, public_id FROM incident ORDER BY id',
  steps: `SELECT s.incident, s.at, s.bound, s.noticed_at, s.ended, s.worst, r.text AS reason, s.returns, s.objects, s.most_objects,
    s.most_clusters, s.merged_into FROM incident_step s JOIN text r ON r.id = s.reason ORDER BY s.id`,
  members: `SELECT m.incident, m.object, c.name AS cluster, m.joined_at, m.from_at, m.to_at FROM incident_member m
    JOIN fact_source c ON c.id = m.cluster ORDER BY m.id`,
  arrivals: `SELECT c.name AS cluster, a.commit_hash, a.offered_at, a.last_at FROM arrival a JOIN fact_source c ON c.id = a.cluster`,
  calls: `SELECT s.name AS source, c.alert, c.attributed, c.labels, c.from_at, c.to_at FROM alarm_call c
    JOIN fact_source s ON s.id = c.fact_source ORDER BY c.id`,
  alarmCoverage: `SELECT s.name AS source, a.at, a.read, a.clusters FROM alarm_coverage a
    JOIN fact_source s ON s.id = a.fact_source ORDER BY a.at, a.id`,
  faults: `SELECT f.subject, f.at, x.text AS fault FROM fault f LEFT JOIN text x ON x.id = f.fault WHERE f.subject > 0
    ORDER BY f.at, f.id`,
};

const AlertLabels = z.object({
  customresource_group: z.string().default(''),
  customresource_kind: z.string().optional(),
  exported_namespace: z.string().optional(),
  namespace: z.string().default(''),
  name: z.string().optional(),
  deployment: z.string().optional(),
});
const Fault = z.object({ cause: Cause });
const Names = z.array(z.string());

/** The object that the labels of an alert name; a Deployment has a label of its own. */
function namedBy(labels: string): CalledName | null {
  const of = AlertLabels.parse(JSON.parse(labels));
  if (of.deployment !== undefined)
    return { group: 'apps', kind: 'Deployment', namespace: of.namespace, name: of.deployment };
  if (of.customresource_kind === undefined || of.name === undefined) return null;
  return {
    group: of.customresource_group,
    kind: of.customresource_kind,
    namespace: of.exported_namespace ?? '',
    name: of.name,
  };
}

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
  const absences = shapes.absences.array().parse(rows('absences'));
  const clusters = shapes.clusters.array().parse(rows('clusters'));
  const found: RecordRows = {
    labels: new Map(
      clusters.map(({ name, record }) => [name, record === null ? {} : Labels.parse(JSON.parse(record)).labels]),
    ),
    objects: objectsOf(refs, transitions, absences),
    incidents: incidentsOf(
      shapes.incidents.array().parse(rows('incidents')),
      shapes.steps.array().parse(rows('steps')),
      shapes.members
        .array()
        .parse(rows('members'))
        .map((row) => ({ ...row, ref: row.object === 0 ? null : named(row.object) })),
    ),
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
    ...alarmsOf(rows('calls'), rows('alarmCoverage'), rows('faults')),
  };
  database.close();
  return found;
}

/** Calls, when their sources could be read, and why absences were away. */
function alarmsOf(
  calls: unknown[],
  coverage: unknown[],
  faults: unknown[],
): Pick<RecordRows, 'calls' | 'alarmCoverage' | 'faults'> {
  return {
    calls: shapes.calls
      .array()
      .parse(calls)
      .map(({ source, alert, attributed, labels, from_at, to_at }) => {
        return { source, alert, cluster: attributed, names: namedBy(labels), from: from_at, to: to_at };
      }),
    alarmCoverage: shapes.alarmCoverage
      .array()
      .parse(coverage)
      .map(({ source, at, read, clusters }) => {
        return { source, at, read: read === 1, clusters: Names.parse(JSON.parse(clusters)) };
      }),
    faults: Map.groupBy(
      shapes.faults
        .array()
        .parse(faults)
        .map(({ subject, at, fault }) => {
          return { absence: subject, at, cause: fault === null ? null : Fault.parse(JSON.parse(fault)).cause };
        }),
      ({ absence }) => absence,
    ),
  };
}

function objectsOf(
  refs: ReadonlyMap<number, RowRef>,
  transitions: readonly z.infer<typeof shapes.transitions>[],
  absences: readonly z.infer<typeof shapes.absences>[],
): readonly ObjectRows[] {
  const spans = Map.groupBy(transitions, ({ object }) => object);
  const away = Map.groupBy(absences, ({ object }) => object);
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
    absences: (away.get(id) ?? []).map((row) => ({
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

function incidentsOf(
  rows: readonly z.infer<typeof shapes.incidents>[],
  steps: readonly z.infer<typeof shapes.steps>[],
  members: readonly (z.infer<typeof shapes.members> & { readonly ref: RowRef | null })[],
): readonly IncidentRow[] {
  const [stepsOf, membersOf] = [
    Map.groupBy(steps, ({ incident }) => incident),
    Map.groupBy(members, ({ incident }) => incident),
  ];
  return rows.map(({ id, public_id }) => ({
    id,
    publicId: public_id,
    steps: (stepsOf.get(id) ?? []).map(({ noticed_at, most_objects, most_clusters, merged_into, ...step }) => ({
      ...step,
      noticedAt: noticed_at,
      mostObjects: most_objects,
      mostClusters: most_clusters,
      mergedInto: merged_into,
    })),
    members: (membersOf.get(id) ?? []).map(({ ref, cluster, joined_at, from_at, to_at }) => ({
      ref,
      cluster,
      joinedAt: joined_at,
      from: from_at,
      to: to_at,
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
