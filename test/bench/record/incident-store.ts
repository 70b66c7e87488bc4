import type { DatabaseSync } from 'node:sqlite';
import type { Fault } from '#lib/domain/incident/fault.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import { causeKey } from '#lib/domain/cause/cause.ts';
import { day, hour, minute } from '#lib/domain/time/length.ts';
import { encodeFault } from '#server/store/codec/fault-text.ts';
import { randomOf } from '#test/contract/random-history.ts';

/** Size of what is written. Times in ms since the epoch. */
export interface BulkIncidents {
  readonly incidents: number;
  readonly from: number;
  readonly to: number;
  /** Objects by their ids, those of one cluster behind one another. */
  readonly objects: readonly { readonly object: number; readonly cluster: number }[];
  readonly onEach: number;
}

/** The id in the address of the incident with most members. */
export const largestIncident = 'largest';

const worst: readonly Verdict[] = ['diverged', 'unhealthy', 'stale', 'drifted', 'behind'];

/**
 * Writes incidents as rows of the engine's own tables, evenly over a time: most of one object, some of what one controller leaves
 * behind, one of 1,000 objects. A few last for days, or still.
 */
export function writeBulkIncidents(database: DatabaseSync, options: BulkIncidents): void {
  const { incidents, from, to } = options;
  const random = randomOf(14);
  const write = openRows(database);
  const word = wordsIn(database);
  const below = (count: number): number => Math.floor(random() * count);

  function put(number: number, members: readonly Place[], id: string): void {
    const at = Math.floor(from + ((to - from) * number) / incidents) + below(minute);
    const lasts = random() < 0.01 ? day + below(5 * day) : 2 * minute + below(2 * hour);
    const over = at + lasts < to ? at + lasts : null;
    const verdict = worst[below(worst.length)] ?? 'diverged';
    const opened = at - below(30_000);
    write({ id, opened, at, over, verdict, members, alone: members.length === 1, ...word });
  }

  for (let number = 0; number < incidents; number++) put(number, placesOf(options, random), `bulk${number}`);
  put(incidents / 2, options.objects.slice(0, 1_000), largestIncident);
}

type Place = BulkIncidents['objects'][number];

function placesOf({ objects, onEach }: BulkIncidents, random: () => number): readonly Place[] {
  const first = Math.floor(random() * (objects.length / onEach)) * onEach;
  const roll = random();
  const count = roll < 0.85 ? 1 : roll < 0.98 ? 2 + Math.floor(random() * 8) : Math.floor(onEach / 2);
  const start = first + Math.floor(random() * (onEach - count));
  return objects.slice(start, start + count);
}

/** Gives the id of a text, written once. */
function wordsIn(database: DatabaseSync): { readonly text: (text: string) => number } {
  const add = database.prepare('INSERT INTO text (text) VALUES (?)');
  const known = new Map<string, number>();
  return {
    text(text) {
      const id = known.get(text) ?? Number(add.run(text).lastInsertRowid);
      known.set(text, id);
      return id;
    },
  };
}

interface Bulk {
  readonly id: string;
  readonly opened: number;
  readonly at: number;
  readonly over: number | null;
  readonly verdict: Verdict;
  readonly members: readonly Place[];
  readonly alone: boolean;
  readonly text: (text: string) => number;
}

function openRows(database: DatabaseSync): (bulk: Bulk) => void {
  const incident = insertInto(database, 'incident', [
    ...[
      'public_id',
      'cause',
      'cause_type',
      'opened_at',
      'bound',
      'noticed_at',
      'closed_at',
      'ended',
      'worst',
      'reason',
    ],
    ...['returns', 'open', 'objects', 'clusters', 'most_objects', 'most_clusters', 'members', 'object_time'],
    ...['changed_at', 'grown_at', 'left_at'],
  ]);
  const step = insertInto(database, 'incident_step', [
    ...['incident', 'type', 'at', 'cause', 'worst', 'reason', 'opened_at', 'bound', 'noticed_at', 'closed_at', 'ended'],
    ...['returns', 'objects', 'clusters', 'most_objects', 'most_clusters', 'members', 'object_time'],
  ]);
  const member = insertInto(database, 'incident_member', [
    ...['incident', 'subject', 'cluster', 'object', 'objects', 'from_at', 'bound', 'noticed_at', 'joined_at', 'to_at'],
    ...['ended', 'own', 'hash', 'fault', 'fault_at'],
  ]);
  const cluster = insertInto(database, 'incident_cluster', ['incident', 'cluster', 'open', 'joined_at']);
  let subject = 0;

  return ({ id, opened, at, over, verdict, members, alone, text }) => {
    const [first] = members;
    if (first === undefined) return;
    const fault = faultOn(first, verdict, alone);
    const [cause, reason, said] = [text(JSON.stringify(fault.cause)), text(fault.reason), text(encodeFault(fault))];
    const count = members.length;
    const clusters = new Set(members.map((one) => one.cluster));
    const bound = count % 7 === 0 ? 'at-least' : 'exact';
    const ended = over === null ? null : 'converged';
    const end = over ?? at;
    const still = over === null ? [count, clusters.size] : [0, 0];
    const most = [count, clusters.size, count];
    const begun = [opened, bound, at];
    const row = Number(
      incident(
        ...[id, cause, fault.cause.type, ...begun, over, ended, verdict, reason, 0, over === null ? count : 0],
        ...[...still, ...most, count * (end - at), end, at, end],
      ),
    );
    const stands = [cause, verdict, reason, ...begun];
    step(row, 'opened', at, ...stands, null, null, 0, count, clusters.size, ...most, 0);
    if (over !== null) step(row, 'closed', over, ...stands, over, ended, 0, 0, 0, ...most, count * (over - at));
    for (const one of members)
      member(
        ...[row, ++subject, one.cluster, one.object, 1, opened, bound, at, at, over, ended],
        ...[alone ? 1 : 0, 0, said, at],
      );
    for (const on of clusters) cluster(row, on, over === null ? 1 : 0, at);
  };
}

function faultOn({ cluster, object }: Place, verdict: Verdict, own: boolean): Fault {
  const name = `cluster-${cluster}`;
  const ref = {
    cluster: name,
    group: 'kustomize.toolkit.fluxcd.io',
    kind: 'Kustomization',
    namespace: 'apps',
    name: `object-${object % 60}`,
  };
  const cause: Cause = own
    ? { type: 'object', ref }
    : { type: 'controller', cluster: name, namespace: 'flux-system', name: 'kustomize-controller' };
  return { verdict, reason: 'BuildFailed', cause, own, opens: true, keys: [causeKey(cause)], range: null };
}

type Value = string | number | null;

function insertInto(
  database: DatabaseSync,
  table: string,
  columns: readonly string[],
): (...values: readonly Value[]) => number | bigint {
  const values = columns.map(() => '?').join(', ');
  const statement = database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values})`);
  return (...row) => statement.run(...row).lastInsertRowid;
}
