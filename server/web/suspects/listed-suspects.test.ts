import { beforeEach, describe, expect, it } from 'vitest';
import type { ObjectFilter } from '#lib/api/object-filter.ts';
import { WireObjectList } from '#lib/api/object.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { GitReader } from '#server/git/port/git-reader.ts';
import { readRecord } from '#server/store/record/record.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { csvRows } from '#test/referee/csv.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { objects } from '../endpoints/objects.ts';
import { isRefused } from '../http/problem.ts';
import { fakeGit, fakeSha } from '../testing/fake-git.ts';
import { memoryStore } from '../testing/memory-reader.ts';
import { answerOf, sampleMoment } from '../testing/moment.ts';
import { sampleCluster, sampleDiverged, sampleNow, sampleObject, sampleRef } from '../testing/sample.ts';

const url = 'https://github.com/acme/control-repo';
const store = await memoryStore().source.open();
const rev = (digit: string): string => `main@sha1:${fakeSha(digit)}`;
const range = (from: string, to: string) => ({ lastGood: rev(from), firstBad: rev(to), seenBetween: 0, watched: true });
const repository = {
  url,
  owners: ['@acme/payments'],
  commits: [
    { digit: 'a', files: ['README.md'] },
    { digit: 'b', files: ['apps/checkout/deployment.yaml'], subject: '=cmd|"x"\u202e;+1', pullRequest: 12 },
    { digit: 'c', files: ['README.md'] },
  ],
};

let cache: ReturnType<typeof createFleetCache>;

function put(cluster: string, name: string, part: Partial<CurrentObject>): void {
  cache.apply([
    { type: 'cluster', cluster: sampleCluster(cluster) },
    {
      type: 'object',
      object: sampleDiverged({ cluster, name }, { repository: url, path: 'apps/checkout', ...part }),
    },
  ]);
}

/** A moment, and how many questions went to git. */
function asked(git: GitReader = fakeGit(repository)) {
  const counts = { between: 0, ranges: 0, owners: 0 };
  const counted: GitReader = {
    ...git,
    between(of, ranges) {
      counts.between += 1;
      counts.ranges += ranges.length;
      return git.between(of, ranges);
    },
    owners(...all) {
      counts.owners += 1;
      return git.owners(...all);
    },
  };
  const reader = { ...store, changes: async () => [], record: readRecord({}) };
  return { moment: { ...sampleMoment(cache, defaultPolicy, counted), reader: () => reader }, counts };
}

async function listed(moment: ReturnType<typeof asked>['moment'], params: Partial<ObjectFilter> = {}) {
  const answer = await answerOf(objects, moment, { suspects: 'true', limit: 2_000, ...params });
  expect(WireObjectList.parse(answer)).toEqual(answer);
  return answer.objects;
}

async function csvOf(moment: ReturnType<typeof asked>['moment'], params: Partial<ObjectFilter> = {}) {
  const query = objects.described.query.parse({ suspects: 'true', format: 'csv', ...params });
  const file = (await objects.ofPast?.file(moment, query, null)) ?? null;
  if (file === null || isRefused(file)) throw new Error('no file');
  const lines: string[] = [];
  for await (const line of file.lines) lines.push(line);
  return csvRows(lines.join(''));
}

beforeEach(() => {
  cache = createFleetCache();
});

describe('the suspects of a list of objects', () => {
  it('are asked for in one question, whatever waits for what broke', async () => {
    for (const cluster of ['eu-west-3', 'us-east-1']) {
      put(cluster, 'checkout', { range: range('a', 'c') });
      const rootCause = { type: 'object' as const, ref: sampleRef({ cluster, name: 'checkout' }) };
      for (const name of ['one', 'two']) put(cluster, name, { verdict: 'waiting', range: null, rootCause });
    }
    put('us-east-1', 'alone', { range: null });
    const { moment, counts } = asked();
    const rows = await listed(moment);
    const named = { type: 'culprit', commit: { sha: fakeSha('b'), author: 'Ada' }, owners: ['@acme/payments'] };
    expect(rows.filter(({ name }) => name !== 'alone').map(({ suspect }) => suspect)).toMatchObject(
      Array.from({ length: 6 }, () => named),
    );
    expect(rows.find(({ name }) => name === 'alone')?.suspect).toBeNull();
    expect(counts).toEqual({ between: 1, ranges: 1, owners: 1 });
  });

  it('are not looked at where nobody asks, and git is asked nothing', async () => {
    put('eu-west-3', 'checkout', { range: range('a', 'c') });
    const { moment, counts } = asked();
    const rows = await listed(moment, { suspects: '' });
    expect(rows.map(({ suspect }) => suspect?.type)).toEqual(['not-looked-at']);
    expect(counts.between).toBe(0);
  });

  it('are not looked at beyond the first 100 causes', async () => {
    for (let n = 0; n < 120; n += 1) put('eu-west-3', `app-${n}`, { range: range('a', 'c') });
    const { moment, counts } = asked();
    const rows = await listed(moment);
    const types = Map.groupBy(rows, ({ suspect }) => suspect?.type);
    expect([types.get('culprit')?.length, types.get('not-looked-at')?.length, counts.between]).toEqual([100, 20, 1]);
    const first = rows.slice(0, 100);
    expect(first.every(({ suspect }) => suspect?.type === 'culprit')).toBe(true);
  });

  it('are not looked at where git is late, and the list comes all the same', async () => {
    put('eu-west-3', 'checkout', { range: range('a', 'c') });
    const clock = fakeClock(sampleNow);
    const { moment } = asked({ ...fakeGit(repository), between: () => new Promise<never>(() => {}) });
    const waiting = listed({ ...moment, after: clock.after });
    await expect.poll(() => clock.pending()).toBeGreaterThan(0);
    clock.advance(2_000);
    expect((await waiting).map(({ suspect }) => suspect)).toMatchObject([
      { type: 'not-looked-at', sentence: 'Git does not answer in time.', commit: null, owners: null },
    ]);
  });

  it('are not calm where no mirror is there', async () => {
    put('eu-west-3', 'checkout', { range: range('a', 'c'), repository: 'https://github.com/acme/other' });
    const rows = await listed(asked().moment);
    expect(rows.map(({ suspect }) => suspect?.type)).toEqual(['not-told']);
  });
});

describe('the file of objects', () => {
  it('has a line for each, cluster by cluster and the worst first, with its suspect kept from spreadsheets', async () => {
    put('us-east-1', 'checkout', { range: range('a', 'c') });
    cache.apply([{ type: 'object', object: sampleObject({ cluster: 'us-east-1', name: 'a-fine' }) }]);
    put('eu-west-3', 'alone', { range: null });
    const rows = await csvOf(asked().moment);
    expect(rows.map(({ cluster, name, suspect }) => [cluster, name, suspect])).toEqual([
      ['eu-west-3', 'alone', ''],
      ['us-east-1', 'checkout', 'culprit'],
      ['us-east-1', 'a-fine', ''],
    ]);
    expect(rows[1]).toMatchObject({
      suspectCommit: fakeSha('b'),
      suspectAuthor: 'Ada',
      pullRequest: '12',
      owners: "'@acme/payments",
    });
    expect(rows[1]?.suspectSubject).toMatch(/^'=cmd/);
    expect(rows[1]?.suspectSubject).not.toContain('\u202e');
  });

  it('keeps the filter, and says what was not looked at', async () => {
    put('eu-west-3', 'checkout', { range: range('a', 'c') });
    put('us-east-1', 'checkout', { range: range('a', 'c') });
    cache.apply([{ type: 'object', object: sampleObject({ cluster: 'us-east-1', name: 'fine' }) }]);
    const rows = await csvOf(asked().moment, { suspects: '', cluster: 'us-east-1', verdict: 'diverged' });
    expect(rows.map(({ cluster, name, suspect }) => [cluster, name, suspect])).toEqual([
      ['us-east-1', 'checkout', 'not-looked-at'],
    ]);
  });
});
