// Random histories of a source, its applier, what delivers them and a part: writes, leases, feeds, and a clock that may be set back.
import { moveClocks, startClocks, type Clocks } from '../time/clocks.ts';
import type { CurrentCluster, CurrentObject } from '../record/current.ts';
import { defaultPolicy } from '../guarantee/guarantee.ts';
import { controllerLiveness, type Heartbeat } from '../heartbeat/controller-liveness.ts';
import { leaseState, leaseMovedAt, withReading, unmovedSince, type LeaseTrack } from '../heartbeat/lease.ts';
import { judge } from '../verdict/judge.ts';
import type { Judgement } from '../verdict/judgement.ts';
import type { Observation } from '../observation/observation.ts';
import type { RelatedObject, Surroundings } from '../verdict/subject.ts';
import { begin, receive, settle, type Track } from '../observation/track.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { chance, rewritten, type Chance } from './random-object.ts';
import { around, noon, observed, recorded, seenCluster, source as sourceOf } from './observed.ts';
import { minute } from '../time/length.ts';

/** One object of a random world. */
export interface TrackedObject {
  track: Track;
  clocks: Clocks | null;
  judgement: Judgement | null;
  published: Verdict | null;
}

function related(tracked: TrackedObject): RelatedObject {
  return {
    ref: tracked.track.latest.ref,
    state: 'present',
    observation: tracked.track.settled?.observation ?? tracked.track.latest,
    judgement: tracked.judgement,
    awaySince: tracked.clocks?.away?.time ?? null,
    artifactSince: tracked.track.artifactSince,
    lastPassAt: tracked.track.lastPassAt,
    busySince: tracked.track.busySince,
  };
}

function record(tracked: TrackedObject, judgement: Judgement, clocks: Clocks): CurrentObject {
  const { verdict, was, validUntil, reason, sentence, confirmation } = judgement;
  const { ref } = tracked.track.latest;
  return recorded({
    ref,
    verdict,
    was,
    validUntil,
    reason,
    sentence,
    confirmation,
    onset: clocks.onset,
    awaySince: verdict === 'converged' ? null : clocks.away,
    observedAt: tracked.track.latestAt,
    confirmedAt: tracked.track.lastPassAt,
  });
}

/** One judgement in a random world, with everything that it was made from. */
export interface Step {
  readonly now: number;
  readonly seed: number;
  readonly tracked: TrackedObject;
  readonly surroundings: Surroundings;
  readonly judgement: Judgement;
  readonly before: Clocks | null;
  readonly clocks: Clocks;
  readonly record: CurrentObject;
  readonly cluster: CurrentCluster;
}

/** The objects of a world. */
interface TrackedObjects {
  readonly source: TrackedObject;
  readonly deliverer: TrackedObject;
  readonly part: TrackedObject;
  readonly composite: TrackedObject;
  readonly library: TrackedObject;
  readonly applier: TrackedObject;
}

function born(observation: Observation, now: number): TrackedObject {
  return { track: begin(observation, now, true), clocks: null, judgement: null, published: null };
}

function birth(now: number): TrackedObjects {
  const kustomization = observed({ source: sourceOf().ref });
  const named = (name: string): Observation['ref'] => ({ ...kustomization.ref, name });
  return {
    source: born(sourceOf(), now),
    deliverer: born(observed({ ref: named('flux-system'), uid: 'deliverer' }), now),
    part: born(observed({ ref: named('part'), uid: 'part', source: null }), now),
    composite: born(observed({ ref: named('composite'), uid: 'composite', source: null }), now),
    library: born(sourceOf({ ref: { ...sourceOf().ref, name: 'library' }, uid: 'library' }), now),
    applier: born(kustomization, now),
  };
}

type Leases = Map<string, LeaseTrack | null>;

function heartbeat(name: string, leases: Leases, now: number): Heartbeat {
  const lease = leases.get(name) ?? null;
  return {
    cluster: 'c1',
    namespace: 'flux-system',
    name,
    ...controllerLiveness({ lease: leaseState(lease, now), deployment: 'unknown', elects: null }),
    lease: `flux-system/${name}`,
    deployment: null,
    at: lease && leaseMovedAt(lease),
    awaitedSince: lease && unmovedSince(lease),
    interval: null,
  };
}

function renew(leases: Leases, now: number, { maybe }: Chance): void {
  for (const name of ['kustomize-controller', 'source-controller']) {
    if (!maybe(0.7)) continue;
    const before = leases.get(name) ?? null;
    const renewTime = maybe(0.85) ? now : (before?.renewTime ?? null);
    leases.set(name, withReading(before, { renewTime, durationSeconds: 35, holder: 'pod' }, now));
  }
}

/** The cluster as it may be next: reached or not, each feed live or not. */
function nextCluster(before: CurrentCluster, now: number, { one, maybe }: Chance): CurrentCluster {
  let cluster = before;
  if (maybe(0.1))
    cluster = { ...cluster, state: one(['live', 'live', 'live', 'unreachable', 'connecting']), since: now };
  if (maybe(0.1))
    cluster = {
      ...cluster,
      feeds: cluster.feeds.map((feed) => ({
        ...feed,
        state: one(['live', 'live', 'silent', 'forbidden', 'syncing', 'idle']),
        since: now,
      })),
    };
  return maybe(0.8) ? { ...cluster, validUntil: now + 45_000 } : cluster;
}

/** Judges one object, moves its clocks, and gives what came of it. */
function judged(
  tracked: TrackedObject,
  surroundings: Surroundings,
  now: number,
): Pick<Step, 'judgement' | 'before' | 'clocks'> {
  const judgement = judge({ track: tracked.track }, surroundings, defaultPolicy, now);
  const passes = tracked.track.latest.passes.seenBy === 'none' ? null : tracked.track.passesSeen;
  const at = Math.min(tracked.track.settled?.shownAt ?? now, now);
  const input = { verdict: judgement.verdict, at, bound: 'exact' as const, now, passes };
  const before = tracked.clocks;
  const clocks = before ? moveClocks(before, input) : startClocks(input);
  tracked.judgement = judgement;
  tracked.clocks = clocks;
  tracked.published = judgement.verdict;
  return { judgement, before, clocks };
}

/**
 * One world: a GitRepository and another that it includes, the Kustomization on it, the one that delivers both, a composite and
 * its part; leases, feeds, a clock that may be set back.
 */
export function world(seed: number, steps: number, check: (step: Step) => void): void {
  const by = chance(seed);
  const { one, maybe, upTo } = by;
  let now = noon;
  let version = 1;
  let cluster: CurrentCluster = seenCluster();
  const leases: Leases = new Map();
  const objects = birth(now);

  function judgeAndCheck(tracked: TrackedObject, rest: Partial<Surroundings>): void {
    const controller = tracked.track.latest.controller ?? '';
    const surroundings = around({ heartbeat: heartbeat(controller, leases, now), ...rest });
    const result = judged(tracked, surroundings, now);
    check({
      now,
      seed,
      tracked,
      surroundings,
      ...result,
      record: record(tracked, result.judgement, result.clocks),
      cluster,
    });
  }

  for (let step = 0; step < steps; step += 1) {
    now += one([1, 15, 90, 200, 5_000, 20_000, minute, 7 * minute, 40 * minute]);
    if (maybe(0.01)) now -= upTo(2 * 60 * minute);
    const tracked = one([
      objects.source,
      objects.library,
      objects.deliverer,
      objects.composite,
      objects.part,
      objects.applier,
    ]);
    if (maybe(0.6)) {
      const next = rewritten(tracked.track.latest, now, (version += 1), by);
      if (next.uid !== tracked.track.latest.uid) Object.assign(tracked, born(next, now));
      else tracked.track = receive(tracked.track, next, now);
    }
    renew(leases, now, by);
    cluster = nextCluster(cluster, now, by);
    for (const each of Object.values(objects)) each.track = settle(each.track, now);
    judgeAndCheck(objects.deliverer, {});
    judgeAndCheck(objects.library, {});
    judgeAndCheck(objects.composite, { delivery: related(objects.deliverer), children: [related(objects.part)] });
    judgeAndCheck(objects.part, { composer: related(objects.composite) });
    judgeAndCheck(objects.source, { delivery: related(objects.deliverer), otherSources: [related(objects.library)] });
    judgeAndCheck(objects.applier, {
      source: related(objects.source),
      otherSources: [related(objects.library)],
      delivery: related(objects.deliverer),
      dependencies: [related(objects.deliverer)],
      children: [related(objects.part)],
      missing: maybe(0.05)
        ? [{ ref: { ...objects.part.track.latest.ref, name: 'gone' }, since: now - upTo(20 * minute) }]
        : [],
    });
  }
}
