// Random lives of a source, its applier, what delivers them and a part: writes, leases, feeds, and a clock that may be set back.
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
export interface Life {
  track: Track;
  clocks: Clocks | null;
  judgement: Judgement | null;
  published: Verdict | null;
}

function standing(life: Life): RelatedObject {
  return {
    ref: life.track.latest.ref,
    state: 'present',
    observation: life.track.settled?.observation ?? life.track.latest,
    judgement: life.judgement,
    awaySince: life.clocks?.away?.time ?? null,
    artifactSince: life.track.artifactSince,
    lastPassAt: life.track.lastPassAt,
    busySince: life.track.busySince,
  };
}

function record(life: Life, judgement: Judgement, clocks: Clocks): CurrentObject {
  const { verdict, was, validUntil, reason, sentence, confirmation } = judgement;
  const { ref } = life.track.latest;
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
    observedAt: life.track.latestAt,
    confirmedAt: life.track.lastPassAt,
  });
}

/** One judgement in a random world, with everything that it was made from. */
export interface Step {
  readonly now: number;
  readonly seed: number;
  readonly life: Life;
  readonly surroundings: Surroundings;
  readonly judgement: Judgement;
  readonly before: Clocks | null;
  readonly clocks: Clocks;
  readonly record: CurrentObject;
  readonly cluster: CurrentCluster;
}

/** The objects of a world. */
interface Lives {
  readonly source: Life;
  readonly deliverer: Life;
  readonly part: Life;
  readonly composite: Life;
  readonly library: Life;
  readonly applier: Life;
}

function born(observation: Observation, now: number): Life {
  return { track: begin(observation, now, true), clocks: null, judgement: null, published: null };
}

function birth(now: number): Lives {
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
function judged(life: Life, surroundings: Surroundings, now: number): Pick<Step, 'judgement' | 'before' | 'clocks'> {
  const judgement = judge({ track: life.track }, surroundings, defaultPolicy, now);
  const passes = life.track.latest.passes.seenBy === 'none' ? null : life.track.passesSeen;
  const at = Math.min(life.track.settled?.shownAt ?? now, now);
  const input = { verdict: judgement.verdict, at, bound: 'exact' as const, now, passes };
  const before = life.clocks;
  const clocks = before ? moveClocks(before, input) : startClocks(input);
  life.judgement = judgement;
  life.clocks = clocks;
  life.published = judgement.verdict;
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
  const lives = birth(now);

  function judgeAndCheck(life: Life, rest: Partial<Surroundings>): void {
    const controller = life.track.latest.controller ?? '';
    const surroundings = around({ heartbeat: heartbeat(controller, leases, now), ...rest });
    const result = judged(life, surroundings, now);
    check({ now, seed, life, surroundings, ...result, record: record(life, result.judgement, result.clocks), cluster });
  }

  for (let step = 0; step < steps; step += 1) {
    now += one([1, 15, 90, 200, 5_000, 20_000, minute, 7 * minute, 40 * minute]);
    if (maybe(0.01)) now -= upTo(2 * 60 * minute);
    const life = one([lives.source, lives.library, lives.deliverer, lives.composite, lives.part, lives.applier]);
    if (maybe(0.6)) {
      const next = rewritten(life.track.latest, now, (version += 1), by);
      if (next.uid !== life.track.latest.uid) Object.assign(life, born(next, now));
      else life.track = receive(life.track, next, now);
    }
    renew(leases, now, by);
    cluster = nextCluster(cluster, now, by);
    for (const each of Object.values(lives)) each.track = settle(each.track, now);
    judgeAndCheck(lives.deliverer, {});
    judgeAndCheck(lives.library, {});
    judgeAndCheck(lives.composite, { delivery: standing(lives.deliverer), children: [standing(lives.part)] });
    judgeAndCheck(lives.part, { composer: standing(lives.composite) });
    judgeAndCheck(lives.source, { delivery: standing(lives.deliverer), otherSources: [standing(lives.library)] });
    judgeAndCheck(lives.applier, {
      source: standing(lives.source),
      otherSources: [standing(lives.library)],
      delivery: standing(lives.deliverer),
      dependencies: [standing(lives.deliverer)],
      children: [standing(lives.part)],
      missing: maybe(0.05)
        ? [{ ref: { ...lives.part.track.latest.ref, name: 'gone' }, since: now - upTo(20 * minute) }]
        : [],
    });
  }
}
