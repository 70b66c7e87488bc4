import { describe, expect, it } from 'vitest';
import { refKey } from '#lib/domain/observation/ref.ts';
import { minute, second } from '#lib/domain/time/length.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import type { GitReader } from '#server/git/port/git-reader.ts';
import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { fakeGit, fakeSha } from '../testing/fake-git.ts';
import { sampleNow, sampleObject, sampleRef, sourceGroup } from '../testing/sample.ts';
import { provenRepositories } from './proven-repositories.ts';

const theirs = 'https://github.com/acme/theirs';
const key = 'github.com/acme/theirs';
const source = sampleRef({ namespace: 'apps', kind: 'GitRepository', group: sourceGroup, name: 'spy' });
const git = fakeGit({ url: theirs, commits: [{ digit: 'a', files: [] }] });

type Given = Partial<Pick<KnownObject, 'commit' | 'source' | 'verdict' | 'repository' | 'path' | 'revision'>>;

/** The proof by one object that names `theirs`; it, the verdict of its source and the stamp of the fleet may be changed. */
function proofOf(given: Given, of: Pick<GitReader, 'repositories' | 'commits'> = git) {
  const state: { given: Given; fetched: Verdict | null; stamp: number } = { given, fetched: 'converged', stamp: 1 };
  const spy = { namespace: 'apps', name: 'spy' };
  const object = (): KnownObject =>
    sampleObject(spy, { repository: theirs, path: './', commit: fakeSha('a'), source, ...state.given });
  const prove = provenRepositories({
    git: of,
    fleet: { stamp: () => state.stamp, all: () => [{ objects: [object()] }] },
    find(ref) {
      if (refKey(ref) !== refKey(source)) return object();
      return state.fetched === null ? null : sampleObject(source, { verdict: state.fetched, repository: theirs });
    },
    now: () => sampleNow,
  });
  return { state, prove: async () => [...(await prove())].map(([name, built]) => [name, ...built]) };
}

const whole = [[key, '']];

it('is a repository of which something runs or tried a commit that the mirror holds, and whose source has fetched what it asks for', async () => {
  expect(await proofOf({}).prove()).toEqual(whole);
  expect(await proofOf({ path: './clusters/eu' }).prove()).toEqual([[key, 'clusters/eu']]);
  // What has no source fetches by itself.
  expect(await proofOf({ source: null }).prove()).toEqual(whole);
  const revision = { applied: null, attempted: `main@sha1:${fakeSha('a')}`, offered: null };
  expect(await proofOf({ commit: null, revision }).prove()).toEqual(whole);
  const { state, prove } = proofOf({});
  state.fetched = 'unconfirmed';
  expect(await prove()).toEqual(whole);
});

it.each<[string, Given, Verdict | null]>([
  ['runs nothing', { commit: null }, 'converged'],
  ['runs a commit of another repository', { commit: fakeSha('d') }, 'converged'],
  [
    'is offered a commit, and has not tried it',
    { commit: null, revision: { applied: null, attempted: null, offered: `main@sha1:${fakeSha('a')}` } },
    'converged',
  ],
  ['has a source that was turned to it, and cannot fetch it', {}, 'diverged'],
  ['has a source that was turned to it, and is suspended', {}, 'suspended'],
  ['has a source that is not known', {}, null],
  ['fetches by itself, and cannot', { source: null, verdict: 'diverged' }, 'converged'],
])('is none that is only named by what %s', async (_what, given, fetched) => {
  const { state, prove } = proofOf(given);
  state.fetched = fetched;
  expect(await prove()).toEqual([]);
});

it('stays proven while its source fails, and not once the object names another one', async () => {
  const { state, prove } = proofOf({});
  expect(await prove()).toEqual(whole);
  state.fetched = 'diverged';
  state.stamp += 1;
  expect(await prove()).toEqual(whole);
  state.given = { repository: 'https://github.com/acme/others' };
  state.stamp += 1;
  expect(await prove()).toEqual([]);
  state.given = {};
  state.stamp += 1;
  expect(await prove()).toEqual([]);
});

it('is asked for again where git says nothing, and not where nothing has changed', async () => {
  let asked = 0;
  let isSilent = true;
  const { prove } = proofOf(
    {},
    {
      repositories: () => git.repositories(),
      commits(...given) {
        asked += 1;
        return isSilent ? Promise.resolve({ type: 'not-told', reason: 'busy' }) : git.commits(...given);
      },
    },
  );
  expect(await prove()).toEqual([]);
  isSilent = false;
  expect([await prove(), await prove(), asked]).toEqual([whole, whole, 2]);
});

/** The proof by one object whose source is one of these, by name; `now` may be changed. */
function proofBy(given: Partial<Omit<KnownObject, 'ref'>>, sources: readonly KnownObject[]) {
  const state = { given, now: sampleNow };
  const object = (): KnownObject =>
    sampleObject(
      { namespace: 'apps', name: 'spy' },
      { repository: theirs, path: './', commit: fakeSha('a'), observedAt: sampleNow - minute, ...state.given },
    );
  const byKey = new Map(sources.map((one) => [refKey(one.ref), one]));
  const prove = provenRepositories({
    git,
    fleet: { stamp: () => 1, all: () => [{ objects: [object()] }] },
    find: (ref) => byKey.get(refKey(ref)) ?? object(),
    now: () => state.now,
  });
  return { state, prove: async () => [...(await prove()).keys()] };
}

const tried = (digit: string) => ({ applied: null, attempted: `main@sha1:${fakeSha(digit)}`, offered: null });

describe('a source of another namespace', () => {
  const hidden = sampleObject(
    sampleRef({ namespace: 'ops', kind: 'GitRepository', group: sourceGroup, name: 'theirs' }),
    { repository: theirs, commit: fakeSha('b'), role: 'source' },
  );

  it.each<[string, Partial<Omit<KnownObject, 'ref'>>, readonly string[]]>([
    ['is in order', {}, [key]],
    ['is refused it', { verdict: 'diverged', reason: 'AccessDenied' }, []],
    [
      'is refused it, which a dead controller hides',
      { verdict: 'stale', was: 'diverged', reason: 'ControllerDead' },
      [],
    ],
    ['is refused it, and being deleted', { verdict: 'diverged', reason: 'DeletionStuck', revision: tried('a') }, []],
    ['was turned to it and switched off', { verdict: 'suspended', was: 'converged' }, []],
    ['was turned to it, and nobody looks', { verdict: 'progressing', reason: 'SpecNotObserved' }, []],
    ['fails by what it offers', { verdict: 'diverged', reason: 'BuildFailed', revision: tried('b') }, [key]],
    ['waits for something with what it offers', { verdict: 'waiting', reason: 'x', revision: tried('b') }, [key]],
  ])('proves its repository as it is given to an object that %s', async (_what, given, expected) => {
    expect(await proofBy({ source: hidden.ref, ...given }, [hidden]).prove()).toEqual(expected);
  });

  it('proves nothing of an object before somebody has looked at it', async () => {
    const { state, prove } = proofBy({ source: hidden.ref, observedAt: sampleNow - second }, [hidden]);
    expect(await prove()).toEqual([]);
    state.now += minute;
    expect(await prove()).toEqual([key]);
    const often = { source: hidden.ref, observedAt: sampleNow - second, revision: tried('b') };
    expect(await proofBy(often, [hidden]).prove()).toEqual([key]);
  });
});

describe('an artifact', () => {
  const named = (kind: string, name: string, rest: Partial<Omit<KnownObject, 'ref'>> = {}) =>
    sampleObject(sampleRef({ namespace: 'apps', kind, group: sourceGroup, name }), {
      ...{ repository: theirs, commit: fakeSha('a'), role: 'source', source: null },
      ...rest,
    });
  const image = named('OCIRepository', 'image');

  it('of a registry proves no repository that it names', async () => {
    expect(await proofBy({ source: image.ref }, [image]).prove()).toEqual([]);
  });

  it.each([
    ['that is fetched', theirs, [key]],
    ['of which another one is fetched', 'https://github.com/acme/own', []],
  ])('made from a repository %s', async (_what, repository, expected) => {
    const fetched = named('GitRepository', 'fetched', { repository });
    const generator = named('ArtifactGenerator', 'generator', { source: fetched.ref });
    const made = named('ExternalArtifact', 'made', { source: generator.ref });
    expect(await proofBy({ source: made.ref }, [made, generator, fetched]).prove()).toEqual(expected);
  });

  it('that is made from itself proves nothing', async () => {
    const round = named('ExternalArtifact', 'round', { source: named('ExternalArtifact', 'round').ref });
    expect(await proofBy({ source: round.ref }, [round]).prove()).toEqual([]);
  });
});
