import type { Judgement } from '#lib/domain/verdict/judgement.ts';
import type { RefKey } from '#lib/domain/observation/ref.ts';
import type { Entry } from '../objects/entry.ts';
import { judgeEntry, keepJudgement, matters, waitsForQuiet, type JudgingDeps } from './judging.ts';

/** More judgements of one object at once would mean that nothing settles. A chain of objects may be longer. */
const roundLimit = 8;
/** Within a circle each may become worse several times, and name another cause. */
const visitLimit = 32;
/** So many upstreams cost about as much to look at as the object costs to judge. */
const upstreamsPerUnit = 4;
/** And so many objects that it lists: each may be missing. */
const listedPerUnit = 100;

/** Work of judging one object, about: 1 for one with few upstreams, that lists few. */
function workOf({ upstreams, inventory }: Entry): number {
  return 1 + upstreams.length / upstreamsPerUnit + inventory.length / listedPerUnit;
}

/** A judgement within a circle, and the version of the object that it is of. */
interface Provisional {
  readonly entry: Entry;
  readonly version: string;
  readonly judgement: Judgement;
}

function versionOf(entry: Entry): string {
  return entry.state.track.latest.resourceVersion;
}

/**
 * Judges objects that depend on each other in a cycle. Each is first taken to have nothing against the others and then made
 * only worse, until nothing moves: what holds the one back only because of the other would otherwise never let go of both. One
 * is judged again only where something moved that it depends on: a circle may be as long as a cluster is large.
 */
function* judgeCycle(
  deps: JudgingDeps,
  cycle: readonly Entry[],
  now: number,
): Generator<number, readonly Entry[], unknown> {
  const members = new Map(cycle.map((entry) => [entry.key, entry]));
  const provisional = new Map<RefKey, Judgement | null>(cycle.map((entry) => [entry.key, null]));
  const found = new Map<RefKey, Provisional>();
  const visits = new Map<RefKey, number>();
  const waiting = new Set(members.keys());
  // What is added while a set is gone through comes last.
  for (const key of waiting) {
    waiting.delete(key);
    const entry = members.get(key);
    if (!entry) continue;
    const judgement = judgeEntry(deps, entry, now, provisional);
    const moved = matters(provisional.get(key) ?? null, judgement);
    provisional.set(key, judgement);
    found.set(key, { entry, version: versionOf(entry), judgement });
    visits.set(key, (visits.get(key) ?? 0) + 1);
    if (moved)
      for (const other of deps.graph.dependentsOf(key))
        if (members.has(other) && (visits.get(other) ?? 0) < visitLimit) waiting.add(other);
    yield workOf(entry);
  }
  const changed: Entry[] = [];
  for (const { entry, version, judgement } of found.values()) {
    // What came or went meanwhile waits to be judged as it is now.
    if (deps.graph.entries.get(entry.key) !== entry || versionOf(entry) !== version) continue;
    if (keepJudgement(deps, entry, judgement, now)) changed.push(entry);
    yield workOf(entry);
  }
  return changed;
}

function* judgeGroup(
  deps: JudgingDeps,
  group: readonly RefKey[],
  now: number,
): Generator<number, readonly Entry[], unknown> {
  const members = group
    .map((key) => deps.graph.entries.get(key))
    .filter((entry) => entry !== undefined)
    .filter((entry) => !waitsForQuiet(entry));
  const [only, ...others] = members;
  if (!only) return [];
  if (others.length > 0) return yield* judgeCycle(deps, members, now);
  const changed = keepJudgement(deps, only, judgeEntry(deps, only, now, null), now) ? [only] : [];
  yield workOf(only);
  return changed;
}

/**
 * Judges the given objects, and whatever depends on those whose judgement changed, until nothing moves any more. It yields after
 * each object what that cost (1 for one with few upstreams), so that it can be left and taken up again; objects may come and go
 * meanwhile. `now` gives the time (ms) at which what comes next is judged.
 */
export function* judgePass(
  deps: JudgingDeps,
  keys: ReadonlySet<RefKey>,
  now: () => number,
): Generator<number, void, unknown> {
  const { graph } = deps;
  const rounds = new Map<RefKey, number>();
  // Of what is linked anew meanwhile all waits for the next pass.
  const inOrder = graph.order();
  let dirty = new Set(keys);
  while (dirty.size > 0) {
    const next = new Set<RefKey>();
    for (const group of inOrder(dirty)) {
      const changed = yield* judgeGroup(deps, group, now());
      for (const key of group) next.delete(key);
      const members = new Set(group);
      for (const entry of changed)
        for (const other of graph.dependentsOf(entry.key)) if (!members.has(other)) next.add(other);
    }
    for (const key of next) {
      const times = (rounds.get(key) ?? 0) + 1;
      rounds.set(key, times);
      if (times >= roundLimit) next.delete(key);
    }
    dirty = next;
  }
}
