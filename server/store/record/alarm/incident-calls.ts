import { holdsNamespace } from '#lib/domain/access/scope.ts';
import { grantedWithin, type Within } from '#lib/domain/access/within.ts';
import {
  callLimit,
  type CalledFor,
  type FirstOfIncident,
  type IncidentCalls,
} from '#lib/domain/alarm/alarm-figures.ts';
import type { AlarmCall } from '#lib/domain/alarm/call.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { AlarmReader, IncidentCall } from '../../port/alarm-port.ts';
import type { MemberState } from '../incident/book.ts';
import { knownIncidents } from '../incident/known-incidents.ts';
import { descending } from '../lists.ts';
import type { Recorded } from '../recorded.ts';
import { callKnownAt } from './known-call.ts';
import { knownCalls, type KnownCalls } from './known-calls.ts';

/** Member of an incident while it was in it (ms), as known at a moment. */
interface Stay {
  readonly cluster: string;
  readonly ref: ObjectRef | null;
  readonly subject: number;
  readonly from: number;
  readonly to: number;
}

/** Calls for incidents, moment by moment. */
export function readIncidentCalls(recorded: Recorded): Pick<AlarmReader, 'callsOfIncident' | 'incidentCalls'> {
  const { incidents } = recorded;
  const known = knownIncidents(incidents);

  /** Members of an incident up to a moment, that one too; null where it was not known. */
  function staysOf(id: string, at: number, within?: Within): readonly Stay[] | null {
    const state = incidents.states.find((one) => one.id === id);
    if (state === undefined || known.lastStep(state.row, at) === null) return null;
    const stays = known.membersOf(state.row, at).map(({ subject, from, to }: MemberState): Stay => {
      const { ref, cluster } = incidents.subjects.get(subject.id) ?? { ref: null, cluster: '' };
      return { cluster, ref, subject: subject.id, from, to: to !== null && to <= at ? to : at + 1 };
    });
    return staysWithin(stays, within);
  }

  function callsFor(stays: readonly Stay[], at: number): readonly FoundCall[] {
    const calls = knownCalls(recorded, at + 1);
    const moments = momentsOf(calls, stays);
    const found = calls.calls.flatMap((call): FoundCall[] => {
      const its = forWhat(calls, stays, moments, call);
      const told = callKnownAt(call, at);
      return its === null || told === null ? [] : [{ call: told, ...its }];
    });
    return descending(found, ({ call }) => call.from);
  }

  return {
    async callsOfIncident(id, at, limit, within) {
      const found = callsFor(staysOf(id, at, within) ?? [], at);
      return found.slice(0, limit).map(({ call, by }) => ({ call, by }));
    },
    async incidentCalls(ids, at, within) {
      const found = new Map<string, IncidentCalls>();
      for (const id of ids) {
        const stays = staysOf(id, at, within);
        if (stays === null) continue;
        const calls = callsFor(stays, at);
        const all = knownCalls(recorded, at);
        found.set(id, {
          first: firstOf(all, stays, calls),
          count: Math.min(calls.length, callLimit),
          ...timesOf(all, stays, at),
        });
      }
      return found;
    },
  };
}

/** Of some members those that lie within a view: a lost cluster where all of it does. */
export function staysWithin<S extends Pick<Stay, 'cluster' | 'ref'>>(
  stays: readonly S[],
  within: Within | undefined,
): readonly S[] {
  if (within === undefined) return stays;
  return stays.filter(({ cluster, ref }) => {
    const granted = grantedWithin(within, cluster);
    return ref === null ? granted === 'all' : holdsNamespace(granted, ref.namespace);
  });
}

/** A call for an incident, and from when on (ms) it was for a member of it. */
interface FoundCall extends IncidentCall {
  readonly since: number;
}

function firstOf(all: KnownCalls, stays: readonly Stay[], newestFirst: readonly FoundCall[]): FirstOfIncident | null {
  const first = newestFirst.toReversed().toSorted((a, b) => a.since - b.since)[0];
  if (first === undefined) return null;
  const began = Math.min(...stays.map(({ from }) => from));
  const unknownAt = momentsOf(all, stays).find((at) => at < first.since && statesAt(all, stays, at).has('unknown'));
  return {
    call: first.call,
    by: first.by,
    after: first.since - began,
    unknownAfter: unknownAt === undefined ? null : unknownAt - began,
  };
}

function momentsOf(calls: KnownCalls, stays: readonly Stay[]): readonly number[] {
  const subjects = new Set(stays.map(({ subject }) => subject));
  return calls.moments(
    subjects,
    stays.flatMap(({ from, to }) => [from, to]),
  );
}

function forWhat(
  calls: KnownCalls,
  stays: readonly Stay[],
  moments: readonly number[],
  call: AlarmCall,
): { readonly by: CalledFor; readonly since: number } | null {
  const its = stays.flatMap(({ ref, subject, from, to }) =>
    moments
      .filter((at) => at >= from && at < to)
      .flatMap((at) => {
        const by = calls.forWhat(call, ref, subject, at);
        return by === null ? [] : [{ by, at }];
      }),
  );
  if (its.length === 0) return null;
  const by = its.some((one) => one.by === 'own') ? 'own' : 'cause';
  return { by, since: Math.min(...its.map(({ at }) => at)) };
}

/** Time of an incident in which nobody was called, and in which that is not known. */
function timesOf(calls: KnownCalls, stays: readonly Stay[], at: number): Pick<IncidentCalls, 'silent' | 'unknown'> {
  const times = { called: 0, silent: 0, unknown: 0 };
  const moments = [...momentsOf(calls, stays), at].filter((moment) => moment <= at).toSorted((a, b) => a - b);
  for (const [index, moment] of moments.entries()) {
    const states = statesAt(calls, stays, moment);
    const length = (moments[index + 1] ?? at) - moment;
    if (states.has('called')) times.called += length;
    else if (states.has('unknown')) times.unknown += length;
    else if (states.has('silent')) times.silent += length;
  }
  return { silent: times.silent, unknown: times.unknown };
}

/** The states at a moment of those that are in the incident then. */
function statesAt(calls: KnownCalls, stays: readonly Stay[], at: number): ReadonlySet<string> {
  const its = stays.filter(({ from, to }) => from <= at && at < to);
  return new Set(its.map(({ cluster, ref, subject }) => calls.stateAt(cluster, ref, subject, at)));
}
