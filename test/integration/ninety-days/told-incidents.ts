// What the record tells of incidents and what the script knows of them, brought into the same words.
import { expect } from 'vitest';
import type { Incident, Member } from '#lib/domain/incident/incident.ts';
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import type { Script } from '#server/simulator/past/script.ts';
import type { IncidentReader } from '#server/store/port/incident-port.ts';
import type { RecordCursor, RecordPage, RecordScope } from '#server/store/port/record-port.ts';
import type { Stretch } from './stretches.ts';
import { incidentsIn } from './true-causes.ts';
import type { TrueIncident } from './true-incidents.ts';
import { isMemberOf, type TrueMember } from './true-members.ts';
import { nameOf, type TrueScope } from './truth.ts';

/** An incident, or a member of one, in words that both sides have. */
type Words = Readonly<Record<string, unknown>>;

const limit = 500;

function time(at: number | null): string | null {
  return at === null || at === Infinity ? null : new Date(at).toISOString();
}

function causeWords(cause: Cause): string {
  switch (cause.type) {
    case 'object':
      return `object ${nameOf(cause.ref)}`;
    case 'controller':
      return `controller ${cause.cluster} ${cause.namespace} ${cause.name}`;
    case 'shared-error':
      return `shared-error ${nameOf(cause.providerConfig)}`;
    case 'cluster':
      return `cluster ${cause.cluster}`;
    case 'feed':
      return `feed ${cause.cluster} ${cause.group} ${cause.kind}`;
    case 'outside':
      return 'outside';
  }
}

function toldWords(incident: Incident): Words {
  const { cause, range, takenFor, clusters, id: _id, roots: _roots, ...rest } = incident;
  return {
    ...rest,
    cause: causeWords(cause),
    openedAt: time(incident.openedAt),
    noticedAt: time(incident.noticedAt),
    closedAt: time(incident.closedAt),
    range: range && [range.lastGood, range.firstBad],
    takenUntil: takenFor.map(({ until }) => time(until)),
    clusters: clusters.toSorted(),
  };
}

function trueWords(incident: TrueIncident): Words {
  const { blames, broke, takenUntil, merged: _merged, members, ...rest } = incident;
  const clusters = [...new Set(members.map(({ cluster }) => cluster))].toSorted();
  return {
    ...rest,
    cause: causeWords(blames),
    openedAt: time(incident.openedAt),
    noticedAt: time(incident.noticedAt),
    closedAt: time(incident.closedAt),
    range: broke,
    takenUntil: takenUntil === null ? [] : [time(takenUntil)],
    clusters,
    clusterCount: clusters.length,
    members: members.length,
  };
}

/** In an order that both sides have. */
function inOrder(all: readonly Words[]): readonly Words[] {
  return all.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function memberWords(member: Member | TrueMember): Words {
  const { ref, cluster, objects, from, bound, noticedAt, to, ended } = member;
  const times = { from: time(from), noticedAt: time(noticedAt), to: time(to) };
  return { who: ref === null ? cluster : nameOf(ref), objects, bound, ...times, ended };
}

/** All pages of a list, as one. */
async function all<T>(read: (cursor: RecordCursor | null) => Promise<RecordPage<T>>): Promise<readonly T[]> {
  const found: T[] = [];
  let page = await read(null);
  found.push(...page.items);
  while (page.next !== null) {
    page = await read(page.next);
    found.push(...page.items);
  }
  return found;
}

/** Expects every incident of a period and scope to be told as the script has it; `whole`: every member, too. */
export async function expectIncidents(
  reader: IncidentReader,
  script: Script,
  { scope, period, whole }: { readonly scope: TrueScope; readonly period: Stretch; readonly whole: boolean },
): Promise<void> {
  const at = period.to - 1;
  const { clusters, kind } = scope;
  const recordScope: RecordScope = kind === null ? { clusters } : { clusters, kind };
  const question = { scope: recordScope, period, at, order: 'newest' } as const;
  const told = await all((cursor) => reader.incidents(question, { cursor, limit }));
  const known = incidentsIn(script, scope, period);
  expect(inOrder(told.map(toldWords))).toEqual(inOrder(known.map(trueWords)));
  expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);
  if (!whole) return;
  const members = await Promise.all(
    told.map(({ id }) => all((cursor) => reader.members(id, at, recordScope, { cursor, limit }))),
  );
  expect(inOrder(members.flat().map(memberWords))).toEqual(
    inOrder(known.flatMap((one) => one.members.filter((member) => isMemberOf(member, scope)).map(memberWords))),
  );
  for (const [index, { id }] of told.entries())
    expect(members[index]?.every((member) => member.incident === id)).toBe(true);
}
