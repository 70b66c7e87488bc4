import { beforeAll, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { GitReader } from '#server/git/port/git-reader.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { commits } from '../endpoints/commits/commits.ts';
import { lag } from '../endpoints/commits/lag.ts';
import { repositories } from '../endpoints/commits/repositories.ts';
import { running } from '../endpoints/commits/running.ts';
import { suspects } from '../endpoints/commits/suspects.ts';
import type { Present } from '../present.ts';
import { fakeGit, fakeSha } from '../testing/fake-git.ts';
import { answerOf, sampleMoment, samplePresent } from '../testing/moment.ts';
import { sampleCluster, sampleDiverged, sampleObject } from '../testing/sample.ts';
import { sharedGit } from '../git/shared-git.ts';

const url = 'https://github.com/acme/control-repo';
const [clusters, each] = [300, 20];

const cache = createFleetCache();
/** Objects that were looked through for their repository, and questions to git. */
const cost = { looked: 0, asked: 0 };

/** An applier that counts who looks at it. */
function put(cluster: number, index: number, digit: string): void {
  const revision = `main@sha1:${fakeSha(digit)}`;
  const object = sampleObject(
    { cluster: `c${cluster}`, name: `o${index}` },
    {
      ...{ path: `clusters/${cluster}/o${index}`, commit: fakeSha(digit), role: 'applier' },
      revision: { applied: revision, attempted: revision, offered: revision },
    },
  );
  cache.apply([{ type: 'object', object }]);
  Object.defineProperty(cache.object(object.ref), 'repository', {
    enumerable: true,
    get() {
      cost.looked += 1;
      return url;
    },
  });
}

const made = fakeGit({
  url,
  commits: ['a', 'b', 'c'].map((digit) => ({ digit, files: [`clusters/7/o1/${digit}`] })),
});

function counted<Given extends readonly unknown[], Answer>(
  ask: (...given: Given) => Answer,
): (...given: Given) => Answer {
  return (...given) => {
    cost.asked += 1;
    return ask(...given);
  };
}

const git: GitReader = {
  ...made,
  repositories: counted(made.repositories),
  commits: counted(made.commits),
  log: counted(made.log),
  between: counted(made.between),
  distances: counted(made.distances),
  touches: counted(made.touches),
  contain: counted(made.contain),
};

/** An object that broke between two commits. */
function putBroken(): void {
  const revision = (digit: string) => `main@sha1:${fakeSha(digit)}`;
  const range = { lastGood: revision('a'), firstBad: revision('c'), seenBetween: 0, watched: true };
  const object = sampleDiverged({ cluster: 'c5', name: 'bad' }, { repository: url, path: 'clusters/5/bad', range });
  cache.apply([{ type: 'object', object }]);
}

let present: Present;
beforeAll(() => {
  for (let cluster = 0; cluster < clusters; cluster += 1) {
    cache.apply([{ type: 'cluster', cluster: sampleCluster(`c${cluster}`) }]);
    for (let index = 0; index < each; index += 1) put(cluster, index, 'c');
  }
  putBroken();
  const known = sampleMoment(cache, defaultPolicy);
  present = { ...samplePresent(known), git: sharedGit(git, () => known.now()) };
});

async function costOf(work: () => Promise<unknown>): Promise<typeof cost> {
  const before = { ...cost };
  await work();
  return { looked: cost.looked - before.looked, asked: cost.asked - before.asked };
}

it.each<[string, () => Promise<unknown>]>([
  ['commits that run', () => answerOf(running, present, {})],
  ['lags', () => answerOf(lag, present, { limit: 5_000 })],
  ['commits', () => answerOf(commits, present, {})],
  ['repositories', () => answerOf(repositories, present, {})],
  [
    'suspects',
    () => answerOf(suspects, present, { object: 'c5/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/bad' }),
  ],
])('20 viewers of %s cost what one does, and one cluster that changed costs what it has', async (_name, ask) => {
  const viewers = () => Promise.all(Array.from({ length: 20 }, ask));
  const first = await costOf(ask);
  expect(first.looked + first.asked).toBeGreaterThan(0);
  expect(await costOf(viewers)).toEqual({ looked: 0, asked: 0 });
  put(3, 1, 'b');
  const { looked, asked } = await costOf(viewers);
  // A few looks at each object of the one, none at those of the 299 others.
  expect(looked).toBeLessThan(10 * each);
  expect(asked).toBeLessThan(10);
  put(3, 1, 'c');
});

it('a list of commits is the same, whether it was kept or is made at once', async () => {
  put(7, 1, 'a');
  put(8, 1, 'b');
  const kept = await answerOf(commits, present, {});
  const fresh = samplePresent(sampleMoment(cache, defaultPolicy, made));
  expect(kept.rows).toEqual((await answerOf(commits, fresh, {})).rows);
  expect(kept.rows.map(({ counts }) => counts?.['on-its-way'])).toEqual([1, 1, 0]);
});
