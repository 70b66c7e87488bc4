// One cluster as the collector knows it: takes what the session tells, judges what that touches, hands changes to the recorder.
import { moveClocks, startClocks } from '#lib/domain/clocks.ts';
import type { CurrentCluster, CurrentObject, ObjectDetail, Transition } from '#lib/domain/current.ts';
import type { Policy } from '#lib/domain/guarantee.ts';
import { judge } from '#lib/domain/judge.ts';
import type { Judgement } from '#lib/domain/judgement.ts';
import type { Observation } from '#lib/domain/observation.ts';
import { refKey, type ObjectRef, type RefKey } from '#lib/domain/ref.ts';
import { begin, receive, settle, settleDue } from '#lib/domain/track.ts';
import type { Clock, Timer } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { StoredClusterState, StoredResume, WriteBatch } from '#server/store/port.ts';
import type { ClusterEvent, EventWord, GroupKind, WatchedKind } from '../clusters/cluster-event.ts';
import { observe } from '../reconcilers/registry.ts';
import { noteCorrection } from './corrections.ts';
import { newEntry, restoreEntry, type Entry } from './entry.ts';
import { createFeedBook } from './feed-book.ts';
import { createLeaseBook } from './lease-book.ts';
import { firstOnset } from './onset.ts';
import { createProviderBook } from './provider-book.ts';
import { busyWorthShowing, detailOf, recordOf, shapeOf } from './record.ts';
import { createSharedErrors } from './shared-errors.ts';
import { inventoryOf, restingObservation, standsOn, surroundingsOf, type ClusterKnowledge } from './surroundings.ts';
import { createTimeQueue } from './time-queue.ts';

/** How long after a change the model waits for more of the same breath (ms). */
const breath = 15;
/** How often the cluster's own row is renewed (ms), so that its validity never runs out while it is seen. */
const vouchEvery = 10_000;
/** The first judgement waits for the first lists, at most this long (ms). */
const patience = 20_000;
/** A confirmation is written when this share of its bound has passed since the last one was. */
const flushShare = 0.25;
/** More judgements of one object in one breath mean that two objects stand on each other. */
const roundLimit = 8;

/** What the model needs. `write` takes changes in order and never fails; the recorder behind it retries. */
export interface ClusterModelDeps {
  readonly cluster: string;
  readonly labels: CurrentCluster['labels'];
  readonly policy: Policy;
  readonly clock: Clock;
  readonly log: Log;
  readonly restored: StoredClusterState | null;
  /** Whether messages of conditions and events are kept, or only their reasons. */
  readonly keepMessages: boolean;
  readonly write: (batch: WriteBatch) => void;
}

/** The living model of one cluster. */
export interface ClusterModel {
  take(event: ClusterEvent): void;
  /** Every known kind has been listed or refused, and all objects are judged. */
  inStep(): boolean;
  /** Present records, for a one-shot check. */
  objects(): readonly { readonly object: CurrentObject; readonly detail: ObjectDetail }[];
  cluster(): CurrentCluster;
  /** Writes what is left and ends. */
  stop(): void;
}

function kindKey(kind: GroupKind): string {
  return `${kind.group}/${kind.kind}`;
}

function kindKeyOf(ref: ObjectRef): string {
  return `${ref.group}/${ref.kind}`;
}

function causeChanged(a: Judgement | null, b: Judgement): boolean {
  return (
    !a || a.verdict !== b.verdict || a.was !== b.was || a.running.revision !== b.running.revision || JSON.stringify(a.rootCause) !== JSON.stringify(b.rootCause)
  );
}

/** Starts the model of one cluster. */
export function startClusterModel(deps: ClusterModelDeps): ClusterModel {
  const { cluster, clock, policy, restored } = deps;
  const startedAt = clock.now();
  const entries = new Map<RefKey, Entry>();
  const byKind = new Map<string, Set<RefKey>>();
  const dependents = new Map<RefKey, Set<RefKey>>();
  const feeds = createFeedBook(cluster, deps.labels, startedAt, restored?.cluster ?? null);
  const leases = createLeaseBook(cluster, restored?.cluster ?? null);
  const shared = createSharedErrors();
  const providers = createProviderBook();
  const reviews = createTimeQueue();
  const settles = createTimeQueue();
  const resume = new Map<string, StoredResume>();
  const listed = new Map<string, Set<RefKey>>();
  let dirty = new Set<RefKey>();
  let written: WriteBatch['objects'][number][] = [];
  let removed: { ref: ObjectRef; at: number }[] = [];
  let transitions: Transition[] = [];
  let confirmations: WriteBatch['confirmations'][number][] = [];
  let clusterDirty = true;
  let lastVouch = 0;
  let opened = false;
  let timer: { readonly timer: Timer; readonly at: number } | null = null;
  let stopped = false;

  const known: ClusterKnowledge = {
    entries,
    feeds,
    leases,
    providerOf: (entry) => providers.providerOf(restingObservation(entry), resourceOf(entry)),
    sharedErrorOf: (entry) => shared.of(entry),
  };
  const resources = new Map<string, string>();

  function resourceOf(entry: Entry): string | null {
    const resource = resources.get(kindKeyOf(entry.ref));
    return resource === undefined ? null : `${resource}.${entry.ref.group}`;
  }

  function touch(key: RefKey): void {
    dirty.add(key);
  }

  function touchDependents(key: RefKey): void {
    for (const dependent of dependents.get(key) ?? []) touch(dependent);
  }

  function link(entry: Entry): void {
    const inventory = restingObservation(entry).inventory.length > 0 ? inventoryOf(known, restingObservation(entry)) : [];
    const next = [...standsOn(known, entry), ...inventory];
    entry.inventory = inventory;
    for (const key of entry.standsOn) if (!next.includes(key)) dependents.get(key)?.delete(entry.key);
    for (const key of next) {
      const set = dependents.get(key) ?? new Set<RefKey>();
      set.add(entry.key);
      dependents.set(key, set);
    }
    entry.standsOn = next;
  }

  function keep(entry: Entry): void {
    entries.set(entry.key, entry);
    const kind = kindKeyOf(entry.ref);
    const set = byKind.get(kind) ?? new Set<RefKey>();
    set.add(entry.key);
    byKind.set(kind, set);
    feeds.count(entry.ref, set.size);
  }

  function drop(key: RefKey, at: number): void {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    byKind.get(kindKeyOf(entry.ref))?.delete(key);
    feeds.count(entry.ref, byKind.get(kindKeyOf(entry.ref))?.size ?? 0);
    for (const other of entry.standsOn) dependents.get(other)?.delete(key);
    for (const other of shared.forget(entry)) touch(other);
    providers.forget(entry.key);
    touchDependents(key);
    dirty.delete(key);
    if (!entry.published) return;
    removed.push({ ref: entry.ref, at });
    transitions.push({
      ref: entry.ref,
      uid: entry.published.uid,
      at,
      bound: 'exact',
      noticedAt: at,
      from: entry.published.verdict,
      to: null,
      reason: 'Deleted',
      message: '',
      commit: entry.published.commit,
      rootCause: null,
    });
  }

  function apply(observation: Observation, at: number, initial: boolean): void {
    const key = refKey(observation.ref);
    listed.get(kindKeyOf(observation.ref))?.add(key);
    const found = entries.get(key);
    if (found && found.track.latest.uid !== observation.uid) {
      drop(key, at);
    } else if (found) {
      if (found.track.latest.resourceVersion === observation.resourceVersion) return;
      found.track = receive(found.track, observation, at);
      if (initial) found.track = settle(found.track, at + 1_000);
      noteCorrection(found, null, at);
      afterWrite(found);
      return;
    }
    const entry = newEntry(observation.ref, begin(observation, at, initial), initial);
    keep(entry);
    afterWrite(entry);
    touchDependents(key);
  }

  function afterWrite(entry: Entry): void {
    const due = settleDue(entry.track);
    if (due !== null) settles.add(entry.key, due);
    link(entry);
    if (providers.note(entry.key, restingObservation(entry))) for (const key of entries.keys()) touchIfManaged(key);
    for (const key of shared.note(entry)) touch(key);
    touch(entry.key);
  }

  function touchIfManaged(key: RefKey): void {
    const entry = entries.get(key);
    if (entry?.track.latest.role !== 'managed') return;
    link(entry);
    touch(key);
  }

  function touchAll(): void {
    for (const key of entries.keys()) touch(key);
  }

  function touchController(names: readonly string[]): void {
    if (names.length === 0) return;
    clusterDirty = true;
    for (const entry of entries.values()) {
      const { controller } = entry.track.latest;
      if (controller !== null && names.includes(controller)) touch(entry.key);
    }
  }

  function read(kind: WatchedKind, object: Parameters<typeof observe>[1], at: number): Observation {
    const observation = observe(kind, object, { cluster, kind, receivedAt: at });
    return deps.keepMessages ? observation : withoutMessages(observation);
  }

  function endList(kind: WatchedKind, at: number): void {
    const named = listed.get(kindKey(kind));
    listed.delete(kindKey(kind));
    if (!named) return;
    for (const key of [...(byKind.get(kindKey(kind)) ?? [])]) if (!named.has(key)) drop(key, at);
  }

  function takeCoreEvent(event: EventWord, at: number): void {
    const key = refKey({ cluster, ...event.about });
    const entry = entries.get(key);
    if (entry && noteCorrection(entry, event, at)) touch(key);
  }

  function restore(): void {
    if (!restored) return;
    for (const stored of restored.resume) resume.set(kindKey(stored), stored);
    for (const { object, detail } of restored.objects) {
      const entry = restoreEntry(object, detail);
      if (entry) keep(entry);
    }
    for (const entry of entries.values()) {
      providers.note(entry.key, restingObservation(entry));
      shared.note(entry);
    }
    for (const entry of entries.values()) link(entry);
  }

  function judgeOne(entry: Entry, now: number): void {
    const before = entry.judgement;
    const judgement = judge({ track: entry.track, last: entry.published?.verdict ?? null }, surroundingsOf(known, entry, now), policy, now);
    entry.judgement = judgement;
    const shownAt = entry.track.settled?.shownAt ?? null;
    const ownWord = shownAt !== null && shownAt !== entry.judgedShownAt;
    entry.judgedShownAt = shownAt;
    const passes = restingObservation(entry).passes.seenBy === 'none' ? null : entry.track.passesSeen;
    if (entry.clocks) {
      const at = ownWord && shownAt !== null ? Math.min(shownAt, now) : now;
      entry.clocks = moveClocks(entry.clocks, { verdict: judgement.verdict, at, bound: 'exact', now, passes });
    } else {
      const first = entry.initial ? firstOnset(restingObservation(entry), judgement.verdict, now) : { at: shownAt ?? entry.track.firstSeenAt, bound: 'exact' as const };
      entry.clocks = startClocks({ verdict: judgement.verdict, ...first, now, passes });
    }
    if (judgement.reviewAt !== null) reviews.add(entry.key, judgement.reviewAt);
    if (entry.track.busySince !== null) reviews.add(entry.key, entry.track.busySince + busyWorthShowing);
    if (entry.clocks.home && entry.clocks.away) reviews.add(entry.key, entry.clocks.home.since + 2 * 60_000);
    if (causeChanged(before, judgement)) touchDependents(entry.key);
    publish(entry, judgement, now);
  }

  function publish(entry: Entry, judgement: Judgement, now: number): void {
    const record = recordOf(known, entry, judgement, now);
    if (!record) return;
    const shape = shapeOf(record, judgement);
    const before = entry.published;
    if (before && entry.shape === shape) return confirm(entry, before, record);
    entry.shape = shape;
    entry.published = record;
    written.push({ object: record, detail: detailOf(entry, judgement) });
    if (before?.verdict === record.verdict) return;
    transitions.push({
      ref: entry.ref,
      uid: record.uid,
      at: record.onset.time,
      bound: record.onset.bound,
      noticedAt: now,
      from: before?.verdict ?? null,
      to: record.verdict,
      reason: record.reason,
      message: record.message,
      commit: record.commit,
      rootCause: record.rootCause,
    });
  }

  function confirm(entry: Entry, before: CurrentObject, record: CurrentObject): void {
    const horizon = record.validUntil !== null && record.confirmedAt !== null ? record.validUntil - record.confirmedAt : null;
    const gained = record.validUntil !== null && before.validUntil !== null ? record.validUntil - before.validUntil : 0;
    const due = horizon === null ? record.validUntil !== before.validUntil : gained >= horizon * flushShare;
    if (!due) return;
    entry.published = { ...before, observedAt: record.observedAt, confirmedAt: record.confirmedAt, validUntil: record.validUntil };
    confirmations.push({ ref: entry.ref, observedAt: record.observedAt, confirmedAt: record.confirmedAt, validUntil: record.validUntil });
  }

  function judgeDirty(now: number): void {
    const rounds = new Map<RefKey, number>();
    for (let guard = 0; dirty.size > 0 && guard < 64; guard += 1) {
      const batch = dirty;
      dirty = new Set();
      for (const key of inOrder(batch)) {
        const entry = entries.get(key);
        const round = (rounds.get(key) ?? 0) + 1;
        rounds.set(key, round);
        if (entry && round <= roundLimit) judgeOne(entry, now);
      }
    }
    dirty.clear();
  }

  /** What is stood on first, so that most objects are judged once. */
  function inOrder(keys: ReadonlySet<RefKey>): readonly RefKey[] {
    const order: RefKey[] = [];
    const seen = new Set<RefKey>();
    function visit(key: RefKey, depth: number): void {
      if (seen.has(key) || depth > 64) return;
      seen.add(key);
      for (const other of entries.get(key)?.standsOn ?? []) if (keys.has(other)) visit(other, depth + 1);
      order.push(key);
    }
    for (const key of keys) visit(key, 0);
    return order;
  }

  function open(now: number): boolean {
    if (opened) return true;
    if (!feeds.inStep() && now < startedAt + patience) return false;
    opened = true;
    for (const entry of entries.values()) link(entry);
    touchAll();
    return true;
  }

  function controllerCounts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const entry of entries.values()) {
      const { controller } = entry.track.latest;
      if (controller !== null) counts.set(controller, (counts.get(controller) ?? 0) + 1);
    }
    return counts;
  }

  function pump(): void {
    if (stopped) return;
    timer = null;
    const now = clock.now();
    for (const key of settles.due(now)) {
      const entry = entries.get(key);
      if (!entry) continue;
      const before = entry.track;
      entry.track = settle(before, now);
      if (entry.track !== before) afterWrite(entry);
      const due = settleDue(entry.track);
      if (due !== null) settles.add(key, due);
    }
    if (feeds.settle(now)) {
      clusterDirty = true;
      touchAll();
    }
    touchController(leases.settle(now));
    for (const key of reviews.due(now)) touch(key);
    if (open(now)) judgeDirty(now);
    flush(now);
    plan(now);
  }

  function flush(now: number): void {
    const vouch = clusterDirty || now >= lastVouch + vouchEvery;
    const coverage = feeds.coverage();
    if (!vouch && written.length + removed.length + transitions.length + confirmations.length + coverage.length === 0) return;
    if (vouch) lastVouch = now;
    clusterDirty = false;
    const batch: WriteBatch = {
      at: now,
      cluster: vouch ? feeds.current(now, leases.current(controllerCounts())) : null,
      objects: written,
      removed,
      transitions,
      confirmations,
      coverage,
      resume: opened ? [...resume.values()] : [],
    };
    written = [];
    removed = [];
    transitions = [];
    confirmations = [];
    if (opened) resume.clear();
    deps.write(batch);
  }

  function plan(now: number): void {
    const times = [lastVouch + vouchEvery, settles.next(), feeds.next(), leases.next(), reviews.next(), opened ? null : startedAt + patience];
    const next = times.filter((time) => time !== null).reduce((a, b) => Math.min(a, b));
    wake(Math.max(next, dirty.size > 0 ? now + breath : now + 1));
  }

  function wake(at: number): void {
    if (timer && timer.at <= at) return;
    timer?.timer.cancel();
    timer = { at, timer: clock.after(Math.max(0, at - clock.now()), pump) };
  }

  function takeEvent(event: ClusterEvent): void {
    if (feeds.take(event)) {
      clusterDirty = true;
      if (opened) touchAll();
    }
    switch (event.type) {
      case 'kinds':
        for (const kind of event.kinds) resources.set(kindKey(kind), kind.resource);
        return;
      case 'sync-start':
        listed.set(kindKey(event.kind), new Set());
        return;
      case 'applied':
        return apply(read(event.kind, event.object, event.at), event.at, event.initial);
      case 'deleted':
        return drop(refKey(read(event.kind, event.object, event.at).ref), event.at);
      case 'sync-end':
        endList(event.kind, event.at);
        noteResume(event.kind, event.resourceVersion);
        return;
      case 'bookmark':
        noteResume(event.kind, event.resourceVersion);
        return;
      case 'leases':
        touchController(leases.take(event.leases, event.at));
        return;
      case 'event':
        return takeCoreEvent(event.event, event.at);
      case 'feed':
        if (event.feed.state === 'absent') for (const key of [...(byKind.get(kindKey(event.kind)) ?? [])]) drop(key, event.at);
        return;
      case 'connected':
      case 'disconnected':
      case 'alive':
        return;
    }
  }

  function noteResume(kind: WatchedKind, resourceVersion: string): void {
    resume.set(kindKey(kind), { group: kind.group, kind: kind.kind, version: kind.version, resourceVersion });
  }

  restore();
  wake(startedAt + breath);

  return {
    take(event) {
      if (stopped) return;
      takeEvent(event);
      wake(clock.now() + breath);
    },
    inStep: () => opened && dirty.size === 0 && settles.next() === null,
    objects: () => [...entries.values()].flatMap((entry) => (entry.published && entry.judgement ? [{ object: entry.published, detail: detailOf(entry, entry.judgement) }] : [])),
    cluster: () => feeds.current(clock.now(), leases.current(controllerCounts())),
    stop() {
      if (stopped) return;
      const now = clock.now();
      if (opened) judgeDirty(now);
      clusterDirty = true;
      flush(now);
      stopped = true;
      timer?.timer.cancel();
    },
  };
}

function withoutMessages(observation: Observation): Observation {
  const { word } = observation;
  const silentWord = 'message' in word ? { ...word, message: '' } : word;
  return { ...observation, word: silentWord, conditions: observation.conditions.map((condition) => ({ ...condition, message: '' })) };
}
