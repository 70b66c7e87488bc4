import { expect, it } from 'vitest';
import { causeKey } from '#lib/domain/cause/cause.ts';
import type { Fault } from '#lib/domain/incident/fault.ts';
import { defaultIncidentPolicy, type Incident } from '#lib/domain/incident/incident.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import { minute } from '#lib/domain/time/length.ts';
import { noon, refOf } from '#test/contract/store-records.ts';
import type { IncidentQuestion } from '../../port/incident-port.ts';
import type { FaultNote } from './book.ts';
import { foldFault } from './fold.ts';
import { growingIncidents, memoryBook } from './memory-book.ts';
import { readIncidents } from './read-incidents.ts';

const [x, y] = [refOf('a', 1), refOf('a', 2)];
const controller: Cause = { type: 'controller', cluster: 'a', namespace: 'flux-system', name: 'kustomize-controller' };
const everywhere = { clusters: null };

function at(minutes: number): number {
  return noon + minutes * minute;
}

function faultOf(cause: Cause, own: boolean, verdict: Fault['verdict']): Fault {
  return { verdict, reason: `because ${verdict}`, cause, own, opens: true, keys: [causeKey(cause)], range: null };
}

function away(id: number, ref: ObjectRef, minutes: number, cause: Cause | null, verdict: Fault['verdict']): FaultNote {
  const self: Cause = { type: 'object', ref };
  const ids = { id, cluster: 1, object: id };
  const times = { openedAt: at(id * 10), noticedAt: at(id * 10) };
  return {
    type: 'away',
    at: at(minutes),
    // It is the same fault all along.
    since: at(id * 10),
    subject: { ...ids, ...times, objects: 1, bound: 'exact', self: causeKey(self), identity: `subject ${id}` },
    fault: faultOf(cause ?? self, cause === null, verdict),
    planned: false,
  };
}

function over(id: number, minutes: number): FaultNote {
  return { type: 'over', at: at(minutes), subject: { id, cluster: 1, object: id }, ended: 'converged' };
}

/** Two objects that fail alone, until both turn out to lie beneath one controller. */
const notes: readonly FaultNote[] = [
  away(1, x, 10, null, 'unhealthy'),
  away(2, y, 20, null, 'diverged'),
  away(1, x, 30, controller, 'unhealthy'),
  away(2, y, 40, controller, 'diverged'),
  over(1, 50),
  over(2, 60),
];

function recorded() {
  const rows = growingIncidents();
  const book = memoryBook(rows);
  rows.subjects.set(1, { ref: x, cluster: 'a' });
  rows.subjects.set(2, { ref: y, cluster: 'a' });
  for (const note of notes) {
    book.log.add(note);
    foldFault(book, note, defaultIncidentPolicy);
    book.seal();
  }
  return readIncidents(rows);
}

const record = recorded();

async function listed(minutes: number, part: Partial<IncidentQuestion> = {}): Promise<readonly Incident[]> {
  const period = { from: at(0), to: at(100) };
  const question = { scope: everywhere, period, at: at(minutes), order: 'newest', ...part } as const;
  return (await record.incidents(question, { cursor: null, limit: 10 })).items;
}

it('tells an incident as it was known: neither a cause, a member nor an end that came later', async () => {
  expect(await listed(9)).toEqual([]);
  const [first] = await listed(15);
  expect(first).toMatchObject({
    cause: { type: 'object', ref: x },
    roots: { names: [x.name], count: 1, clusters: 1 },
    worst: 'unhealthy',
    now: { objects: 1, clusters: 1 },
    takenFor: [],
    objectTime: 5 * minute,
    members: 1,
    closedAt: null,
  });
  const known = (await listed(35)).at(-1);
  expect(known).toMatchObject({
    id: first?.id,
    cause: controller,
    roots: { names: [], count: 0, clusters: 0 },
    takenFor: [{ cause: { type: 'object', ref: x }, until: at(30) }],
    worst: 'unhealthy',
  });
  expect(await listed(55)).toMatchObject([
    { worst: 'diverged', now: { objects: 1 }, most: { objects: 2 }, members: 2 },
  ]);
  expect(await listed(60)).toMatchObject([{ closedAt: at(60), ended: 'converged', now: { objects: 0 } }]);
});

it('lists an incident until it turned out to be one with another, and leads to that from then on', async () => {
  const [younger, older] = await listed(39);
  expect(younger).toMatchObject({ cause: { type: 'object', ref: y }, roots: { names: [y.name] }, members: 1 });
  const id = younger?.id ?? '';
  expect(await record.incident(id, at(39))).toEqual({ type: 'incident', incident: younger });
  expect(await record.incident(id, at(40))).toEqual({ type: 'merged', into: older?.id, at: at(40) });
  expect((await listed(40)).map((one) => one.id)).toEqual([older?.id]);
  expect(await record.incident(id, at(19))).toBe(null);
});

it('tells of a member the fault that it had then', async () => {
  const [one] = await listed(15);
  const page = { cursor: null, limit: 10 };
  const told = async (minutes: number) => (await record.members(one?.id ?? '', at(minutes), everywhere, page)).items;
  expect(await told(29)).toMatchObject([{ ref: x, verdict: 'unhealthy', own: true, to: null }]);
  expect(await told(30)).toMatchObject([{ ref: x, verdict: 'unhealthy', own: false, cause: controller }]);
  expect(await told(55)).toMatchObject([
    { ref: y, to: null },
    { ref: x, to: at(50), ended: 'converged' },
  ]);
  expect(await record.membershipsOf(y, at(39), 10)).toMatchObject([{ ref: y, own: true }]);
  const since = await record.membershipsOf(y, at(40), 10);
  expect(since.map(({ incident, own }) => [incident, own])).toEqual([[one?.id, false]]);
});

it('counts what was known then', async () => {
  const figures = async (from: number, to: number, known: number) => {
    const { toConverge, toNotice, toConvergeAtLeast, ...counts } = await record.causeFigures(
      everywhere,
      { from: at(from), to: at(to) },
      at(known),
    );
    expect([toConvergeAtLeast.length, toNotice.length]).toEqual([0, counts.opened]);
    return { ...counts, toConverge: [...toConverge] };
  };
  const none = { opened: 0, openAtStart: 0, closed: 0, closedFromBefore: 0, gone: 0, open: 0, large: 0, members: 0 };
  expect(await figures(0, 100, 39)).toEqual({ ...none, opened: 2, open: 2, members: 2, toConverge: [] });
  expect(await figures(0, 100, 59)).toEqual({ ...none, opened: 1, open: 1, members: 2, toConverge: [] });
  const length = 50 * minute;
  expect(await figures(0, 100, 99)).toEqual({ ...none, opened: 1, closed: 1, members: 2, toConverge: [length] });
  const lasting = { ...none, openAtStart: 1, closed: 1, closedFromBefore: 1, toConverge: [length] };
  expect(await figures(30, 100, 99)).toEqual(lasting);
  expect(await figures(60, 100, 99)).toEqual(lasting);
  expect(await figures(61, 100, 99)).toEqual({ ...none, toConverge: [] });
  expect(await figures(30, 60, 99)).toEqual({ ...none, openAtStart: 1, open: 1, toConverge: [] });
});
