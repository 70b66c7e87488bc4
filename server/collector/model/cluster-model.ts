// One cluster as the collector knows it: takes what the session tells, judges what that touches, hands changes to the record.
import type { CurrentCluster } from '#lib/domain/record/current.ts';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { type GroupKind, kindKey, refKey, type RefKey } from '#lib/domain/observation/ref.ts';
import { begin, receive, settle, settleDue } from '#lib/domain/observation/track.ts';
import type { DeclaredStack } from '#server/config/declared-stack.ts';
import type { Timer } from '#server/runtime/clock.ts';
import type { StoredClusterState } from '#server/store/port/port.ts';
import type { ClusterEvent, WatchedKind } from '../clusters/cluster-event.ts';
import { createChangeDetector } from './changes/change-detector.ts';
import { createConflictIndex } from './claims/conflict-index.ts';
import { noteCorrection } from './claims/corrections.ts';
import { declaredKind, declaredObservation } from './objects/declared.ts';
import { createClusterTime } from './judging/cluster-time.ts';
import { newEntry, restoreEntry, type Entry } from './objects/entry.ts';
import { createExternalClaims } from './claims/external-claims.ts';
import { expectedKinds } from './feeds/expected-kinds.ts';
import { createFeedTracker } from './feeds/feed-tracker.ts';
import { createBackpressure } from './judging/backpressure.ts';
import { createJournal } from './judging/journal.ts';
import { judgeAll } from './judging/judging.ts';
import { createControllerIndex, type ChangedLiveness } from './controllers/controller-index.ts';
import type { ClusterModelDeps } from './model-deps.ts';
import { createReadinessGate } from './feeds/readiness-gate.ts';
import { createObjectGraph, keyIn, keyOfForeign } from './objects/object-graph.ts';
import { createResumePoints } from './objects/resume-points.ts';
import { createUnpackedCache } from './objects/unpacked-cache.ts';
import { providerRevision, servedOf } from './objects/served.ts';
import { readObject } from './objects/read-object.ts';
import { createRemoteApplierIndex } from './remote/remote-applier-index.ts';
import { tieRemotes } from './remote/remote-links.ts';
import { createTimeQueue, earliestOf } from './judging/time-queue.ts';

/** How long after a change the model waits for more of the same breath (ms). */
const breath = 15;
/** How often the cluster's own row is renewed (ms), so that its validity never runs out while it is seen. */
const vouchEvery = 10_000;
/** A clock set back, or a hold, for less than this (ms) is no matter. */
const moment = 1_000;

/** The living model of one cluster. */
export interface ClusterModel {
  take(event: ClusterEvent): void;
  /** Everything known has been listed or refused, and judged. */
  inStep(): boolean;
  /** Whether no object of a kind is known. */
  isEmpty(kind: GroupKind): boolean;
  cluster(): CurrentCluster;
  /** Writes what is left and ends. */
  stop(): void;
}

/** Starts the model of one cluster. */
export function startClusterModel(deps: ClusterModelDeps): ClusterModel {
  const {
    cluster,
    clock,
    policy,
    restored,
    unpackedCache = createUnpackedCache(),
    remotes = createRemoteApplierIndex(),
  } = deps;
  const startedAt = clock.now();
  const feeds = createFeedTracker(cluster, deps.labels, startedAt, restored?.cluster ?? null);
  const controllers = createControllerIndex(cluster, restored?.cluster ?? null);
  const time = createClusterTime();
  const graph = createObjectGraph(feeds, controllers, remotes);
  const reading = { cluster, keepMessages: deps.keepMessages, time, entries: graph.entries };
  const links = tieRemotes(cluster, graph, remotes, () => wake(clock.now() + breath));
  const journal = createJournal();
  const externals = deps.externals ?? createExternalClaims();
  const conflicts = createConflictIndex({
    cluster,
    entries: graph.entries,
    externals,
    before: restored?.cluster ?? null,
  });
  const changes = createChangeDetector({ cluster, restored: restored?.cluster ?? null, note: journal.note });
  const backpressure = createBackpressure(deps.room ?? (() => null), () => wake(clock.now()));
  const reviews = createTimeQueue();
  const settles = createTimeQueue();
  const resume = createResumePoints();
  const readinessGate = createReadinessGate(feeds, controllers);
  const listed = new Map<string, Set<RefKey>>();
  let dirty = new Set<RefKey>();
  let clusterDirty = true;
  let lastVouch = 0;
  let pumpedAt = 0;
  /** What the next judgement finds may have begun while nobody looked. */
  let foundLate = false;
  /** Since when the cluster is being seen, as its controllers were told. */
  let seenSince: number | null = null;
  /** The machine's clock was set back to this, and the record has yet to be told; null where it was not. */
  let setBackTo: number | null = null;
  let stopped = false;
  let waking: { readonly timer: Timer; readonly at: number } | null = null;

  function touch(keys: Iterable<RefKey>): void {
    for (const key of keys) dirty.add(key);
  }

  function afterWrite(entry: Entry): void {
    const due = settleDue(entry.track);
    if (due !== null) settles.add(entry.key, due);
    // Before the first judgement nobody asks who stands on whom: all are linked then.
    if (readinessGate.isOpen()) touch(graph.relink(entry));
  }

  function drop(key: RefKey, at: number, watched: boolean): void {
    const dropped = graph.drop(key);
    if (!dropped) return;
    const { entry } = dropped;
    touch(dropped.touched);
    touch(graph.concernedBy(key));
    dirty.delete(key);
    changes.gone(entry, at, watched);
    conflicts.move(entry.track.latest, null);
    journal.remove(entry, at);
  }

  function apply(observation: Observation, at: number, initial: boolean): void {
    const key = refKey(observation.ref);
    listed.get(kindKey(observation.ref))?.add(key);
    const found = graph.entries.get(key);
    if (found && found.track.latest.uid === observation.uid) {
      if (found.track.latest.resourceVersion === observation.resourceVersion) return;
      conflicts.move(found.track.latest, observation);
      const { settled } = found.track;
      found.track = receive(found.track, observation, at);
      // The next write can be what settles the one before: drift that is undone within a second is told by that one alone.
      if (found.track.settled !== settled) noteCorrection(found, null, at, conflicts);
      found.receivedInList = initial;
      if (initial) settleEntry(found, Number.POSITIVE_INFINITY, at);
      afterWrite(found);
      return;
    }
    if (found) drop(key, at, !initial);
    const entry = newEntry(observation.ref, begin(observation, at, initial), initial, unpackedCache);
    graph.keep(entry);
    conflicts.move(null, observation);
    afterWrite(entry);
    touch(graph.concernedBy(key));
  }

  function settleEntry(entry: Entry, until: number, at: number): void {
    const before = entry.track;
    entry.track = settle(before, until);
    if (entry.track !== before) noteCorrection(entry, null, at, conflicts);
  }

  function settleAll(keys: readonly string[], until: number, now: number): void {
    for (const key of keys) {
      const entry = graph.entries.get(key);
      if (!entry) continue;
      settleEntry(entry, until, now);
      afterWrite(entry);
    }
  }

  function endList(kind: WatchedKind, at: number): void {
    const named = listed.get(kindKey(kind));
    listed.delete(kindKey(kind));
    if (named) for (const key of graph.ofKind(kind)) if (!named.has(key)) drop(key, at, false);
  }

  function touchServed(changed: ChangedLiveness): void {
    const { revisions } = changed;
    if (changed.controllers.size + revisions.size === 0) return;
    clusterDirty = true;
    for (const { key, loop } of graph.entries.values())
      if (loop && changed.controllers.has(loop.controller)) dirty.add(key);
    for (const name of revisions) {
      const key = keyIn(cluster, { ...providerRevision, namespace: '', name });
      touch([...(graph.entries.has(key) ? [key] : []), ...graph.dependentsOf(key)]);
    }
  }

  function noteControllers(list: 'leases' | 'deployments', namespace: string, at: number): void {
    if (changes.controllers(controllers.current([]), list, namespace, at)) clusterDirty = true;
  }

  function takeEvent(told: ClusterEvent): void {
    const event = time.take(told);
    changes.hear(event);
    const changed = feeds.take(event);
    if (changed) {
      clusterDirty = true;
      // Kinds come into step one by one, up to thousands of them: each concerns only what has to do with it.
      if (readinessGate.isOpen())
        touch(event.type === 'feed' ? graph.concernedByKind(event.kind) : graph.entries.keys());
    }
    const since = feeds.liveSince(event.at);
    if (since !== null && since !== seenSince) {
      seenSince = since;
      touchServed(controllers.doubt(since, feeds.wasLost()));
    }
    switch (event.type) {
      case 'kinds':
        for (const kind of event.kinds) graph.nameResource(kind, kind.resource);
        // A kind that appears is sought in the inventories that were read before.
        if (changed && readinessGate.isOpen()) graph.relinkListing();
        return;
      case 'sync-start':
        listed.set(kindKey(event.kind), new Set());
        return;
      case 'applied': {
        const observation = readObject(reading, event);
        const expected = observation ? expectedKinds(observation, feeds) : [];
        if (expected.length > 0) deps.named?.(expected);
        if (observation) apply(observation, event.at, event.initial);
        return;
      }
      case 'deleted': {
        const key = keyOfForeign(cluster, event.kind, event.object);
        if (key !== null) drop(key, event.at, true);
        return;
      }
      case 'sync-end':
        endList(event.kind, event.at);
        return resume.note(event.kind, event.resourceVersion);
      case 'bookmark':
        return resume.note(event.kind, event.resourceVersion);
      case 'leases':
        touchServed(controllers.takeLeases(event.namespace, event.leases, event.at));
        return noteControllers('leases', event.namespace, event.at);
      case 'deployments':
        touchServed(controllers.takeDeployments(event.namespace, event.deployments, event.at));
        return noteControllers('deployments', event.namespace, event.at);
      case 'argo':
        touchServed(controllers.takeArgo(event.namespace, event.argo, event.at));
        return noteControllers('deployments', event.namespace, event.at);
      case 'event': {
        const { about } = event.event;
        if (feeds.isLookedAt(about)) deps.named?.([about]);
        const entry = graph.entries.get(keyIn(cluster, about));
        if (entry && noteCorrection(entry, event.event, event.at, conflicts)) dirty.add(entry.key);
        return;
      }
      case 'feed':
        // A kind that is not served any more has taken its objects with it.
        if (event.feed.state === 'absent') for (const key of graph.ofKind(event.kind)) drop(key, event.at, false);
        return;
      case 'connected':
        if (changes.kubernetes(event.version, event.at)) clusterDirty = true;
        return;
      case 'disconnected':
      case 'looks':
      case 'alive':
      case 'no-cluster':
        return;
      case 'clock':
        clusterDirty = true;
        return;
    }
  }

  /** Whether objects are judged now. */
  function open(now: number): boolean {
    const before = readinessGate.isOpen();
    const isOpen = readinessGate.look(now);
    if (isOpen !== before) clusterDirty = true;
    if (!isOpen || before) return isOpen;
    foundLate = true;
    touch(graph.relinkAll());
    return true;
  }

  function judgeDirty(now: number): void {
    const keys = dirty;
    dirty = new Set();
    judgeAll({ graph, journal, changes, policy, reviews, foundLate }, keys, now);
    foundLate = false;
  }

  function present(now: number): CurrentCluster {
    const others = {
      controllers: controllers.current(servedOf(graph)),
      ...conflicts.current(now),
      clockAhead: time.ahead(),
    };
    const current = feeds.current(now, others);
    // Before the first judgement nobody vouches for what an earlier collector wrote.
    const vouched = readinessGate.isOpen() || feeds.liveSince(now) === null;
    return vouched || current.state !== 'live' ? current : { ...current, state: 'connecting', validUntil: now };
  }

  function flush(now: number): void {
    const news = conflicts.due();
    if (news !== null && now >= news) clusterDirty = true;
    const vouch = clusterDirty || now >= lastVouch + vouchEvery || now < lastVouch;
    if (vouch) lastVouch = now;
    clusterDirty = false;
    const points = readinessGate.isOpen() ? resume.storable(graph.entries, settles.keys) : [];
    const batch = journal.batch(now, {
      cluster: vouch ? present(now) : null,
      coverage: feeds.coverage(),
      resume: points,
      setBackTo,
    });
    setBackTo = null;
    if (!batch) return;
    resume.stored(points);
    deps.write(batch);
  }

  function comeBack(now: number): void {
    setBackTo = now;
    clusterDirty = true;
    touch(graph.entries.keys());
  }

  function pump(): void {
    waking = null;
    if (stopped) return;
    const now = clock.now();
    if (backpressure.holds(now)) return;
    if (backpressure.lasted(now) > moment) foundLate = true;
    // A clock that was set back must not hold back what was due on the former one.
    const setBack = now < pumpedAt;
    // Then nothing began later than now, and the record must be told so of every object; a clock that is merely kept right is no matter.
    if (pumpedAt - now >= moment) comeBack(now);
    if (setBack) settleAll(settles.keys(), Number.POSITIVE_INFINITY, now);
    else settleAll(settles.due(now), now, now);
    pumpedAt = now;
    if (feeds.settle(now)) {
      clusterDirty = true;
      touch(graph.entries.keys());
    }
    touchServed(controllers.settle(now));
    touch(reviews.due(now));
    touch(links.heard());
    if (open(now)) judgeDirty(now);
    links.tell(readinessGate.isOpen());
    flush(now);
    const times = [
      lastVouch + vouchEvery,
      settles.next(),
      feeds.next(),
      controllers.next(now),
      reviews.next(),
      conflicts.due(),
      readinessGate.next(now),
    ];
    wake(Math.max(now + 1, earliestOf(times)));
  }

  function wake(at: number): void {
    if (waking && waking.at <= at) return;
    waking?.timer.cancel();
    waking = { at, timer: clock.after(Math.max(0, at - clock.now()), pump) };
  }

  function restore(state: StoredClusterState): void {
    for (const { object, detail } of state.objects) {
      const entry = restoreEntry(object, detail, unpackedCache);
      if (!entry) continue;
      graph.keep(entry);
      changes.restored(entry);
      conflicts.move(null, entry.track.latest);
      conflicts.noteCorrections(entry.key, entry.corrections);
    }
  }

  /** Judged at once and for good: nothing of it is read from a cluster. */
  function declare(stacks: readonly DeclaredStack[]): void {
    const declared = stacks.map((stack) => declaredObservation(stack, startedAt));
    const keys = new Set(declared.map(({ ref }) => refKey(ref)));
    for (const observation of declared) apply(observation, startedAt, true);
    for (const key of graph.ofKind(declaredKind)) if (!keys.has(key)) drop(key, startedAt, false);
    judgeAll({ graph, journal, changes, policy, reviews, foundLate: true }, keys, startedAt);
  }

  if (restored) restore(restored);
  if ((restored?.cluster?.lastWordAt ?? 0) - startedAt >= moment) comeBack(startedAt);
  declare(deps.stacks ?? []);
  wake(startedAt + breath);

  return {
    take(event) {
      if (stopped) return;
      takeEvent(event);
      wake(clock.now() + breath);
    },
    inStep: () => readinessGate.isOpen() && dirty.size === 0 && settles.next() === null,
    isEmpty: feeds.isEmpty,
    cluster: () => present(clock.now()),
    stop() {
      if (stopped) return;
      const now = clock.now();
      settleAll(settles.keys(), Number.POSITIVE_INFINITY, now);
      if (readinessGate.isOpen()) judgeDirty(now);
      links.stop();
      conflicts.stop();
      clusterDirty = true;
      flush(now);
      stopped = true;
      waking?.timer.cancel();
    },
  };
}
