import type { Within } from '#lib/domain/access/within.ts';
import {
  callLimit,
  type CalledFor,
  type FirstOfIncident,
  type IncidentCalls,
} from '#lib/domain/alarm/alarm-figures.ts';
import type { CallBook } from '#lib/domain/alarm/called/call-book.ts';
import { refKey, type ObjectRef } from '#lib/domain/observation/ref.ts';
import {
  differenceOf,
  intersectionOf,
  lengthOf,
  reachingInto,
  unionOf,
  type FlatStretches,
} from '#lib/domain/record/flat-stretches.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { timeUnion, type TimeUnion } from '#lib/domain/time/time-union.ts';
import type { IncidentCall } from '../../../port/alarm-port.ts';
import { staysWithin } from '../../../record/alarm/incident-calls.ts';
import { callKnownAt } from '../../../record/alarm/known-call.ts';
import { allRows, firstWhole, oneRow, whole, wholeOrNull, type Row } from '../../rows/cells.ts';
import { callColumns, callOf } from '../../rows/call-row.ts';
import { openFaultReader } from '../record/incident/fault-reader.ts';
import type { Scopes } from '../record/record-scope.ts';
import type { CallBooks } from './call-books.ts';
import { perhapsFor } from './called-times.ts';
import type { StoredCall } from './meant-calls.ts';
import { openCausesOfMany, type NotedCauses } from './noted-causes.ts';

type CausesOf = (subject: number) => NotedCauses;

/** Members of incidents that are looked at for one question, at most. */
const membersLooked = 200_000;

/** Member of an incident while it was in it (ms), as known at a moment: up to it, and that one too. */
interface Stay extends Period {
  readonly cluster: string;
  /** null of a lost cluster. */
  readonly ref: ObjectRef | null;
  readonly subject: number;
}

/** Reads members of incidents. */
function openStays(scopes: Scopes) {
  const columns = 'm.subject, m.cluster, m.object, m.from_at, m.to_at';
  const members = scopes.statement(
    `SELECT ${columns} FROM incident_member m INDEXED BY incident_member_order WHERE m.incident = ? AND m.joined_at <= ? LIMIT ?`,
  );
  const ofMany = scopes.statement(
    `SELECT ${columns}, m.incident FROM json_each(?) i
     CROSS JOIN incident_member m INDEXED BY incident_member_order ON m.incident = i.value WHERE m.joined_at <= ? LIMIT ?`,
  );

  function stay([subject, cluster, object, from, to]: Row, at: number): Stay {
    const left = wholeOrNull(to);
    return {
      subject: whole(subject),
      cluster: scopes.clusterName(whole(cluster)),
      ref: object === 0 ? null : scopes.refOf(whole(object)),
      from: whole(from),
      to: left !== null && left <= at ? left : at + 1,
    };
  }

  /** Members of an incident; null where there are more than `most`. */
  function staysOf(incident: number, at: number, most: number): readonly Stay[] | null {
    const rows = allRows(members, incident, at, most + 1);
    return rows.length > most ? null : rows.map((row) => stay(row, at));
  }

  /** Members of several incidents, in their order, `most` altogether; null of each that has more than are left. */
  function staysOfMany(incidents: readonly number[], at: number, most: number): readonly (readonly Stay[] | null)[] {
    const rows = allRows(ofMany, JSON.stringify(incidents), at, most + 1);
    if (rows.length <= most) {
      const found = Map.groupBy(rows, (row) => row[5]);
      return incidents.map((incident) => (found.get(incident) ?? []).map((row) => stay(row, at)));
    }
    let left = most;
    return incidents.map((incident) => {
      const stays = staysOf(incident, at, left);
      left -= stays?.length ?? 0;
      return stays;
    });
  }

  return { staysOf, staysOfMany };
}

/** Calls for incidents, over an open database. */
export function openIncidentCalls(scopes: Scopes, books: CallBooks) {
  const { staysOf, staysOfMany } = openStays(scopes);
  const causesOfMany = openCausesOfMany(scopes, openFaultReader(scopes));
  const known = scopes.statement(
    'SELECT i.id FROM incident i WHERE public_id = ? AND EXISTS (SELECT 1 FROM incident_step s WHERE s.incident = i.id AND s.at <= ?)',
  );
  const one = scopes.statement(`SELECT ${callColumns} FROM alarm_call c WHERE c.id = ?`);

  /** Calls that lasted while any of these were in their incidents. */
  function bookOf(stays: readonly Stay[], at: number): CallBook<StoredCall> {
    return books({ from: stays.reduce((first, { from }) => Math.min(first, from), at), to: at + 1 });
  }

  function read(id: number, at: number): IncidentCall['call'] {
    const row = oneRow(one, id);
    const call = callOf(scopes.sourceName(whole(row[8])), row);
    return callKnownAt(call, at) ?? call;
  }

  function summed(stays: readonly Stay[], book: CallBook<StoredCall>, causesOf: CausesOf, at: number): IncidentCalls {
    const found = foundIn(stays, book, causesOf);
    const dark = darkIn(stays, book, causesOf, at);
    return {
      first: firstOf(stays, found.calls, dark, at),
      count: Math.min(found.calls.length, callLimit),
      ...timesOf(stays, found.called, dark, at),
    };
  }

  function firstOf(
    stays: readonly Stay[],
    oldestFirst: readonly FoundCall[],
    dark: FlatStretches,
    at: number,
  ): FirstOfIncident | null {
    const [first] = oldestFirst.toSorted((a, b) => a.since - b.since);
    if (first === undefined) return null;
    const began = stays.reduce((earliest, { from }) => Math.min(earliest, from), Infinity);
    const [unknownAt = Infinity] = dark;
    return {
      call: read(first.call.id, at),
      by: first.by,
      after: first.since - began,
      unknownAfter: unknownAt < first.since ? unknownAt - began : null,
    };
  }

  return {
    callsOfIncident(id: string, at: number, limit: number, within?: Within): readonly IncidentCall[] {
      const incident = firstWhole(known, id, at);
      const all = incident === null ? null : staysOf(incident, at, membersLooked);
      const stays = all && staysWithin(all, within);
      if (stays === null) return [];
      const book = bookOf(stays, at);
      const { calls: oldestFirst } = foundIn(stays, book, causesOfMany(subjectsOf(stays)));
      return oldestFirst
        .toReversed()
        .slice(0, limit)
        .map(({ call, by }) => ({ call: read(call.id, at), by }));
    },
    incidentCalls(ids: readonly string[], at: number, within?: Within): ReadonlyMap<string, IncidentCalls | null> {
      const asked = ids.flatMap((id) => {
        const incident = firstWhole(known, id, at);
        return incident === null ? [] : [{ id, incident }];
      });
      const incidents = asked.map(({ incident }) => incident);
      const stays = staysOfMany(incidents, at, membersLooked).map((its) => its && staysWithin(its, within));
      const all = stays.flatMap((its) => its ?? []);
      const [book, causesOf] = [bookOf(all, at), causesOfMany(subjectsOf(all))];
      return new Map(
        asked.map(({ id }, place) => {
          const its = stays[place] ?? null;
          return [id, its === null ? null : summed(its, book, causesOf, at)];
        }),
      );
    },
  };
}

/** A call for an incident, and from when on (ms) it was for a member of it. */
interface FoundCall {
  readonly call: StoredCall;
  readonly by: CalledFor;
  readonly since: number;
}

/** Calls for members, or for what they waited for, oldest first, and when any of them lasted. */
function foundIn(stays: readonly Stay[], book: CallBook<StoredCall>, causesOf: CausesOf) {
  const called = timeUnion();
  const found = new Map<number, FoundCall>();

  function add(ref: ObjectRef, by: CalledFor, from: number, to: number): void {
    for (const call of book.naming(ref)) {
      const [start, end] = [Math.max(from, call.from), Math.min(to, call.to)];
      if (start >= end) continue;
      called.add(start, end);
      const known = found.get(call.id) ?? { call, by, since: start };
      found.set(call.id, { ...known, since: Math.min(known.since, start) });
    }
  }

  const waited = new Map<string, { readonly ref: ObjectRef; readonly times: TimeUnion }>();
  for (const { ref, subject, from, to } of stays) {
    if (ref === null) continue;
    add(ref, 'own', from, to);
    for (const cause of causesOf(subject).noted) {
      const key = refKey(cause.ref);
      const { times } = waited.get(key) ?? { times: timeUnion() };
      waited.set(key, { ref: cause.ref, times });
      times.add(Math.max(from, cause.from), Math.min(to, cause.to));
    }
  }
  for (const { ref, times } of waited.values()) {
    const stretches = times.stretches();
    for (let at = 0; at < stretches.length; at += 2) add(ref, 'cause', stretches[at] ?? 0, stretches[at + 1] ?? 0);
  }
  const calls = [...found.values()].toSorted((a, b) => a.call.began - b.call.began || a.call.id - b.call.id);
  return { calls, called: called.stretches().slice() };
}

function subjectsOf(stays: readonly Stay[]): readonly number[] {
  return stays.filter(({ ref }) => ref !== null).map(({ subject }) => subject);
}

/** When it is not known of a member, up to a moment (ms), that nobody was called for it. */
function darkIn(stays: readonly Stay[], book: CallBook<StoredCall>, causesOf: CausesOf, at: number): FlatStretches {
  const dark = timeUnion();
  for (const { ref, subject, from, to } of stays) {
    const until = Math.min(to, at);
    if (ref === null) {
      dark.add(from, until);
      continue;
    }
    const unknown = unionOf(book.unknown(ref), perhapsFor(book, causesOf(subject).toCome, at));
    const its = intersectionOf(reachingInto(unknown, from, until), Float64Array.of(from, until));
    for (let place = 0; place < its.length; place += 2) dark.add(its[place] ?? 0, its[place + 1] ?? 0);
  }
  return dark.stretches().slice();
}

/** Time (ms) up to a moment in which nobody was called for any, and in which that is not known of one. */
function timesOf(
  stays: readonly Stay[],
  called: FlatStretches,
  dark: FlatStretches,
  at: number,
): Pick<IncidentCalls, 'silent' | 'unknown'> {
  const all = timeUnion();
  for (const { from, to } of stays) all.add(from, Math.min(to, at));
  const left = differenceOf(all.stretches(), called);
  const unknown = lengthOf(intersectionOf(left, dark));
  return { silent: lengthOf(left) - unknown, unknown };
}
