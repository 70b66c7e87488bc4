import { expect, it } from 'vitest';
import { batchOf, clusterOf, noon, objectOf, refOf, transitionOf, withDetails } from '#test/contract/store-records.ts';
import { boundedParts } from './bounded-parts.ts';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, number) => number);
const coverage = [{ cluster: 'a', kind: null, at: noon, observed: true, state: 'live', reason: null }];

function removing(count: number, change: Parameters<typeof batchOf>[0] = {}) {
  const refs = numbers(count).map((number) => refOf('a', number));
  return batchOf({
    ...{ cluster: clusterOf('a'), coverage, setBackTo: noon },
    removed: refs.map((ref) => ({ ref, at: noon })),
    transitions: refs.map((ref) => transitionOf(ref, noon, { from: 'diverged', to: null })),
    ...change,
  });
}

it('leaves a batch as it is that removes no more than is written at once', () => {
  const batch = removing(2);
  expect(boundedParts(batch, 2)).toEqual([batch]);
});

it('sends ahead what is removed in parts, each with the ends of its spans, and what vouches for the whole last', () => {
  const parts = boundedParts(removing(5), 2);
  const told = parts.map(({ removed, transitions, cluster, coverage: points, setBackTo }) => [
    removed.map(({ ref }) => ref.name),
    transitions.map(({ ref }) => ref.name),
    cluster !== null,
    points.length,
    setBackTo ?? null,
  ]);
  expect(told).toEqual([
    [['app-0', 'app-1'], ['app-0', 'app-1'], false, 0, noon],
    [['app-2', 'app-3'], ['app-2', 'app-3'], false, 0, null],
    [['app-4'], ['app-4'], false, 0, null],
    [[], [], true, 1, null],
  ]);
});

it('keeps what was made anew with its removal, and what is told of nothing in the last part', () => {
  const objects = withDetails([objectOf(refOf('a', 1), { uid: 'second' }), objectOf(refOf('a', 9))]);
  const transitions = [1, 0, 8, 9].map((number) => transitionOf(refOf('a', number), noon, { to: null }));
  const parts = boundedParts(removing(3, { objects, transitions }), 2);
  const told = parts.map((part) => [
    part.removed.map(({ ref }) => ref.name),
    part.objects.map(({ object }) => object.ref.name),
    part.transitions.map(({ ref }) => ref.name),
  ]);
  expect(told).toEqual([
    [['app-0', 'app-2'], [], ['app-0']],
    [['app-1'], ['app-1', 'app-9'], ['app-1', 'app-9']],
    [[], [], ['app-8']],
  ]);
});

it('parts what was judged at once when its cluster was left', () => {
  const objects = withDetails(numbers(1_200).map((number) => objectOf(refOf('a', number))));
  const parts = boundedParts(batchOf({ cluster: clusterOf('a'), objects }));
  expect(parts.map((part) => [part.objects.length, part.cluster !== null])).toEqual([
    [500, false],
    [500, false],
    [200, false],
    [0, true],
  ]);
});

it('is shared out in one go, however much there is', () => {
  const parts = boundedParts(removing(20_000), 500);
  expect(parts.map(({ removed }) => removed.length)).toEqual([...numbers(40).map(() => 500), 0]);
});
