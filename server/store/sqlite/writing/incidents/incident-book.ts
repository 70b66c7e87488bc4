import type { DatabaseSync } from 'node:sqlite';
import type { IncidentBook, IncidentState, IncidentStep } from '../../../record/incident/book.ts';
import { isOneStep } from '../../../record/incident/incident-steps.ts';
import { prepare } from '../../database.ts';
import { firstWhole, oneRow } from '../../rows/cells.ts';
import type { Dictionary } from '../../rows/dictionary.ts';
import { openClusterCounts, openKeyCounts } from './counted.ts';
import type { openPendingFaults } from './fault-rows.ts';
import type { FaultTexts } from './fault-texts.ts';
import { stateColumns, stateOf, stateValues, stepColumns, stepValues } from './incident-rows.ts';
import { openMembers } from './member-rows.ts';

/** Parts that a book is made of. */
interface BookParts {
  readonly dictionary: Dictionary;
  readonly texts: FaultTexts;
  readonly pending: ReturnType<typeof openPendingFaults>;
  readonly hashOf: (key: string) => number;
}

/** A book over the tables of incidents. */
export interface StoredBook extends IncidentBook {
  /** A batch begins: what was kept of one before, which may have been rolled back, is forgotten. */
  begin(): void;
  /** Writes how the incidents of the batch stand, once each, and their steps. */
  flush(): void;
}

/** Opens the book over an open database. Call it within a transaction only, from `begin` to `flush`. */
export function openIncidentBook(database: DatabaseSync, parts: BookParts): StoredBook {
  const { dictionary, texts, pending, hashOf } = parts;
  const states = openStates(database, parts);
  const steps = openSteps(database, dictionary);
  const keys = openKeyCounts(database);
  const clusters = openClusterCounts(database);
  const { handOver, ...members } = openMembers(database, texts, hashOf);

  function begin(): void {
    for (const part of [states, steps, keys, clusters, texts]) part.begin();
  }

  return {
    begin,
    flush() {
      for (const part of [states, steps, keys, clusters]) part.flush();
      begin();
    },
    incident: states.incident,
    hasId: states.hasId,
    addIncident: states.addIncident,
    putIncident: states.putIncident,
    holders: (key) => keys.holders(hashOf(key)).map(states.incident),
    holds: (row, key) => keys.holds(row, hashOf(key)),
    hold: (row, key) => keys.add(row, hashOf(key), 1),
    release: (row, key) => keys.add(row, hashOf(key), -1),
    ...members,
    shift: clusters.shift,
    handOver(from, into, at) {
      keys.handOver(from, into);
      const count = clusters.handOver(from, into, at);
      return { members: handOver(from, into, at), clusters: count };
    },
    addStep: steps.add,
    putPending: pending.putPending,
    dropPending: pending.dropPending,
    pendingBeneath: pending.pendingBeneath,
  };
}

/** Incidents as they stand, each read and written once a batch. */
function openStates(database: DatabaseSync, { dictionary, texts }: BookParts) {
  const read = prepare(database, `SELECT ${stateColumns.join(', ')} FROM incident WHERE id = ?`);
  const has = prepare(database, 'SELECT 1 FROM incident WHERE public_id = ?');
  const lastRow = prepare(database, "SELECT seq FROM sqlite_sequence WHERE name = 'incident'");
  const taken = stateColumns.slice(2).map((column) => `${column} = excluded.${column}`);
  const write = database.prepare(
    `INSERT INTO incident (${stateColumns.join(', ')}) VALUES (${stateColumns.map(() => '?').join(', ')})
     ON CONFLICT (id) DO UPDATE SET ${taken.join(', ')}`,
  );
  let states = new Map<number, IncidentState>();
  let changed = new Set<number>();
  let ids = new Set<string>();
  let nextRow: number | null = null;

  function incident(row: number): IncidentState {
    const known = states.get(row);
    if (known !== undefined) return known;
    const found = stateOf(oneRow(read, row), texts.textOf);
    states.set(row, found);
    return found;
  }

  function putIncident(state: IncidentState): void {
    states.set(state.row, state);
    changed.add(state.row);
  }

  return {
    incident,
    putIncident,
    hasId: (id: string): boolean => ids.has(id) || firstWhole(has, id) !== null,
    addIncident(state: Omit<IncidentState, 'row'>): IncidentState {
      nextRow ??= (firstWhole(lastRow) ?? 0) + 1;
      const added = { ...state, row: nextRow++ };
      ids.add(added.id);
      putIncident(added);
      return added;
    },
    begin(): void {
      states = new Map();
      changed = new Set();
      ids = new Set();
      nextRow = null;
    },
    flush(): void {
      for (const row of changed) write.run(...stateValues(incident(row), dictionary));
    },
  };
}

/** Steps of a batch, in their order. */
function openSteps(database: DatabaseSync, dictionary: Dictionary) {
  const write = database.prepare(
    `INSERT INTO incident_step (${stepColumns.join(', ')}) VALUES (${stepColumns.map(() => '?').join(', ')})`,
  );
  let steps: IncidentStep[] = [];
  let last = new Map<number, number>();
  return {
    add(step: IncidentStep): void {
      const place = last.get(step.incident);
      const before = place === undefined ? undefined : steps[place];
      if (place !== undefined && before !== undefined && isOneStep(before, step)) steps[place] = step;
      else last.set(step.incident, steps.push(step) - 1);
    },
    begin(): void {
      steps = [];
      last = new Map();
    },
    flush(): void {
      for (const step of steps) write.run(...stepValues(step, dictionary));
    },
  };
}
