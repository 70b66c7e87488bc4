import { expect, it } from 'vitest';
import { createExternalClaims } from './external-claims.ts';

const bucket = (cluster: string, name: string): string => `${cluster}/s3.aws.upbound.io/Bucket//${name}`;

it('tells both clusters of a resource that is managed from both, and nobody else', () => {
  const claims = createExternalClaims();
  const news: string[] = [];
  for (const cluster of ['a', 'b', 'c']) claims.listen(cluster, () => void news.push(cluster));
  claims.claim(1, bucket('a', 'logs'));
  claims.claim(2, bucket('c', 'media'));
  expect(news).toEqual([]);
  claims.claim(1, bucket('b', 'logs'));
  expect(new Set(news)).toEqual(new Set(['a', 'b']));
  expect(claims.contestedOn('a')).toEqual({
    some: [{ owners: [bucket('a', 'logs'), bucket('b', 'logs')], total: 2 }],
    total: 1,
  });
  expect(claims.contestedOn('b')).toEqual(claims.contestedOn('a'));
  expect(claims.contestedOn('c')).toEqual({ some: [], total: 0 });
  claims.release(1, bucket('b', 'logs'));
  expect(claims.contestedOn('a')).toEqual({ some: [], total: 0 });
  expect(claims.contestedOn('b')).toEqual({ some: [], total: 0 });
  expect(news).not.toContain('c');
});

it('a cluster that is read anew hears in place of what it was, which leaves without harm', () => {
  const claims = createExternalClaims();
  const news: string[] = [];
  const stop = claims.listen('a', () => void news.push('old'));
  claims.listen('a', () => void news.push('new'));
  stop();
  claims.claim(1, bucket('a', 'one'));
  claims.claim(1, bucket('a', 'two'));
  expect(new Set(news)).toEqual(new Set(['new']));
});

it('what a thousand clusters claim is counted, not listed, and each further one is news to itself only', () => {
  const claims = createExternalClaims();
  const clusters = Array.from({ length: 1000 }, (_, index) => `c${index}`);
  const news = new Map<string, number>();
  for (const cluster of clusters) claims.listen(cluster, () => void news.set(cluster, (news.get(cluster) ?? 0) + 1));
  for (const cluster of clusters) claims.claim(1, bucket(cluster, 'logs'));
  const [found] = claims.contestedOn('c999').some;
  expect(found?.total).toBe(1000);
  expect(found?.owners).toHaveLength(16);
  expect(news.get('c0')).toBeLessThan(40);
  for (const cluster of clusters.slice(1)) claims.release(1, bucket(cluster, 'logs'));
  expect(claims.contestedOn('c0')).toEqual({ some: [], total: 0 });
});

it('counts what comes and goes, on each cluster alone', () => {
  const claims = createExternalClaims();
  const owners = [bucket('a', 'one'), bucket('a', 'two'), bucket('b', 'one'), bucket('a', 'three')];
  const told = (): (number | undefined)[] => ['a', 'b'].map((cluster) => claims.contestedOn(cluster).some[0]?.total);
  const steps = [
    ...owners.map((owner) => () => claims.claim(7, owner)),
    () => claims.claim(7, bucket('b', 'one')),
    ...owners.toReversed().map((owner) => () => claims.release(7, owner)),
  ];
  const found = steps.map((step) => {
    step();
    return told();
  });
  const none = undefined;
  const coming = [
    [none, none],
    [2, none],
    [3, 3],
    [4, 4],
  ];
  expect(found).toEqual([...coming, [4, 4], [3, 3], [2, none], [none, none], [none, none]]);
});

it.each([
  [17, 1],
  [18, 0],
])('where %i clusters claim one resource the last of them is news to each other one %i time', (clusters, times) => {
  const claims = createExternalClaims();
  for (let n = 1; n < clusters; n++) claims.claim(1, bucket(`c${n}`, 'logs'));
  let news = 0;
  claims.listen('c1', () => void (news += 1));
  claims.claim(1, bucket(`c${clusters}`, 'logs'));
  expect(news).toBe(times);
});

it('forgets what ended, so that who leaves later is told no more', () => {
  const claims = createExternalClaims();
  const [a, b, c] = [bucket('a', 'one'), bucket('b', 'one'), bucket('c', 'one')];
  claims.claim(1, a);
  claims.claim(1, b);
  claims.release(1, b);
  claims.claim(1, b);
  claims.claim(1, c);
  claims.release(1, a);
  const total = (cluster: string) => claims.contestedOn(cluster).some.map((one) => one.total);
  expect([total('a'), total('b'), total('c')]).toEqual([[], [2], [2]]);
});

it('loses a claim only by who has it', () => {
  const claims = createExternalClaims();
  const [a, b, c] = [bucket('a', 'one'), bucket('b', 'one'), bucket('c', 'one')];
  claims.claim(1, a);
  claims.release(1, b);
  claims.claim(1, c);
  expect(claims.contestedOn('c')).toEqual({ some: [{ owners: [a, c], total: 2 }], total: 1 });
  claims.claim(2, a);
  claims.release(2, a);
  claims.claim(2, c);
  expect(claims.contestedOn('c').total).toBe(1);
});

it('tells a thousand of those of one cluster, and how many there are', () => {
  const claims = createExternalClaims();
  for (let thing = 0; thing < 3_000; thing++)
    for (const cluster of ['a', 'b']) claims.claim(thing, bucket(cluster, `n${thing}`));
  const { some, total } = claims.contestedOn('a');
  expect([some.length, total]).toEqual([1_000, 3_000]);
});

it('a cluster that claims everything, many times over, hides neither who else does nor what is between others', () => {
  const claims = createExternalClaims();
  const numbers = Array.from({ length: 3_000 }, (_, n) => n);
  const forged = Array.from({ length: 30 }, (_, n) => n);
  for (const thing of numbers) claims.claim(thing, bucket('victim', `own-${thing}`));
  for (const thing of numbers) claims.claim(thing, bucket('evil', `forged-${thing}`));
  for (const more of forged) claims.claim(2_999, bucket('evil', `again-${more}`));
  claims.claim(2_999, bucket('w', 'theirs'));
  const { some, total } = claims.contestedOn('victim');
  expect([some.length, total]).toEqual([1_000, 3_000]);
  const found = some.find(({ owners }) => owners.includes(bucket('w', 'theirs')));
  expect([found?.owners.length, found?.total]).toEqual([16, 33]);
  expect(found?.owners.slice(0, 3)).toEqual([
    bucket('victim', 'own-2999'),
    bucket('evil', 'forged-2999'),
    bucket('w', 'theirs'),
  ]);
});
