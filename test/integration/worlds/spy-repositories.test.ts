// Somebody who sees a namespace, and writes objects in it, names a repository in them that is mirrored for others.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WireRepositories } from '#lib/api/commit.ts';
import { objectWords } from '#lib/api/git/suspect.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import { fakeSha } from '#server/web/testing/fake-git.ts';
import { sampleDiverged, sampleNow, sampleObject, sampleRef, sourceGroup } from '#server/web/testing/sample.ts';
import { type CanaryWeb, canaryWeb } from './canary/canary-web.ts';
import { apps, canaries, digitsOf, here, repositoryOf } from './canary/canary-words.ts';

const { beside, home } = canaries;
const theirs = repositoryOf(beside);
const spy = { cluster: here, namespace: apps };

let running: CanaryWeb;
beforeAll(async () => {
  running = await canaryWeb();
});
afterAll(() => running.stop());

async function repositories(): Promise<readonly string[]> {
  const { body } = await running.ask('namespace', '/api/v1/repositories');
  return WireRepositories.parse(JSON.parse(body)).repositories.map(({ key }) => key);
}

it('is told of those from which something of his is built, and of none that he only names', async () => {
  const own = [`github.com/acme/${home}`];
  expect(await repositories()).toEqual(own);
  // His source had fetched a repository of his own, and was turned to another one, which it may not fetch.
  const turned = sampleRef({ ...spy, group: sourceGroup, kind: 'GitRepository', name: 'turned' });
  const known = fakeSha(digitsOf[beside][0]);
  running.store.object(
    sampleDiverged(turned, { repository: theirs, commit: fakeSha('d'), role: 'source', path: null }),
  );
  for (const [name, commit, source] of [
    ['other-commit', fakeSha('d'), turned],
    ['known-commit', known, turned],
    ['nothing-runs', null, null],
    ['not-known', known, sampleRef({ ...spy, kind: 'GitRepository', group: sourceGroup, name: 'nowhere' })],
  ] as const)
    running.store.object(sampleObject({ ...spy, name }, { repository: theirs, path: './', commit, source }));
  // He pushes an artifact that says that it was made from it.
  const image = sampleRef({ ...spy, group: sourceGroup, kind: 'OCIRepository', name: 'image' });
  running.store.object(
    sampleObject(image, { repository: theirs, commit: known, role: 'source', source: null, path: null }),
  );
  // And names the source of another namespace, which has fetched it: it is refused him.
  const hidden = sampleRef({
    cluster: here,
    namespace: 'ops',
    group: sourceGroup,
    kind: 'GitRepository',
    name: 'theirs',
  });
  running.store.object(sampleObject(hidden, { repository: theirs, role: 'source', source: null, path: null }));
  const shared = { repository: theirs, path: './', commit: known };
  running.store.object(sampleObject({ ...spy, name: 'from-image' }, { ...shared, source: image }));
  running.store.object(
    sampleDiverged({ ...spy, name: 'refused' }, { ...shared, source: hidden, reason: 'AccessDenied' }),
  );
  await running.web.advance(60_000);
  expect(await repositories()).toEqual(own);
  const directory = `clusters/${beside}`;
  for (const path of [
    `/api/v1/commits/${known}`,
    `/api/v1/commits?repository=${encodeURIComponent(theirs)}`,
    `/api/v1/compare?repository=${encodeURIComponent(theirs)}&left=${directory}&right=${directory}/right`,
  ])
    expect([path, (await running.ask('namespace', path)).status]).toEqual([path, 404]);
  // Who sees all of it is told of both.
  expect((await running.ask('whole', `/api/v1/commits/${known}`)).status).toBe(200);
});

it('nor by a past moment, at which what is turned to it now ran a commit that it has, too', async () => {
  const [first, , last] = digitsOf[beside].map(fakeSha);
  const source = sampleRef({ ...spy, group: sourceGroup, kind: 'GitRepository', name: 'turned-since' });
  const fork = sampleRef({ ...spy, name: 'fork' });
  const at = sampleNow - 10 * day;
  const well = { at, noticedAt: at, bound: 'exact', from: null, to: 'converged', reason: '', message: '' } as const;
  for (const ref of [source, fork])
    running.store.transition({
      ...well,
      ...{ ref, uid: ref.name, commit: first ?? null, attempted: null, rootCause: null },
    });
  const named = { deliveredBy: null, repository: theirs };
  running.store.keep({ origins: [[refKey(source), { ...named, source: null, path: null }]] });
  running.store.keep({ origins: [[refKey(fork), { ...named, source, path: './' }]] });
  const between = `/api/v1/commits-between?object=${objectWords(fork)}&from=${first}&to=${last}`;
  const past = `${between}&at=${new Date(sampleNow - hour).toISOString()}`;
  expect(JSON.parse((await running.ask('whole', past)).body)).toMatchObject({ othersCount: 2, reason: null });
  expect(JSON.parse((await running.ask('namespace', past)).body)).toMatchObject({
    othersCount: 0,
    others: [],
    touching: [],
  });
});
