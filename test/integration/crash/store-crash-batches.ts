import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { second } from '#lib/domain/time/length.ts';
import type { WriteBatch } from '#server/store/port/port.ts';
import { batchOf, clusterOf, noon, objectOf, refOf, transitionOf, withDetails } from '#test/contract/store-records.ts';

/** So many objects take turns, each through the verdicts of one that breaks, is mended, is removed and is made anew. */
const objects = 7;
const verdictCycle: readonly (Verdict | null)[] = ['converged', 'diverged', 'unhealthy', 'converged', 'stale', null];

/** The `number`th batch of one history that is the same each time it is asked for. */
export function crashBatch(number: number): WriteBatch {
  const turn = Math.floor(number / objects);
  const ref = refOf('a', number % objects);
  const at = noon + number * second;
  const to = verdictCycle[turn % verdictCycle.length] ?? null;
  const from = verdictCycle[(turn + verdictCycle.length - 1) % verdictCycle.length] ?? null;
  const uid = `uid-${Math.floor(turn / verdictCycle.length)}`;
  const commit = String(turn % 10).repeat(40);
  const transition = transitionOf(ref, at, { uid, noticedAt: at + 10, from, to, commit });
  const rest = {
    at: at + 10,
    cluster: clusterOf('a', { lastWordAt: at }),
    transitions: [transition],
    coverage: [{ cluster: 'a', kind: null, at, observed: turn % 2 === 0, state: String(turn % 2), reason: null }],
  };
  if (to === null) return batchOf({ ...rest, removed: [{ ref, at: at + 10 }] });
  const onset = { time: at, bound: 'exact' as const, noticedAt: at + 10 };
  const awaySince = to === 'converged' ? null : onset;
  const lastGood = String((turn + 9) % 10).repeat(40);
  const range = to === 'converged' ? null : { lastGood, firstBad: commit, seenBetween: 0, watched: true };
  return batchOf({
    ...rest,
    objects: withDetails([objectOf(ref, { uid, verdict: to, onset, awaySince, commit, range })]),
    corrections: [{ ref, correction: { at, certainty: 'probable', said: `${ref.name} configured`, count: 1 } }],
    arrivals: [{ ref, commit, at }],
  });
}
