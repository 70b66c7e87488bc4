import type { AlarmChain } from '#lib/domain/alarm/chain.ts';
import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { objectApi, type WireObjectPage, type WireTransition } from '#lib/api/object.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { gapsOf } from '#lib/domain/record/gap.ts';
import { day } from '#lib/domain/time/length.ts';
import { changesBefore } from '../fleet/changes-before.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { refuse, type Refused } from '../http/problem.ts';
import { nearestObjects } from '../wire/lists/nearest.ts';
import { mostTransitions, objectPage } from '../wire/object/object-page.ts';
import { wireNotified } from '../wire/object/wire-notified.ts';
import { wireTransition } from '../wire/object/wire-object.ts';
import { ofAnyMoment } from './served.ts';

/** A page of transitions goes back this far; the record keeps all. */
const reach = 90 * day;

export const object = ofAnyMoment(objectApi, {
  async ask(moment, ref) {
    if (moment.fleetCache.object(ref)) return pageOf(moment, ref);
    const last = await lastTransition(moment, ref);
    return noObject(moment, ref, last === null ? {} : { last });
  },
});

async function pageOf(moment: KnownMoment, ref: ObjectRef): Promise<WireObjectPage | Refused> {
  const { fleet } = moment;
  const store = moment.reader();
  const range = rangeAt(moment.now());
  const [detail, transitions, coverage] = await Promise.all([
    store?.detail(ref).catch(() => null) ?? null,
    store?.transitions(ref, range).catch(() => []) ?? [],
    store?.coverage(ref.cluster, range).catch(() => []) ?? [],
  ]);
  const now = moment.now();
  const find = (other: ObjectRef) => moment.find(other, now);
  const found = find(ref);
  const cluster = fleet.cluster(ref.cluster, now);
  if (!found || !cluster) return noObject(moment, ref);
  const all = fleet.all(now);
  const context = moment.context(now);
  const before = store
    ? await changesBefore({ object: found, detail, coverage, find, context, store }).catch(() => null)
    : null;
  return objectPage({
    object: found,
    detail,
    transitions,
    gaps: gapsOf(coverage, ref),
    before,
    chain: chainOf(found, moment, now),
    notified: wireNotified(found, moment.recordOf(ref.cluster), moment.policy, now),
    cluster,
    fleet: all,
    namesakes: all.flatMap(({ name }) => (name === ref.cluster ? [] : (find({ ...ref, cluster: name }) ?? []))),
    conflicts: moment.recordOf(ref.cluster)?.conflicts ?? [],
    find,
    context,
  });
}

/** Its chain of alarms; where what Flux tells counts, its alarm is that, and nothing has to be mended. */
function chainOf(object: KnownObject, { alarms, policy }: KnownMoment, now: number): AlarmChain {
  const chain = alarms.chainOf(object, now, policy.alarmWithin);
  const { alarm } = object;
  return alarm.state === 'sounding' && alarm.by === 'notification' ? { ...chain, alarm, mend: null } : chain;
}

function rangeAt(now: number): { readonly from: number; readonly to: number; readonly limit: number } {
  return { from: now - reach, to: now + 1, limit: mostTransitions + 1 };
}

/** Refuses what is not there now; `nearest` names what may have been meant. */
export function noObject(
  { fleet, now }: KnownMoment,
  ref: ObjectRef,
  past: { readonly last?: WireTransition } = {},
): Refused {
  const { cluster, kind, namespace, name } = ref;
  const what = `There is no ${kind} ${namespace === '' ? '' : `${namespace}/`}${name} on ${cluster}.`;
  return refuse({ type: 'not-found', what, nearest: nearestObjects(ref, fleet.all(now())), ...past });
}

/** The last change that is recorded of an object that was there once, null where none is. */
async function lastTransition({ reader, now }: KnownMoment, ref: ObjectRef): Promise<WireTransition | null> {
  const found = await reader()
    ?.transitions(ref, { ...rangeAt(now()), limit: 1 })
    .catch(() => []);
  const [last] = found ?? [];
  return last === undefined ? null : wireTransition(last);
}
