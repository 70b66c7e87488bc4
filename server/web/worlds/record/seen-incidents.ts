import { LRUCache } from 'lru-cache';
import type { Incident, Member } from '#lib/domain/incident/incident.ts';
import type { IncidentQuestion, IncidentReader } from '#server/store/port/incident-port.ts';
import type { RecordCursor } from '#server/store/port/record-scope.ts';
import { seesCause } from '../hide/cause.ts';
import type { Sight, SightNow } from '../sight.ts';
import { partOfIncident } from './part-of-incident.ts';

/** An incident as a sight tells it. `members`: those that are seen; null where that is all of it. */
export interface SeenIncident {
  readonly incident: Incident;
  readonly members: readonly Member[] | null;
}

/** Incidents of one question that are looked at, and members of one, so many at once. */
const most = { incidents: 5_000, members: 100_000, page: 1_000 } as const;
const kept = { parts: 5_000, lists: 8 } as const;

/** Tells incidents as a sight has them. Throws where there are more than are looked at. */
export function seenIncidents(record: IncidentReader, sightNow: SightNow) {
  const parts = new LRUCache<string, { readonly sight: Sight; readonly seen: Promise<SeenIncident | null> }>({
    max: kept.parts,
  });
  const lists = new LRUCache<string, { readonly sight: Sight; readonly list: Promise<readonly SeenIncident[]> }>({
    max: kept.lists,
  });

  async function look(incident: Incident, at: number, sight: Sight): Promise<SeenIncident | null> {
    const { clusters, clusterCount, cause, takenFor } = incident;
    const seesCauses = seesCause(cause, sight) && takenFor.every((taken) => seesCause(taken.cause, sight));
    const isOnWhole = clusters.length === clusterCount && clusters.every((name) => sight.granted(name) === 'all');
    if (isOnWhole && seesCauses) return { incident, members: null };
    const members = await membersOf(record, incident.id, at, sight);
    if (members.length === 0) return null;
    if (seesCauses && members.length === incident.members) return { incident, members: null };
    return { incident: partOfIncident(incident, members, at, sight), members };
  }

  /** The part of an incident that is seen as known at `at` (ms); null where that is nothing. */
  function seen(incident: Incident, at: number): Promise<SeenIncident | null> {
    const sight = sightNow();
    const key = `${incident.id} ${at}`;
    const found = parts.get(key);
    if (found?.sight === sight) return found.seen;
    const made = look(incident, at, sight);
    parts.set(key, { sight, seen: made });
    made.catch(() => parts.delete(key));
    return made;
  }

  async function readAll(question: IncidentQuestion): Promise<readonly SeenIncident[]> {
    const found: SeenIncident[] = [];
    const { period, at } = question;
    const scope = { ...question.scope, within: sightNow().within };
    let cursor: RecordCursor | null = null;
    let count = 0;
    do {
      const asked: IncidentQuestion = { scope, period, at, order: 'newest' };
      const page: Awaited<ReturnType<IncidentReader['incidents']>> = await record.incidents(asked, {
        cursor,
        limit: most.page,
      });
      count += page.items.length;
      if (count > most.incidents) throw new Error('there are more incidents than are looked at');
      for (const incident of page.items) {
        const part = await seen(incident, at);
        if (part !== null) found.push(part);
      }
      cursor = page.next;
    } while (cursor !== null);
    return found;
  }

  return {
    seen,
    /** All that have a member in the scope of a question that is seen, and that were known, and not over, in its period: whatever else is asked. */
    all(question: Pick<IncidentQuestion, 'scope' | 'period' | 'at'>): Promise<readonly SeenIncident[]> {
      const sight = sightNow();
      const { scope, period, at } = question;
      const key = JSON.stringify([scope, period, at]);
      const found = lists.get(key);
      if (found?.sight === sight) return found.list;
      const list = readAll({ scope, period, at, order: 'newest' });
      lists.set(key, { sight, list });
      list.catch(() => lists.delete(key));
      return list;
    },
  };
}

/** Members of an incident that are seen, as known at `at` (ms). */
async function membersOf(record: IncidentReader, id: string, at: number, sight: Sight): Promise<readonly Member[]> {
  const found: Member[] = [];
  let cursor: RecordCursor | null = null;
  do {
    const scope = { clusters: null, within: sight.within };
    const page: Awaited<ReturnType<IncidentReader['members']>> = await record.members(id, at, scope, {
      cursor,
      limit: most.page,
    });
    found.push(...page.items);
    cursor = page.next;
    if (found.length > most.members) throw new Error('an incident has more members than are looked at');
  } while (cursor !== null);
  return found;
}
