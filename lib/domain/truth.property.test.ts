// Random lives of a source and an applier through track, judge, clocks and asKnownAt: what may never be said, whatever happens.
import { describe, expect, it } from 'vitest';
import { asKnownAt } from './as-known-at.ts';
import { moveClocks, startClocks, type Clocks } from './clocks.ts';
import type { CurrentCluster, CurrentObject } from './current.ts';
import { defaultPolicy } from './guarantee.ts';
import { leaseDiesAt, leaseState, lookAtLease, type LeaseTrack } from './heartbeat.ts';
import { judge } from './judge.ts';
import type { Judgement } from './judgement.ts';
import type { Fault, Observation, Word } from './observation.ts';
import type { Heartbeat, Standing, Surroundings } from './subject.ts';
import { around, minute, noon, observed, recorded, seenCluster, source as sourceOf } from './testing/observed.ts';
import { begin, receive, settle, type Track } from './track.ts';
import { verdictRank, type Verdict } from './verdict.ts';

/** A seeded generator (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Chance {
  readonly next: () => number;
  one<T>(of: readonly [T, ...T[]]): T;
  maybe(share: number): boolean;
  upTo(most: number): number;
}

function chance(seed: number): Chance {
  const next = generator(seed);
  return {
    next,
    one: (of) => of[Math.trunc(next() * of.length)] ?? of[0],
    maybe: (share) => next() < share,
    upTo: (most) => Math.trunc(next() * most),
  };
}

const faults: readonly [Fault, ...Fault[]] = ['apply', 'health', 'observe', 'dependency', 'artifact', 'fetch'];
const revisions: readonly [string, ...string[]] = ['main@sha1:a', 'main@sha1:b', 'main@sha1:c'];

function wordOf({ one, maybe }: Chance): Word {
  const bad: Word = { said: 'bad', fault: one(faults), reason: one(['BuildFailed', 'HealthCheckFailed', 'X']), message: 'no', terminal: maybe(0.1) };
  const good: Word = { said: 'good', reason: 'ReconciliationSucceeded', message: '' };
  return one<Word>([good, good, good, good, bad, { said: 'busy', reason: 'Progressing', message: '', before: one([null, good, bad]) }, { said: 'nothing' }, { said: 'static' }, { said: 'unrecognised', why: 'odd' }]);
}

/** The next write of an object: most of it stays as it was. */
function rewritten(before: Observation, now: number, version: number, by: Chance): Observation {
  const { one, maybe, upTo } = by;
  const word = wordOf(by);
  const passed = word.said === 'good' && maybe(0.8);
  const applier = before.role === 'applier';
  const generation = before.generation + (maybe(0.1) ? 1 : 0);
  return {
    ...before,
    resourceVersion: String(version),
    uid: maybe(0.01) ? `uid-${version}` : before.uid,
    generation,
    observedGeneration: one([generation, generation, generation, generation - 1, null]),
    word,
    reconciling: word.said === 'busy' || maybe(0.1),
    deletedAt: maybe(0.02) ? now - upTo(30 * minute) : null,
    suspended: maybe(0.1) ? { field: 'spec.suspend', by: null, at: now } : maybe(0.5) ? before.suspended : null,
    cadence: maybe(0.05) ? { interval: one([10_000, minute, 60 * minute, null]), retryInterval: one([null, 30_000]), timeout: one([null, minute]) } : before.cadence,
    passes: applier ? { seenBy: one(['history', 'writes']), last: passed ? now - upTo(2_000) + (maybe(0.02) ? 60 * minute : 0) : before.passes.last, total: null } : before.passes,
    revisions: applier
      ? { ...before.revisions, applied: passed ? one([before.revisions.applied, ...revisions]) : before.revisions.applied, attempted: one([null, ...revisions]) }
      : { ...before.revisions, artifact: maybe(0.2) ? one(revisions) : before.revisions.artifact },
    hasArtifact: applier ? false : !maybe(0.05),
    drift: word.said === 'good' && maybe(0.05) ? { drift: 'found', message: 'x' } : { drift: 'none' },
    lastWriteAt: maybe(0.9) ? now : null,
  };
}

interface Life {
  track: Track;
  clocks: Clocks | null;
  judgement: Judgement | null;
  published: Verdict | null;
}

function standing(life: Life): Standing {
  return {
    ref: life.track.latest.ref,
    state: 'present',
    observation: life.track.settled?.observation ?? life.track.latest,
    judgement: life.judgement,
    awaySince: life.clocks?.away?.time ?? null,
    artifactSince: life.track.artifactSince,
  };
}

function record(life: Life, judgement: Judgement, clocks: Clocks): CurrentObject {
  const { verdict, was, validUntil, reason, sentence, confirmation } = judgement;
  const { ref } = life.track.latest;
  return recorded({ ref, verdict, was, validUntil, reason, sentence, confirmation, onset: clocks.onset, awaySince: verdict === 'converged' ? null : clocks.away, observedAt: life.track.latestAt, confirmedAt: life.track.lastPassAt });
}

/** One world: a GitRepository, the Kustomization on it, the one that delivers both, a part; leases, feeds, a clock that may be set back. */
function world(seed: number, steps: number, check: (step: Step) => void): void {
  const by = chance(seed);
  const { one, maybe, upTo } = by;
  let now = noon;
  let version = 1;
  let cluster: CurrentCluster = seenCluster();
  const leases = new Map<string, LeaseTrack | null>();
  const kustomization = observed({ source: sourceOf().ref });
  const deliverer = observed({ ref: { ...kustomization.ref, name: 'flux-system' }, uid: 'deliverer' });
  const part = observed({ ref: { ...kustomization.ref, name: 'part' }, uid: 'part', source: null });
  const born = (observation: Observation): Life => ({ track: begin(observation, now, true), clocks: null, judgement: null, published: null });
  const lives = { source: born(sourceOf()), deliverer: born(deliverer), part: born(part), applier: born(kustomization) };

  function heartbeat(name: string): Heartbeat {
    const lease = leases.get(name) ?? null;
    return { cluster: 'c1', namespace: 'flux-system', name, state: leaseState(lease, now), movedAt: lease?.movedAt ?? null, diesAt: lease ? leaseDiesAt(lease) : null };
  }

  function judgeLife(life: Life, rest: Partial<Surroundings>): void {
    const surroundings = around({ heartbeat: heartbeat(life.track.latest.controller ?? ''), ...rest });
    const judgement = judge({ track: life.track, last: life.published }, surroundings, defaultPolicy, now);
    const passes = life.track.latest.passes.seenBy === 'none' ? null : life.track.passesSeen;
    const at = Math.min(life.track.settled?.shownAt ?? now, now);
    const input = { verdict: judgement.verdict, at, bound: 'exact' as const, now, passes };
    const before = life.clocks;
    const clocks = before ? moveClocks(before, input) : startClocks(input);
    life.judgement = judgement;
    life.clocks = clocks;
    life.published = judgement.verdict;
    check({ now, seed, life, surroundings, judgement, before, clocks, record: record(life, judgement, clocks), cluster });
  }

  for (let step = 0; step < steps; step += 1) {
    now += one([1, 15, 90, 200, 5_000, 20_000, minute, 7 * minute, 40 * minute]);
    if (maybe(0.01)) now -= upTo(2 * 60 * minute);
    const life = one([lives.source, lives.deliverer, lives.part, lives.applier]);
    if (maybe(0.6)) {
      const next = rewritten(life.track.latest, now, (version += 1), by);
      if (next.uid !== life.track.latest.uid) Object.assign(life, born(next));
      else life.track = receive(life.track, next, now);
    }
    for (const name of ['kustomize-controller', 'source-controller']) {
      if (maybe(0.7)) leases.set(name, lookAtLease(leases.get(name) ?? null, { renewTime: maybe(0.85) ? now : (leases.get(name)?.renewTime ?? null), durationSeconds: 35 }, now));
    }
    if (maybe(0.1)) cluster = { ...cluster, state: one(['live', 'live', 'live', 'unreachable', 'connecting']), since: now };
    if (maybe(0.1)) cluster = { ...cluster, feeds: cluster.feeds.map((feed) => ({ ...feed, state: one(['live', 'live', 'silent', 'forbidden', 'syncing', 'idle']), since: now })) };
    if (maybe(0.8)) cluster = { ...cluster, validUntil: now + 45_000 };
    for (const each of Object.values(lives)) each.track = settle(each.track, now);
    judgeLife(lives.deliverer, {});
    judgeLife(lives.part, { delivery: standing(lives.deliverer) });
    judgeLife(lives.source, { delivery: standing(lives.deliverer) });
    const ref = { ...part.ref, name: 'gone' };
    judgeLife(lives.applier, { source: standing(lives.source), delivery: standing(lives.deliverer), dependencies: [standing(lives.deliverer)], children: [standing(lives.part)], missing: maybe(0.05) ? [{ ref, since: now - upTo(20 * minute) }] : [] });
  }
}

interface Step {
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

const seeds = Array.from({ length: 60 }, (_, index) => index + 1);
const steps = 150;

/** Runs every world; the first that breaks the rule is told with its seed. */
function always(rule: (step: Step) => string | null): void {
  const broken: string[] = [];
  let judged = 0;
  for (const seed of seeds) {
    world(seed, steps, (step) => {
      judged += 1;
      const wrong = rule(step);
      if (wrong !== null) broken.push(`seed ${seed}, ${step.life.track.latest.ref.name} at ${step.now}: ${wrong} (${JSON.stringify(step.judgement)})`);
    });
  }
  expect(broken.slice(0, 3)).toEqual([]);
  expect(judged).toBe(seeds.length * steps * 4);
}

const stood: readonly Verdict[] = ['stale', 'unobserved'];

/** Why an object that is called converged is not known to be. */
function unproved({ life, surroundings, judgement, now }: Step): string | null {
  const { track } = life;
  const settled = track.settled?.observation;
  if (!settled) return 'it never came to rest';
  const { word } = settled;
  const waits = word.said === 'bad' && word.fault === 'dependency';
  if (word.said !== 'good' && word.said !== 'static' && !(waits && judgement.rolling)) return `it said ${word.said}`;
  if (track.latest.suspended) return 'it is switched off';
  if (settled.drift.drift === 'found') return 'it has drifted';
  if (judgement.confirmation === 'none') return 'nothing confirms it';
  if (judgement.validUntil !== null && judgement.validUntil <= now) return 'its proof has run out';
  if (judgement.confirmation === 'controller' && surroundings.heartbeat?.state !== 'alive' && surroundings.delivery?.judgement?.verdict !== 'converged') return 'its controller is not known to live';
  if (track.latest.deletedAt !== null) return 'it is being deleted';
  if (track.unobservedSpecSince !== null && now >= track.unobservedSpecSince + 10_000) return 'its spec was not looked at';
  const { source, delivery, children } = surroundings;
  if (delivery?.judgement && delivery.judgement.verdict !== 'converged') return 'what delivers it is not converged';
  for (const child of children) if (child.judgement && child.judgement.verdict !== 'converged') return 'a part of it is not converged';
  // A repository that is static (HelmRepository of type oci) is not looked at: its charts are.
  const looksAtGit = source?.observation?.word.said !== 'static';
  if (looksAtGit && source?.judgement && stood.includes(source.judgement.verdict)) return 'its source is blind';
  if (looksAtGit && source?.judgement?.verdict === 'suspended') return 'its source is switched off';
  const { applied } = settled.revisions;
  const offered = source?.observation?.revisions.artifact ?? null;
  const since = source?.artifactSince ?? now;
  if (settled.role === 'applier' && source && applied !== null && offered !== null && applied !== offered && now >= since + defaultPolicy.behindAfter) return 'it is behind';
  return null;
}

describe('whatever happens', () => {
  it('nothing is converged that is not known to be', () => {
    let green = 0;
    always((step) => {
      if (step.judgement.verdict !== 'converged') return null;
      green += 1;
      return unproved(step);
    });
    // A rule about what never is proves nothing.
    expect(green).toBeGreaterThan(500);
  });

  it('nothing is better than what it stands on makes it', () => {
    always(({ judgement, surroundings }) => {
      for (const child of surroundings.children) {
        if (child.judgement && child.judgement.verdict !== 'suspended' && judgement.verdict !== 'suspended' && judgement.verdict !== 'stale' && verdictRank(judgement.verdict) > verdictRank(child.judgement.verdict)) return `a part is ${child.judgement.verdict}`;
      }
      return null;
    });
  });

  it('no clock lies in the future, and looks come later', () => {
    always(({ now, clocks, judgement }) => {
      if (clocks.onset.time > now || clocks.onset.noticedAt > now) return 'its onset lies in the future';
      if (clocks.away && clocks.away.time > now) return 'its time away lies in the future';
      if (judgement.reviewAt !== null && judgement.reviewAt <= now) return `it should have been looked at ${now - judgement.reviewAt} ms ago`;
      return null;
    });
  });

  it('a time away does not begin again before it has ended', () => {
    always(({ before, clocks, now }) => {
      const from = before?.away;
      if (!from || !before.trulyAway || clocks.verdict === 'converged' || !clocks.away) return null;
      // Home for good in between ends it; a clock that was set back moves it, to now at the latest.
      if (before.verdict === 'converged' && clocks.home === null && clocks.away.time >= Math.min(before.onset.time, now)) return null;
      return clocks.away.time === Math.min(from.time, now) ? null : `away since ${from.time}, then since ${clocks.away.time}`;
    });
  });

  it('what is not converged has been away since some time, and what is away is told so', () => {
    always(({ judgement, clocks, record: told }) => {
      if (judgement.verdict !== clocks.verdict) return 'the clocks tell of another verdict';
      return (told.awaySince === null) === (judgement.verdict === 'converged') ? null : 'awaySince and verdict do not agree';
    });
  });

  it('nothing is green to a reader that nobody sees or vouches for', () => {
    always(({ record: told, cluster, now, judgement }) => {
      for (const at of [now, now + 44_000, now + 46_000, now + 24 * 60 * minute]) {
        const known = asKnownAt(told, cluster, at);
        if (known.onset.time > at) return 'its onset lies in the future';
        if (known.verdict !== 'converged') continue;
        const feed = cluster.feeds.find((one) => one.kind === told.ref.kind);
        if (cluster.state !== 'live' || at >= cluster.validUntil) return 'its cluster is not seen';
        if (!feed || (feed.state !== 'live' && feed.state !== 'idle')) return 'its kind is not read';
        if (judgement.validUntil !== null && at >= judgement.validUntil) return 'its proof has run out';
      }
      return null;
    });
  });

  it('what is said has words and a reason', () => {
    always(({ judgement }) => (judgement.sentence === '' || judgement.reason === '' ? 'nothing is said' : null));
  });
});
