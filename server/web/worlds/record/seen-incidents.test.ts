// Incidents of which a part is seen: all of a period are looked at, a page and its members at once.
import { expect, it } from 'vitest';
import type { Incident, Member } from '#lib/domain/incident/incident.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import type { IncidentReader } from '#server/store/port/incident-port.ts';
import { checkout, october, octoberHistory } from '../../report/testing/october.ts';
import { recorded } from '../../report/testing/recorded.ts';
import { sightOf } from '../sight.ts';
import { seenIncidents } from './seen-incidents.ts';

const cluster = 'eu-west-3';
const from = october + 2 * day;
const period = { from: october, to: october + 30 * day };
const question = { scope: { clusters: null }, period, at: period.to };
const sight = sightOf([{ clusters: [cluster], namespaces: ['apps'] }]);

function away(namespace: string, rootCause: Absence['rootCause']): Absence {
  return {
    ...{ ref: { ...checkout, namespace, name: namespace }, uid: namespace, openedAt: from, bound: 'exact' },
    ...{ noticedAt: from, closedAt: from + hour, ended: 'converged', worst: 'diverged', reason: 'BuildFailed' },
    ...{ rootCause, range: null },
  };
}

/** An incident with a member that is seen and one that is not. */
async function partlySeen(): Promise<{ readonly incident: Incident; readonly members: readonly Member[] }> {
  const base = { ...checkout, namespace: 'ops', name: 'ops' };
  const absences = [away('ops', null), away('apps', { type: 'object', ref: base })];
  const record = recorded({ ...octoberHistory, absences });
  const { items } = await record.incidents({ ...question, order: 'newest' }, { cursor: null, limit: 10 });
  const [incident] = items;
  if (incident === undefined) throw new Error('no incident');
  const members = await record.membersOfMany([incident.id], period.to, { clusters: null, within: sight.within }, 10);
  return { incident, members: members ?? [] };
}

/** A record of so many of them, which counts what it is asked. */
async function recordOf(count: number, mostMembers = Infinity) {
  const { incident, members } = await partlySeen();
  const asked = { incidents: 0, members: 0, membersOfMany: 0 };
  const empty = recorded(octoberHistory);
  const its = (id: string): readonly Member[] => members.map((member) => ({ ...member, incident: id }));
  const record: IncidentReader = {
    ...empty,
    async incidents(_question, { cursor, limit }) {
      asked.incidents += 1;
      const begin = Number(cursor ?? 0);
      const ids = Array.from({ length: Math.min(limit, count - begin) }, (_, place) => `i${begin + place}`);
      const next = begin + limit < count ? String(begin + limit) : null;
      return { items: ids.map((id) => ({ ...incident, id })), next };
    },
    async members(id) {
      asked.members += 1;
      return { items: its(id), next: null };
    },
    async membersOfMany(ids, _at, _scope, most) {
      asked.membersOfMany += 1;
      return ids.length > Math.min(most, mostMembers) ? null : ids.flatMap(its);
    },
  };
  return { record, asked };
}

it('are read a page and its members at once, and once for lists and figures', async () => {
  const { record, asked } = await recordOf(6_500);
  const incidents = seenIncidents(record, () => sight);
  const found = await incidents.all(question);
  expect(found).toHaveLength(6_500);
  expect(found.every(({ incident, members }) => incident.members === 1 && members?.length === 1)).toBe(true);
  expect(await incidents.all(question)).toBe(found);
  expect(asked).toEqual({ incidents: 7, members: 0, membersOfMany: 7 });
});

it('are read one by one where a page has more members than are read at once', async () => {
  const { record, asked } = await recordOf(1_500, 700);
  const one = await seenIncidents((await recordOf(1_500)).record, () => sight).all(question);
  expect(await seenIncidents(record, () => sight).all(question)).toEqual(one);
  expect(asked).toEqual({ incidents: 2, members: 1_000, membersOfMany: 2 });
});

it('are not told where there are more than are looked at', async () => {
  const { record, asked } = await recordOf(35_000);
  await expect(seenIncidents(record, () => sight).all(question)).rejects.toThrow('more incidents');
  expect(asked.incidents).toBe(31);
});
