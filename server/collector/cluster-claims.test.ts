import { expect, it } from 'vitest';
import { fixedAccess } from './clusters/testing/scripted-server.ts';
import { type ClusterClaim, createClusterClaims } from './cluster-claims.ts';

function claim(name: string, by: string, part: Partial<ClusterClaim> = {}): ClusterClaim {
  return {
    name,
    by,
    rank: by === 'plumbline.yaml' ? -1 : 0,
    labels: {},
    accessResult: { type: 'invalid', message: 'no way in' },
    endpoint: null,
    cautions: () => [],
    examine: () => Promise.resolve(null),
    ...part,
  };
}

it('gives a name to plumbline.yaml, then to the first directory, then to the first file', () => {
  const claims = createClusterClaims();
  const holders: (string | undefined)[] = [];
  for (const [by, rank] of [
    ['b/eu.yml', 2],
    ['b/eu.yaml', 2],
    ['a/eu.yaml', 1],
    ['plumbline.yaml', -1],
  ] as const) {
    claims.put(claim('eu', by, { rank }));
    holders.push(claims.holder('eu')?.by);
  }
  expect(holders).toEqual(['b/eu.yml', 'b/eu.yaml', 'a/eu.yaml', 'plumbline.yaml']);
  expect(claims.cautions('eu')).toEqual([
    'Its name is wanted by a/eu.yaml, b/eu.yaml, b/eu.yml too: not read, for plumbline.yaml has it.',
  ]);
  for (const by of ['plumbline.yaml', 'b/eu.yaml', 'a/eu.yaml']) claims.remove('eu', by);
  expect([claims.holder('eu')?.by, claims.cautions('eu'), claims.names()]).toEqual(['b/eu.yml', [], ['eu']]);
  claims.remove('eu', 'b/eu.yml');
  expect([claims.holder('eu'), claims.cautions('eu'), claims.names()]).toEqual([null, [], []]);
});

it('leaves a name to the file of a directory that is read by it, whatever is put beside it there', () => {
  const claims = createClusterClaims();
  const usable = (by: string, rank: number, endpoint: string) =>
    claims.put(claim('eu', by, { rank, endpoint, accessResult: { type: 'access', access: fixedAccess(endpoint) } }));
  usable('b/eu.yaml', 2, 'https://eu');
  usable('b/eu.conf', 2, 'https://evil');
  expect(claims.holder('eu')?.by).toBe('b/eu.yaml');
  expect(claims.cautions('eu')).toEqual(['Its name is wanted by b/eu.conf too: not read, for b/eu.yaml has it.']);
  usable('b/eu.yaml', 2, 'https://eu-2');
  expect(claims.holder('eu')?.endpoint).toBe('https://eu-2');
  // The order of directories is that of plumbline.yaml.
  usable('a/eu.yaml', 1, 'https://other');
  expect(claims.holder('eu')?.by).toBe('a/eu.yaml');
  claims.remove('eu', 'a/eu.yaml');
  claims.remove('eu', 'b/eu.yaml');
  expect(claims.holder('eu')?.by).toBe('b/eu.conf');
});

it('replaces what the same file said before', () => {
  const claims = createClusterClaims();
  claims.put(claim('eu', 'a/eu.yaml', { cautions: () => ['weak'] }));
  claims.put(claim('eu', 'a/eu.yaml'));
  expect([claims.cautions('eu'), claims.find('eu', 'a/eu.yaml')?.by]).toEqual([[], 'a/eu.yaml']);
});

it('names who is at the same API server, as long as they are', () => {
  const claims = createClusterClaims();
  const at = (name: string, endpoint: string | null) => claims.put(claim(name, `a/${name}.yaml`, { endpoint }));
  for (const name of ['a', 'b', 'c', 'd', 'e']) at(name, 'https://one');
  at('f', 'https://two');
  const end = 'is at the same API server: if it is one cluster, all of it is counted twice.';
  expect([claims.cautions('a'), claims.cautions('f')]).toEqual([[`b, c, d and 1 more ${end}`], []]);
  for (const name of ['b', 'c', 'd']) at(name, null);
  at('e', 'https://two');
  expect([claims.cautions('a'), claims.cautions('f')]).toEqual([[], [`e ${end}`]]);
});
