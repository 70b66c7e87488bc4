import { callLimit, type CalledFor, type IncidentCalls } from '#lib/domain/alarm/alarm-figures.ts';
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
  function staysOf(id: string, at: number): readonly Stay[] | null {
    const state = incidents.states.find((one) => one.id === id);
    if (state === undefined || known.lastStep(state.row, at) === null) return null;
    return known.membersOf(state.row, at).map(({ subject, from, to }: MemberState): Stay => {
      const { ref, cluster } = incidents.subjects.get(subject.id) ?? { ref: null, cluster: '' };
      return { cluster, ref, subject: subject.id, from, to: to !== null && to <= at ? to : at + 1 };
    });
  }

  function callsFor(stays: readonly Stay[], at: number): readonly IncidentCall[] {
    const calls = knownCalls(recorded, at + 1);
    const moments = momentsOf(calls, stays);
    const found = calls.calls.flatMap((call): IncidentCall[] => {
      const by = forWhat(calls, stays, moments, call);
      const told = callKnownAt(call, at);
      return by === null || told === null ? [] : [{ call: told, by }];
    });
    return descending(found, ({ call }) => call.from);
  }

  return {
    async callsOfIncident(id, at, limit) {
      return callsFor(staysOf(id, at) ?? [], at).slice(0, limit);
    },
    async incidentCalls(ids, at) {
      const found = new Map<string, IncidentCalls>();
      for (const id of ids) {
        const stays = staysOf(id, at);
        if (stays === null) continue;
        const calls = callsFor(stays, at);
        const first = calls.at(-1);
        const began = Math.min(...stays.map(({ from }) => from));
        found.set(id, {
          first: first === undefined ? null : { ...first, after: Math.max(0, first.call.from - began) },
          count: Math.min(calls.length, callLimit),
          ...timesOf(knownCalls(recorded, at), stays, at),
        });
      }
      return found;
    },
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
): CalledFor | null {
  const by = stays.flatMap(({ ref, subject, from, to }) =>
    moments.filter((at) => at >= from && at < to).map((at) => calls.forWhat(call, ref, subject, at)),
  );
  if (by.includes('own')) return 'own';
  return by.includes('cause') ? 'cause' : null;
}

/** Time of an incident in which nobody was called, and in which that is not known. */
function timesOf(calls: KnownCalls, stays: readonly Stay[], at: number): Pick<IncidentCalls, 'silent' | 'unknown'> {
  const times = { called: 0, silent: 0, unknown: 0 };
  const moments = [...momentsOf(calls, stays), at].filter((moment) => moment <= at).toSorted((a, b) => a - b);
  for (const [index, moment] of moments.entries()) {
    const its = stays.filter(({ from, to }) => from <= moment && moment < to);
    const states = new Set(its.map(({ cluster, ref, subject }) => calls.stateAt(cluster, ref, subject, moment)));
    const length = (moments[index + 1] ?? at) - moment;
    if (states.has('called')) times.called += length;
    else if (states.has('unknown')) times.unknown += length;
    else if (states.has('silent')) times.silent += length;
  }
  return { silent: times.silent, unknown: times.unknown };
}
