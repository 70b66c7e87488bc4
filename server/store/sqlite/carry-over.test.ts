import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { defaultIncidentPolicy } from '#lib/domain/incident/incident.ts';
import { failsAtRevision } from '#lib/domain/record/commit-range.ts';
import { refKey, sameRef } from '#lib/domain/observation/ref.ts';
import { silentLog } from '#server/runtime/log.ts';
import { asOfVersion13, keptIncidents, momentsOf, storedIncidents, writeAll } from '#test/contract/kept-incidents.ts';
import { randomHistory, type Written } from '#test/contract/random-history.ts';
import { startRecord } from '#test/contract/record-writing/record-writer.ts';
import { noon } from '#test/contract/store-records.ts';
import type { StoreWriter } from '../port/port.ts';
import type { FaultNote } from '../record/incident/book.ts';
import { takeNote } from '../record/incident/fault-log.ts';
import { growingIncidents, memoryBook, type IncidentRows } from '../record/incident/memory-book.ts';
import { isNoted, noteOfCoverage, noteOfRecord } from '../record/incident/notes.ts';
import type { Recorded } from '../record/recorded.ts';
import { openSqliteWriter } from './writing/writer.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-carried-'));
  path = join(directory, 'plumbline.db');
});
afterEach(() => rmSync(directory, { recursive: true }));

function opened(): StoreWriter {
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  return writer;
}

/** Steps up to the end, or so many; gives whether that is the end. */
async function carry(writer: StoreWriter, steps = Infinity): Promise<boolean> {
  for (let step = 0; step < steps; step++) if (!(await writer.keep(null, noon)).pressing) return true;
  return false;
}

function recordOf(writes: readonly Written[]): Recorded {
  const record = startRecord();
  for (const written of writes) {
    if ('batch' in written) record.write(written.cluster, written.batch);
    else record.forget(written.cluster, written.forgottenAt);
  }
  return record.recorded;
}

/** Incidents folded of what a record tells without its faults: when it was noticed, then as it was written. */
function carriedFrom({ absences, transitions, coverage, origins, incidents }: Recorded): IncidentRows {
  const ids = new Map<string, number>();
  const idOf = (key: string): number => {
    const id = ids.get(key) ?? ids.size + 1;
    ids.set(key, id);
    return id;
  };
  const notes: FaultNote[] = [];
  const lost = new Map<string, number>();
  for (const [place, change] of coverage.entries()) {
    const loss = {
      id: place + 1,
      cluster: idOf(change.cluster),
      objects: knownOn(transitions, change.cluster, change.at),
    };
    const note = noteOfCoverage(change, loss, lost.get(change.cluster) ?? null);
    if (note?.type === 'away') lost.set(change.cluster, note.subject.id);
    if (note?.type === 'over') lost.delete(change.cluster);
    if (note !== null) notes.push(note);
  }
  for (const [place, absence] of absences.entries()) {
    const { ref, uid, openedAt, bound, noticedAt, closedAt, ended, range } = absence;
    const known = { id: place + 1, cluster: idOf(ref.cluster), object: idOf(refKey(ref)), absence };
    const own = transitions.filter((one) => sameRef(one.ref, ref));
    const first = own.findLast((one) => one.noticedAt <= noticedAt);
    const later = own.filter((one) => one.noticedAt > noticedAt && one.noticedAt < (closedAt ?? Infinity));
    for (const { to, at, reason, message, rootCause, ...told } of [...(first ? [first] : []), ...later]) {
      if (to === null || !isNoted(to)) continue;
      const onset = { time: at, bound: told.bound, noticedAt: told.noticedAt };
      const failed = failsAtRevision(to) ? range : null;
      const repository = origins.get(refKey(ref))?.repository ?? null;
      const awaySince = { time: openedAt, bound, noticedAt };
      const record = { ref, uid, verdict: to, reason, message, onset, awaySince, rootCause, range: failed, repository };
      const note = noteOfRecord(known, record, Math.max(noticedAt, told.noticedAt));
      if (note !== null) notes.push(note);
    }
    const { id, cluster, object } = known;
    if (closedAt !== null && ended !== null)
      notes.push({ type: 'over', at: closedAt, subject: { id, cluster, object }, ended });
  }
  const rows = { ...growingIncidents(), subjects: new Map(incidents.subjects) };
  const book = memoryBook(rows);
  for (const note of notes.toSorted((a, b) => a.at - b.at)) takeNote(book, book.log, note, defaultIncidentPolicy);
  return rows;
}

function knownOn(transitions: Recorded['transitions'], cluster: string, at: number): number {
  const last = new Map<string, boolean>();
  for (const { ref, noticedAt, to } of transitions)
    if (ref.cluster === cluster && noticedAt <= at) last.set(refKey(ref), to !== null);
  return [...last.values()].filter(Boolean).length;
}

const seeds = Array.from({ length: 60 }, (_, index) => index + 101);

it.each(seeds)('stored history %i makes the incidents that follow from it', async (seed) => {
  const { writes } = randomHistory(seed, noon, 200);
  await writeAll(opened(), writes);
  asOfVersion13(path);
  const writer = opened();
  await carry(writer);
  await writer.close();
  const [live, folded] = [storedIncidents(path), keptIncidents(carriedFrom(recordOf(writes)))];
  expect([live.incidents, live.members, live.faults]).toEqual([folded.incidents, folded.members, folded.faults]);
  expect(momentsOf(live)).toEqual(momentsOf(folded));
});

it('comes to the same rows wherever it is broken off, and says how far it has come', async () => {
  const { writes } = randomHistory(7, noon, 600);
  await writeAll(opened(), writes);
  asOfVersion13(path);
  const whole = opened();
  await carry(whole);
  await whole.close();
  const expected = storedIncidents(path);
  asOfVersion13(path);
  for (let done = false; !done;) {
    const writer = opened();
    done = await carry(writer, 1);
    // Nothing was committed but whole steps: a process that is killed leaves no more.
    await writer.close();
  }
  expect(storedIncidents(path)).toEqual(expected);
});

it.each([0, 1, 2, 3, 5])('what is noticed after %i steps of it has its turn behind it', async (steps) => {
  const { writes } = randomHistory(11, noon, 900);
  const [before, meanwhile] = [writes.slice(0, 600), writes.slice(600)];
  await writeAll(opened(), before);
  asOfVersion13(path);
  const writer = opened();
  await carry(writer, steps);
  await writeAll(writer, meanwhile);
  await carry(writer);
  await writer.close();
  const database = new DatabaseSync(path, { readOnly: true });
  const count = (sql: string): unknown => Object.values(database.prepare(sql).get() ?? {})[0];
  const last = '(SELECT f.ended FROM fault f WHERE f.subject = a.id ORDER BY f.id DESC LIMIT 1)';
  expect(count('SELECT COUNT(*) FROM fault_waiting')).toBe(0);
  // The last word on each absence is that it is over where it is, and else why it lasts, or that it was switched off.
  expect(count(`SELECT COUNT(*) FROM absence a WHERE a.ended IS NOT ${last} AND ${last} IS NOT 'suspended'`)).toBe(0);
  expect(count('SELECT COUNT(*) FROM absence a WHERE NOT EXISTS (SELECT 1 FROM fault f WHERE f.subject = a.id)')).toBe(
    0,
  );
  const held = count(
    `SELECT COUNT(*) FROM (SELECT subject FROM fault_pending UNION SELECT subject FROM incident_member WHERE to_at IS NULL) WHERE subject > 0`,
  );
  expect(held).toBe(count(`SELECT COUNT(*) FROM absence a WHERE a.ended IS NULL AND ${last} IS NULL`));
  expect(held).not.toBe(0);
  database.close();
});
