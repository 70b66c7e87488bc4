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
const most = { incidents: 30_000, members: 100_000, page: 1_000 } as const;
/** `listed`: incidents of all lists. */
const kept = { parts: 5_000, lists: 8, listed: 40_000 } as const;

type Question = Pick<IncidentQuestion, 'scope' | 'period' | 'at'>;

/** Tells incidents as a sight has them. Throws where there are more than are looked at. */
export function seenIncidents(record: IncidentReader, sightNow: SightNow) {
  const parts = new LRUCache<string, { readonly sight: Sight; readonly seen: Promise<SeenIncident | null> }>({
    max: kept.parts,
  });
  const lists = new LRUCache<string, { readonly sight: Sight; readonly list: Promise<readonly SeenIncident[]> }>({
    max: kept.lists,
    maxSize: kept.listed,
  });

  /** The part of an incident that is seen as known at `at` (ms); null where that is nothing. */
  function seen(incident: Incident, at: number): Promise<SeenIncident | null> {
    const sight = sightNow();
    const key = `${incident.id} ${at}`;
    const found = parts.get(key);
    if (found?.sight === sight) return found.seen;
    const made = look(record, incident, at, sight);
    parts.set(key, { sight, seen: made });
    made.catch(() => parts.delete(key));
    return made;
  }

  async function readAll({ scope: of, period, at }: Question, sight: Sight): Promise<readonly SeenIncident[]> {
    const found: SeenIncident[] = [];
    const asked: IncidentQuestion = { scope: { ...of, within: sight.within }, period, at, order: 'newest' };
    let cursor: RecordCursor | null = null;
    let count = 0;
    do {
      const page: Awaited<ReturnType<IncidentReader['incidents']>> = await record.incidents(asked, {
        cursor,
        limit: most.page,
      });
      count += page.items.length;
      if (count > most.incidents) throw new Error('there are more incidents than are looked at');
      for (const part of await lookAtAll(record, page.items, at, sight)) if (part !== null) found.push(part);
      cursor = page.next;
    } while (cursor !== null);
    return found;
  }

  return {
    seen,
    /**
     * All that have a member in the scope of a question that is seen, and that were known, and not over, in its period or as it began: whatever else is asked.
     * One list for lists and figures.
     */
    all({ scope, period: { from, to }, at }: Question): Promise<readonly SeenIncident[]> {
      const sight = sightNow();
      // One that was over as the period began was closed in it.
      const question = { scope, period: { from: from - 1, to }, at };
      const key = JSON.stringify([scope, from, to, at]);
      const found = lists.get(key);
      if (found?.sight === sight) return found.list;
      const one = { sight, list: readAll(question, sight) };
      lists.set(key, one, { size: 1 });
      one.list.then(
        ({ length }) => lists.peek(key) === one && lists.set(key, one, { size: length + 1 }),
        () => lists.peek(key) === one && lists.delete(key),
      );
      return one.list;
    },
  };
}

async function look(
  record: IncidentReader,
  incident: Incident,
  at: number,
  sight: Sight,
): Promise<SeenIncident | null> {
  if (isWhole(incident, sight)) return { incident, members: null };
  return partOf(incident, await membersOf(record, incident.id, at, sight), at, sight);
}

/** The same of many, whose members are read at once if they are not too many. */
async function lookAtAll(
  record: IncidentReader,
  incidents: readonly Incident[],
  at: number,
  sight: Sight,
): Promise<readonly (SeenIncident | null)[]> {
  const scope = { clusters: null, within: sight.within };
  const ids = incidents.filter((incident) => !isWhole(incident, sight)).map(({ id }) => id);
  const members = ids.length === 0 ? [] : await record.membersOfMany(ids, at, scope, most.members);
  if (members === null) return Promise.all(incidents.map((incident) => look(record, incident, at, sight)));
  const found = Map.groupBy(members, ({ incident }) => incident);
  return incidents.map((incident) =>
    isWhole(incident, sight) ? { incident, members: null } : partOf(incident, found.get(incident.id) ?? [], at, sight),
  );
}

function seesCauses({ cause, takenFor }: Incident, sight: Sight): boolean {
  return seesCause(cause, sight) && takenFor.every((taken) => seesCause(taken.cause, sight));
}

/** True if all of an incident is seen for its clusters alone. */
function isWhole(incident: Incident, sight: Sight): boolean {
  const { clusters, clusterCount } = incident;
  const isOnWhole = clusters.length === clusterCount && clusters.every((name) => sight.granted(name) === 'all');
  return isOnWhole && seesCauses(incident, sight);
}

function partOf(incident: Incident, members: readonly Member[], at: number, sight: Sight): SeenIncident | null {
  if (members.length === 0) return null;
  if (members.length === incident.members && seesCauses(incident, sight)) return { incident, members: null };
  return { incident: partOfIncident(incident, members, at, sight), members };
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
