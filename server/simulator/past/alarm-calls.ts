// The calls of a past that is made up: which alarm came when for an outage, and which came without one. Times and durations in ms.
import type { AlarmCall } from '#lib/domain/alarm/call.ts';
import type { Labels } from '#lib/domain/alarm/fact.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { minute, second } from '#lib/domain/time/length.ts';
import { fingerprintOf } from '../monitoring/fingerprint.ts';
import type { Random } from '../random.ts';

/** A time in which an object was away from git; `to` is null where it lasts. */
export interface Outage {
  readonly ref: ObjectRef;
  readonly from: number;
  readonly to: number | null;
}

/**
 * Calls that came for an outage. once: `after` its beginning, in time or late; twice: the first call ended by itself after `lasts`, and
 * another came `pause` later; never: nobody was called.
 */
export type Manner =
  | { readonly is: 'once'; readonly after: number }
  | { readonly is: 'twice'; readonly after: number; readonly lasts: number; readonly pause: number }
  | { readonly is: 'never' };

/** The Alertmanager that called, and for which alert. */
export interface Caller {
  readonly source: string;
  readonly address: string;
  readonly receiver: string;
  readonly alert: string;
}

/** So long after an alert begins to fire, or is over, that is known: it is read every 15 s. */
export const known = 9 * second;

function labelsOf({ alert }: Caller, { cluster, group, kind, namespace, name }: ObjectRef): Labels {
  return {
    alertname: alert,
    cluster,
    customresource_group: group,
    customresource_kind: kind,
    ...(namespace === '' ? {} : { exported_namespace: namespace }),
    name,
    severity: 'page',
  };
}

/** A call with labels of its own, on a cluster, by an alert that fired from `startsAt` until `end` (null: it lasts). */
export function callWith(
  { source, address, receiver, alert }: Caller,
  { cluster, labels }: { readonly cluster: string; readonly labels: Labels },
  startsAt: number,
  end: number | null,
): AlarmCall {
  return {
    source,
    key: `${address} ${fingerprintOf(labels)}`,
    alert,
    labels,
    cluster,
    receivers: [receiver],
    readsObjects: true,
    startsAt,
    from: startsAt + known,
    to: end === null ? null : end + known,
  };
}

function callOf(caller: Caller, ref: ObjectRef, startsAt: number, end: number | null): AlarmCall {
  return callWith(caller, { cluster: ref.cluster, labels: labelsOf(caller, ref) }, startsAt, end);
}

/** Calls for an outage, oldest first. None began after its end: one that was over before its alert fired was called for by nobody. */
export function callsFor(caller: Caller, { ref, from, to }: Outage, manner: Manner): readonly AlarmCall[] {
  const lasts = (startsAt: number): boolean => to === null || startsAt < to;
  switch (manner.is) {
    case 'never':
      return [];
    case 'once': {
      const startsAt = from + manner.after;
      return lasts(startsAt) ? [callOf(caller, ref, startsAt, to)] : [];
    }
    case 'twice': {
      const first = from + manner.after;
      const end = Math.min(first + manner.lasts, to ?? Infinity);
      const again = first + manner.lasts + manner.pause;
      return [
        ...(lasts(first) ? [callOf(caller, ref, first, end)] : []),
        ...(lasts(again) ? [callOf(caller, ref, again, to)] : []),
      ];
    }
  }
}

/** A call for an object that was in order: its alert fired from `at` on, for `length`. */
export function callWithoutOutage(caller: Caller, ref: ObjectRef, at: number, length: number): AlarmCall {
  return callOf(caller, ref, at, at + length);
}

/** A manner by chance: of a hundred outages 78 are called for in time, 10 late, 5 twice, 7 never. */
export function mannerOf(random: Random): Manner {
  const chance = random.next();
  const after = random.between(2 * minute, 9 * minute);
  if (chance < 0.78) return { is: 'once', after };
  if (chance < 0.88) return { is: 'once', after: random.between(16 * minute, 70 * minute) };
  if (chance < 0.93)
    return { is: 'twice', after, lasts: random.between(4 * minute, 12 * minute), pause: random.between(1, 8) * minute };
  return { is: 'never' };
}
