import type { WireMemberships } from '#lib/api/incident.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { RecordReader } from '#server/store/port/record-port.ts';
import { noObject } from '../endpoints/object.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { unreadable, type Refused } from '../http/problem.ts';
import { wireTime } from '../wire/wire-time.ts';
import { withCalls, type CalledIncident } from './incident-calls.ts';
import { readMade } from './made.ts';
import { incidentWire, wireMember } from './wire-incident.ts';

const mostRows = 50;

/** The incidents that an object was part of; refused where it is not there and nothing is recorded of it. */
export async function memberships(moment: KnownMoment, ref: ObjectRef): Promise<WireMemberships | Refused> {
  const record = moment.reader()?.record;
  if (!record) return unreadable;
  return membershipsIn(record, moment, ref).catch(() => unreadable);
}

async function membershipsIn(
  record: RecordReader,
  moment: KnownMoment,
  ref: ObjectRef,
): Promise<WireMemberships | Refused> {
  const now = moment.now();
  if (moment.fleetCache.object(ref) === null && !(await wasThere(record, ref, now))) return noObject(moment, ref);
  const { at, made } = await readMade(record, now);
  const members = await record.membershipsOf(ref, at, mostRows + 1);
  const listed = members.slice(0, mostRows);
  const incidents = await incidentsById(record, new Set(listed.map(({ incident }) => incident)), at);
  const wire = incidentWire({
    clusters: moment.fleet.all(now),
    find: (other) => moment.find(other, now),
    context: moment.context(now),
  });
  return {
    asOf: wireTime(now),
    rows: listed.flatMap((member) => {
      const incident = incidents.get(member.incident);
      return incident === undefined ? [] : { member: wireMember(member), incident: wire(incident, at) };
    }),
    more: members.length > mostRows,
    made,
  };
}

function wasThere(record: RecordReader, ref: ObjectRef, now: number): Promise<boolean> {
  const { cluster, group, kind, namespace, name } = ref;
  return record.hasObject({ clusters: [cluster], kind: { group, kind }, namespace, name }, { from: 0, to: now });
}

async function incidentsById(
  record: RecordReader,
  ids: ReadonlySet<string>,
  at: number,
): Promise<ReadonlyMap<string, CalledIncident>> {
  const found = await Promise.all([...ids].map((id) => record.incident(id, at)));
  const incidents = found.flatMap((one) => (one?.type === 'incident' ? [one.incident] : []));
  return new Map((await withCalls(record, incidents, at)).map((called) => [called.incident.id, called]));
}
