import { compareText } from '#lib/domain/observation/compare-text.ts';
import { alarmingBounds } from '#lib/domain/alarm/alarming/bounds.ts';
import { alarmingKey, type Alarming, type AlarmingFact } from '#lib/domain/alarm/alarming/fact.ts';
import { alarmingKind, alarmingKinds } from '#lib/domain/alarm/alarming/kinds.ts';
import type { GroupKind } from '#lib/domain/observation/ref.ts';
import type { ForeignObject } from '#lib/foreign.ts';
import { nameAt } from '#lib/foreign-words.ts';
import type { ClusterEvent } from '../../clusters/cluster-event.ts';
import { readAlarming } from '../../alarming/read-alarming.ts';
import type { FeedTracker } from '../feeds/feed-tracker.ts';

type Type = AlarmingFact['type'];

/** Time between two makings of what is published, at least (ms). */
const pause = 1_000;

/** An object, and its length as JSON. */
interface HeldFact {
  readonly fact: AlarmingFact;
  readonly length: number;
}

/** Objects of one kind, by `alarmingKey`. */
interface Held {
  readonly facts: Map<string, HeldFact>;
  /** One was left out. */
  cut: boolean;
}

/** Everything that objects of one cluster say of who is called. */
export type AlarmingIndex = ReturnType<typeof createAlarmingIndex>;

type AlarmingEvent = Extract<
  ClusterEvent,
  { readonly type: 'sync-start' | 'applied' | 'deleted' | 'sync-end' | 'bookmark' }
>;

function none(): Held {
  return { facts: new Map(), cut: false };
}

/** Takes or leaves out an object; tells whether anything changed. */
function put(held: Held, fact: AlarmingFact): boolean {
  const key = alarmingKey(fact);
  const text = JSON.stringify(fact);
  const before = held.facts.get(key);
  if (text.length > alarmingBounds.one) return [held.facts.delete(key), leaveOut(held)].includes(true);
  if (before && before.length === text.length && JSON.stringify(before.fact) === text) return false;
  held.facts.set(key, { fact, length: text.length });
  return true;
}

/** Notes that one was left out; tells whether that is news. */
function leaveOut(held: Held): boolean {
  const isNews = !held.cut;
  held.cut = true;
  return isNews;
}

/**
 * True where an object is another than those that are held, and there is no room for it: it is not even read. There is room for one of a namespace that
 * holds less than another: the last of that one gives way to it.
 */
function isFull(held: Held, type: Type, object: ForeignObject): boolean {
  const { facts } = held;
  if (facts.size < alarmingBounds.ofKind || facts.has(keyOf(type, object))) return false;
  const namespaces = Map.groupBy(facts, ([, { fact }]) => fact.namespace);
  const own = namespaces.get(nameAt(object, 'metadata', 'namespace') ?? '')?.length ?? 0;
  const largest = [...namespaces.values()].reduce((most, one) => (one.length > most.length ? one : most), []);
  const last = largest.at(-1);
  if (last === undefined || largest.length <= own + 1) return true;
  facts.delete(last[0]);
  leaveOut(held);
  return false;
}

function keyOf(type: Type, object: ForeignObject): string {
  const name = nameAt(object, 'metadata', 'name') ?? '';
  const namespace = nameAt(object, 'metadata', 'namespace') ?? '';
  return alarmingKey({ type, namespace, name });
}

/**
 * The letters that there are for each namespace: all that it has, or as much as any other that has more. One that writes long objects leaves others
 * their room.
 */
function roomOf(all: readonly HeldFact[]): Map<string, number> {
  const wanted = [...Map.groupBy(all, ({ fact }) => fact.namespace)].map(
    ([namespace, facts]) => [namespace, facts.reduce((sum, { length }) => sum + length, 0)] as const,
  );
  const room = new Map<string, number>();
  let left = alarmingBounds.all;
  for (const [at, [namespace, letters]] of wanted.toSorted(([, a], [, b]) => a - b).entries()) {
    const given = Math.min(letters, Math.floor(left / (wanted.length - at)));
    room.set(namespace, given);
    left -= given;
  }
  return room;
}

/** All that is held, by name, as far as there is room for it in a row. */
function published(byType: ReadonlyMap<Type, Held>): Alarming {
  const facts: AlarmingFact[] = [];
  const cut: Type[] = [];
  const room = roomOf([...byType.values()].flatMap((held) => [...held.facts.values()]));
  for (const { type } of alarmingKinds) {
    const held = byType.get(type);
    if (!held) continue;
    let isCut = held.cut;
    for (const [, { fact, length }] of [...held.facts].toSorted(([a], [b]) => compareText(a, b))) {
      const left = (room.get(fact.namespace) ?? 0) - length;
      room.set(fact.namespace, left);
      if (left < 0) isCut = true;
      else facts.push(fact);
    }
    if (isCut) cut.push(type);
  }
  return { facts, cut };
}

/**
 * Starts without any. Nothing of it is restored: each kind is listed anew after a start, and its feed tells that it is not in step before.
 * `metrics`: how metrics begin that name objects. What is published is put together anew at most each second: all of it stands in one row, however often one object changes.
 */
export function createAlarmingIndex(feeds: Pick<FeedTracker, 'count'>, metrics: readonly string[]) {
  const byType = new Map<Type, Held>();
  /** Objects that lists under way have named: it takes the place of what was known once they have ended. */
  const listed = new Map<Type, Held>();
  let current: Alarming = { facts: [], cut: [] };
  let isChanged = false;
  let madeAt = Number.NEGATIVE_INFINITY;

  function heldOf(type: Type): Held {
    const held = listed.get(type) ?? byType.get(type) ?? none();
    if (!listed.has(type)) byType.set(type, held);
    return held;
  }

  function endList(type: Type): boolean {
    const held = listed.get(type);
    if (!held) return false;
    listed.delete(type);
    byType.set(type, held);
    return true;
  }

  function remove(type: Type, object: ForeignObject): boolean {
    return heldOf(type).facts.delete(keyOf(type, object));
  }

  function take(type: Type, event: AlarmingEvent): boolean {
    switch (event.type) {
      case 'sync-start':
        listed.set(type, none());
        return false;
      case 'applied': {
        if (isFull(heldOf(type), type, event.object)) return leaveOut(heldOf(type)) && !listed.has(type);
        const fact = readAlarming(event.kind, event.object, metrics);
        // One that says nothing any more is as good as gone.
        return (fact === null ? remove(type, event.object) : put(heldOf(type), fact)) && !listed.has(type);
      }
      case 'deleted':
        return remove(type, event.object) && !listed.has(type);
      case 'sync-end':
        return endList(type);
      case 'bookmark':
        return false;
    }
  }

  function changed(kind: GroupKind, type: Type): void {
    feeds.count(kind, byType.get(type)?.facts.size ?? 0);
    isChanged = true;
  }

  return {
    /** Takes what concerns a kind that says who is called; tells whether it was one. */
    take(event: AlarmingEvent): boolean {
      const found = alarmingKind(event.kind);
      if (found === null) return false;
      if (take(found.type, event)) changed(event.kind, found.type);
      return true;
    },
    /** A kind is not served any more, and has taken its objects with it. */
    dropKind(kind: GroupKind): void {
      const found = alarmingKind(kind);
      if (found === null) return;
      listed.delete(found.type);
      if (byType.delete(found.type)) changed(kind, found.type);
    },
    /** When what is published should be renewed (ms); null while nothing changed. */
    due: (): number | null => (isChanged ? madeAt + pause : null),
    /** All that is to be published at `now` (ms). */
    current(now: number): Alarming {
      if (!isChanged || (now >= madeAt && now < madeAt + pause)) return current;
      current = published(byType);
      isChanged = false;
      madeAt = now;
      return current;
    },
  };
}
