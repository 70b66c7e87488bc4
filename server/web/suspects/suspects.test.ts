import { beforeEach, describe, expect, it } from 'vitest';
import { objectWords, WireSuspects } from '#lib/api/git/suspect.ts';
import type { Incident, Member } from '#lib/domain/incident/incident.ts';
import type { CommitRange } from '#lib/domain/record/commit-range.ts';
import type { NotedChange } from '#lib/domain/record/change.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { hour, minute } from '#lib/domain/time/length.ts';
import type { GitReader } from '#server/git/port/git-reader.ts';
import { readRecord } from '#server/store/record/record.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { commitsBetween } from '../endpoints/commits/commits-between.ts';
import { suspects } from '../endpoints/commits/suspects.ts';
import { fakeGit, fakeSha } from '../testing/fake-git.ts';
import { memoryStore } from '../testing/memory-reader.ts';
import { answerOf, sampleMoment } from '../testing/moment.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { hasComponents, sampleCluster, sampleDiverged, sampleNow, sampleRef } from '../testing/sample.ts';
import { sampleIncident, sampleMember } from '../testing/sample-incident.ts';

const url = 'https://github.com/acme/control-repo';
const store = await memoryStore().source.open();
const rev = (digit: string): string => `main@sha1:${fakeSha(digit)}`;
const range = (from: string, to: string, part: Partial<CommitRange> = {}): CommitRange => ({
  ...{ lastGood: rev(from), firstBad: rev(to), seenBetween: 0, watched: true },
  ...part,
});
const repository = {
  url,
  owners: ['@acme/payments'],
  commits: [
    { digit: 'a', files: ['README.md'] },
    { digit: 'b', files: ['apps/checkout/deployment.yaml'], subject: 'Raise checkout (#12)', pullRequest: 12 },
    { digit: 'c', files: ['apps/search/deployment.yaml'] },
    { digit: 'd', files: ['apps/checkout/patch.yaml', 'apps/search/patch.yaml'] },
    { digit: 'e', files: ['README.md'] },
  ],
};

let cache: ReturnType<typeof createFleetCache>;
let edits: NotedChange[];
let members: Member[];
let incidents: Incident[];
let git: GitReader;

function put(name: string, part: Partial<CurrentObject>, cluster = 'eu-west-3'): void {
  const object = sampleDiverged({ name, cluster }, { repository: url, path: `apps/${name}`, ...part });
  cache.apply([{ type: 'object', object }]);
}

function moment(over: GitReader = git) {
  const record = {
    ...readRecord({}),
    incident: async (id: string) => {
      const incident = incidents.find((one) => one.id === id);
      return incident === undefined ? null : { type: 'incident' as const, incident };
    },
    members: async () => ({ items: members, next: null }),
  };
  const reader = { ...store, changes: async () => edits, record };
  return { ...sampleMoment(cache, defaultPolicy, over), reader: () => reader };
}

const checkout = objectWords(sampleRef({ name: 'checkout' }));
const shas = ({ suspects: found }: { readonly suspects: readonly { readonly sha: string }[] }) =>
  found.map(({ sha }) => sha[0]).join('');

async function ofObject(over?: GitReader) {
  const answer = await answerOf(suspects, moment(over), { object: checkout });
  expect(WireSuspects.parse(answer)).toEqual(answer);
  return answer.rows[0]?.suspicion ?? null;
}

beforeEach(() => {
  cache = createFleetCache();
  [edits, members, incidents] = [[], [], []];
  git = fakeGit(repository);
  for (const name of ['eu-west-3', 'us-east-1']) cache.apply([{ type: 'cluster', cluster: sampleCluster(name) }]);
});

describe('the suspects of an object', () => {
  it('are one culprit with its author, pull request, files and owners', async () => {
    put('checkout', { range: range('a', 'c') });
    expect(await ofObject()).toMatchObject({
      type: 'culprit',
      sentence: 'Of 2 commits in this range, one touches what it builds from.',
      late: false,
      commits: 2,
      more: false,
      owners: ['@acme/payments'],
      asOf: '2026-11-21T02:00:00.000Z',
      suspects: [
        {
          sha: fakeSha('b'),
          subject: 'Raise checkout (#12)',
          author: 'Ada',
          self: `/commits/${fakeSha('b')}`,
          pullRequest: { number: 12 },
          files: ['apps/checkout/deployment.yaml'],
          fileCount: 1,
        },
      ],
    });
  });

  it('are all that touch it, the newest first', async () => {
    put('checkout', { range: range('a', 'e') });
    const found = await ofObject();
    expect([found?.type, found && shas(found)]).toEqual(['suspects', 'db']);
  });

  it('are none where no commit touches it, and where it failed where it had worked', async () => {
    put('checkout', { range: range('b', 'c') });
    expect(await ofObject()).toMatchObject({
      type: 'none',
      sentence: 'No commit in this range touches what it builds from: git did not change it.',
    });
    put('checkout', { range: range('b', 'b') });
    expect((await ofObject())?.sentence).toContain('the very commit');
  });

  it.each<readonly [string, Partial<CommitRange>]>([['only at least known', { watched: false }]])(
    'are not one culprit where the range is %s',
    async (_name, part) => {
      put('checkout', { range: range('a', 'c', part) });
      const found = await ofObject();
      expect([found?.type, found && shas(found)]).toEqual(['suspects', 'b']);
    },
  );

  it('are not one culprit where it builds from elsewhere, or that is not told', async () => {
    put('checkout', { range: range('a', 'c') });
    const remote = await ofObject(fakeGit({ ...repository, elsewhere: ['https://example.org/base'] }));
    expect([remote?.type, remote?.sentence]).toEqual([
      'suspects',
      'Of 2 commits in this range, 1 touches what it builds from. ' +
        'It builds from what this repository does not hold, too: https://example.org/base.',
    ]);
    const silent = () => Promise.resolve({ type: 'not-told' as const, reason: 'It sleeps.' });
    expect((await ofObject({ ...git, closure: silent }))?.type).toBe('suspects');
  });

  it('are not one culprit where its spec was edited about then; to suspend it is no such edit', async () => {
    put('checkout', { range: range('a', 'c') });
    const at = sampleNow - hour;
    const edit = { cluster: 'eu-west-3', ref: sampleRef({ name: 'checkout' }), at, notBefore: at, noticedAt: at };
    edits = [{ ...edit, fact: { type: 'spec-edited', by: 'kubectl', from: 1, generation: 2 } }];
    expect((await ofObject())?.type).toBe('suspects');
    edits.push({ ...edit, fact: { type: 'suspended', by: 'kubectl', field: 'spec.suspend' } });
    expect((await ofObject())?.type).toBe('culprit');
  });

  it.each<readonly [string, Partial<CurrentObject>, string]>([
    ['the mirror does not hold its end', { range: range('a', 'f') }, 'The mirror does not hold every commit'],
    ['the history was rewritten', { range: range('c', 'b') }, 'Where it last worked is not in the history'],
    ['it never worked', { range: range('a', 'b', { lastGood: null }) }, 'It has never worked'],
    ['where it worked is not known', { range: range('a', 'b', { lastGood: null, watched: false }) }, 'Where it last'],
    ['its revisions are no commits', { range: { ...range('a', 'b'), lastGood: '1.0.0' } }, 'revisions that are no'],
    ['its path is not known', { range: range('a', 'c'), path: null }, 'What it was built from is not known.'],
    ['there is no mirror', { range: range('a', 'c'), repository: 'https://other.example/x' }, 'is not mirrored'],
  ])('are not told where %s', async (_name, part, words) => {
    put('checkout', part);
    const found = await ofObject();
    expect([found?.type, found && shas(found)]).toEqual(['not-told', '']);
    expect(found?.sentence).toContain(words);
  });

  it('are nothing at all of what did not break in a range, or is not there', async () => {
    put('checkout', { range: null });
    expect(await ofObject()).toBeNull();
    const answer = await answerOf(suspects, moment(), { object: objectWords(sampleRef({ name: 'nobody' })) });
    expect(answer.rows).toEqual([
      { of: 'eu-west-3/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/nobody', suspicion: null },
    ]);
  });

  it('are waited for no longer than asked', async () => {
    put('checkout', { range: range('a', 'c') });
    const clock = fakeClock(sampleNow);
    const never = { ...git, between: () => new Promise<never>(() => {}) };
    const asked = answerOf(suspects, { ...moment(never), after: clock.after }, { object: checkout, wait: 200 });
    await new Promise((resolve) => void setImmediate(resolve));
    clock.advance(200);
    const [row] = (await asked).rows;
    expect(row?.suspicion).toMatchObject({ type: 'not-told', late: true, sentence: 'Git does not answer in time.' });
  });
});

describe('the suspects of an incident', () => {
  const on = (cluster: string) => sampleRef({ name: 'checkout', cluster });
  const shared = { names: ['checkout'], count: 1, clusters: 2 };

  async function ofIncident(part: Partial<Incident>) {
    incidents = [sampleIncident({ range: range('a', 'c'), ...part })];
    const answer = await answerOf(suspects, moment(), { incident: 'abcdefgh0001' });
    return answer.rows[0]?.suspicion ?? null;
  }

  it('are those of its cause', async () => {
    put('checkout', {});
    expect(await ofIncident({})).toMatchObject({ type: 'culprit', suspects: [{ sha: fakeSha('b') }] });
  });

  it.each<readonly [string, string, string, string]>([
    ['one that touches all', 'apps/checkout', 'apps/checkout', 'culprit b'],
    ['one that touches some', 'apps/checkout', 'apps/else', 'suspects b'],
    ['all that touch any', 'apps/checkout', 'apps/search', 'suspects cb'],
  ])('over several clusters are %s', async (_name, first, second, expected) => {
    put('checkout', { path: first });
    put('checkout', { path: second }, 'us-east-1');
    members = [sampleMember(), sampleMember({ ref: on('us-east-1'), cluster: 'us-east-1' })];
    const found = await ofIncident({ roots: shared });
    expect(`${found?.type} ${found && shas(found)}`).toBe(expected);
  });

  it('leave a doubt where it came back: the range is of the first time', async () => {
    put('checkout', {});
    const found = await ofIncident({ returns: 1 });
    expect([found?.type, found && shas(found)]).toEqual(['suspects', 'b']);
  });

  it('leave a doubt where a member is gone; one beneath another fault counts nothing', async () => {
    put('checkout', {});
    members = [sampleMember(), sampleMember({ ref: on('us-east-1'), own: false })];
    expect((await ofIncident({ roots: shared }))?.type).toBe('culprit');
    members = [sampleMember(), sampleMember({ ref: on('us-east-1') })];
    expect((await ofIncident({ roots: shared }))?.type).toBe('suspects');
  });

  it('are not told where it was taken for another, or several repositories are in it', async () => {
    put('checkout', {});
    const cause = { type: 'object', ref: on('eu-west-3') } as const;
    expect((await ofIncident({ takenFor: [{ cause, until: sampleNow - minute }] }))?.type).toBe('not-told');
    put('checkout', { repository: 'https://other.example/x' }, 'us-east-1');
    members = [sampleMember(), sampleMember({ ref: on('us-east-1') })];
    expect((await ofIncident({ roots: shared }))?.sentence).toBe('What failed is built from several repositories.');
  });

  it('are nothing where a controller or nobody broke in a range', async () => {
    put('checkout', {});
    expect(await ofIncident({ range: null })).toBeNull();
    const cause = { type: 'cluster', cluster: 'eu-west-3' } as const;
    expect(await ofIncident({ cause })).toBeNull();
    expect((await answerOf(suspects, moment(), { incident: 'nowhere' })).rows).toEqual([
      { of: 'nowhere', suspicion: null },
    ]);
  });
});

describe('the commits between two', () => {
  it('are those first that touch what the object builds from', async () => {
    put('checkout', {});
    const asked = { object: checkout, from: fakeSha('a'), to: fakeSha('e') };
    const found = await answerOf(commitsBetween, moment(), asked);
    expect(found).toMatchObject({ touchingCount: 2, othersCount: 2, beyond: null, reason: null });
    expect([shas({ suspects: found.touching }), shas({ suspects: found.others })]).toEqual(['db', 'ec']);
  });

  it('say that the others may touch it where not all is known that it builds from', async () => {
    put('checkout', hasComponents);
    const asked = { object: checkout, from: fakeSha('a'), to: fakeSha('e') };
    expect(await answerOf(commitsBetween, moment(), asked)).toMatchObject({
      touchingCount: 2,
      beyond: 'it builds from spec.components too, which are not known',
    });
  });

  it('are not told where git does not tell them', async () => {
    put('checkout', {});
    const asked = { object: checkout, from: fakeSha('a'), to: fakeSha('f') };
    expect((await answerOf(commitsBetween, moment(), asked)).reason).toContain('does not hold every commit');
  });
});
