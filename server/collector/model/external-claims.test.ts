import { expect, it } from 'vitest';
import { createExternalClaims } from './external-claims.ts';

const bucket = (cluster: string, name: string): string => `${cluster}/s3.aws.upbound.io/Bucket//${name}`;

it('tells both clusters of a resource that is managed from both, and nobody else', () => {
  const claims = createExternalClaims();
  const heard: string[] = [];
  for (const cluster of ['a', 'b', 'c']) claims.listen(cluster, () => void heard.push(cluster));
  claims.claim(1, bucket('a', 'logs'));
  claims.claim(2, bucket('c', 'media'));
  expect(heard).toEqual([]);
  claims.claim(1, bucket('b', 'logs'));
  expect(heard).toEqual(['a', 'b']);
  expect(claims.contestedOn('a')).toEqual([[bucket('a', 'logs'), bucket('b', 'logs')]]);
  expect(claims.contestedOn('b')).toEqual(claims.contestedOn('a'));
  expect(claims.contestedOn('c')).toEqual([]);
  claims.release(1, bucket('b', 'logs'));
  expect(claims.contestedOn('a')).toEqual([]);
  expect(heard).toEqual(['a', 'b', 'a', 'b']);
});

it('a cluster that is read anew hears in place of what it was, which leaves without harm', () => {
  const claims = createExternalClaims();
  const heard: string[] = [];
  const stop = claims.listen('a', () => void heard.push('old'));
  claims.listen('a', () => void heard.push('new'));
  stop();
  claims.claim(1, bucket('a', 'one'));
  claims.claim(1, bucket('a', 'two'));
  expect(heard).toEqual(['new']);
});
