import type { IncidentQuery, WireIncidentPage } from '#lib/api/incident.ts';
import type { Incident, Member } from '#lib/domain/incident/incident.ts';
import type { RecordReader } from '#server/store/port/record-port.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { everyPage, pagesOf, type RecordPages } from '../history/record-pages.ts';
import { badCursor, isRefused, refuse, unreadable, type Refused } from '../http/problem.ts';
import { csvFile, type LinesAnswer } from '../http/send-lines.ts';
import { csvOf } from '../wire/lists/csv.ts';
import { wireTime } from '../wire/wire-time.ts';
import { blindTimes } from './blind-times.ts';
import { wireCall, withCalls } from './incident-calls.ts';
import { notWhole, readMade, type Made } from './made.ts';
import { memberColumnsAt } from './member-columns.ts';
import { incidentWire, wireMember, wireStep } from './wire-incident.ts';

const mostSteps = 500;
const mostCalls = 100;

/** An incident that was found by an id, its own or that of another that turned out to be one with it. Times in ms. */
interface Found {
  readonly incident: Incident;
  readonly mergedFrom: { readonly id: string; readonly at: number } | null;
  readonly record: RecordReader;
  readonly made: Made;
}

/** One incident with a page of its members; refused where there is none of that id, or was none yet. */
export async function incidentPage(moment: KnownMoment, query: IncidentQuery): Promise<WireIncidentPage | Refused> {
  return findIncident(moment, query.id)
    .then((found) => (isRefused(found) ? found : pageOf(moment, query, found)))
    .catch(() => unreadable);
}

/** All of its members as a file; refused while stored history is being made into incidents. */
export async function incidentFile(moment: KnownMoment, { id }: IncidentQuery): Promise<LinesAnswer | Refused> {
  const found = await findIncident(moment, id).catch(() => unreadable);
  if (isRefused(found)) return found;
  const { incident, record, made } = found;
  const lines = csvOf(memberColumnsAt(moment.now()), everyPage(pagesFor(record, incident, made), 1000));
  return notWhole(made) ?? csvFile(`incident-${incident.id}.csv`, lines);
}

async function pageOf(
  moment: KnownMoment,
  { cursor, limit }: IncidentQuery,
  { incident, mergedFrom, record, made }: Found,
): Promise<WireIncidentPage | Refused> {
  const now = moment.now();
  const page = await pagesOf(pagesFor(record, incident, made), cursor, limit);
  if (page === null) return badCursor;
  const steps = await record.incidentSteps(incident.id, made.at, mostSteps + 1);
  const wire = incidentWire({
    clusters: moment.fleet.all(now),
    find: (ref) => moment.find(ref, now),
    context: moment.context(now),
  });
  const [called = { incident, calls: null }] = await withCalls(record, [incident], made.at);
  const calls = await record.callsOfIncident(incident.id, made.at, mostCalls + 1);
  return {
    asOf: wireTime(now),
    incident: wire(called, made.at),
    mergedFrom: mergedFrom && { id: mergedFrom.id, at: wireTime(mergedFrom.at) },
    members: page.items.map(wireMember),
    steps: steps.slice(-mostSteps).map(wireStep),
    stepsLeftOut: steps.length > mostSteps,
    ...(await blindTimes(record, incident, made.at)),
    calls: calls.slice(0, mostCalls).map(wireCall),
    callsLeftOut: calls.length > mostCalls,
    made: made.made,
    nextCursor: page.next,
  };
}

function pagesFor(record: RecordReader, { id }: Incident, { at }: Made): RecordPages<Member> {
  return {
    scopes: [{ clusters: null }],
    read: (scope, cursor, limit) => record.members(id, at, scope, { cursor, limit }),
  };
}

async function findIncident(moment: KnownMoment, id: string): Promise<Found | Refused> {
  const record = moment.reader()?.record;
  if (!record) return unreadable;
  const made = await readMade(record, moment.now());
  const found = await record.incident(id, made.at);
  if (found === null) return noIncident(id, made);
  if (found.type === 'incident') return { incident: found.incident, mergedFrom: null, record, made };
  const living = await record.incident(found.into, made.at);
  if (living?.type !== 'incident') return noIncident(id, made);
  return { incident: living.incident, mergedFrom: { id, at: found.at }, record, made };
}

function noIncident(id: string, { made }: Made): Refused {
  const later = made === null ? '' : ' Stored history is still being made into incidents: it may come to be.';
  return refuse({ type: 'not-found', what: `There is no incident ${id}.${later}`, nearest: [] });
}
