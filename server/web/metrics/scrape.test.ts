import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Family, parseExposition } from '../testing/exposition.ts';
import { type RunningWeb, runningWeb } from '../testing/running-web.ts';
import {
  helmGroup,
  kustomizeGroup,
  sampleCluster,
  sampleDiverged,
  sampleNow,
  sampleObject,
  sampleSource,
} from '../testing/sample.ts';

let web: RunningWeb;
beforeEach(async () => {
  web = await runningWeb();
});
afterEach(() => web.stop());

async function scrape(): Promise<ReadonlyMap<string, Family>> {
  return parseExposition(await web.scrape());
}

/** The samples of a family as "label values: value", in the order of the labels that are named. */
async function samples(family: string, ...labels: readonly string[]): Promise<readonly string[]> {
  const found = (await scrape()).get(family)?.samples ?? [];
  return found.map((sample) => `${labels.map((label) => sample.labels[label]).join(' ')}: ${sample.value}`).toSorted();
}

/** Two clusters; on one of them an object is away. */
async function fill(): Promise<void> {
  for (const name of ['eu-west-3', 'us-east-1']) {
    web.store.cluster(sampleCluster(name));
    web.store.object(sampleSource(name));
    web.store.object(sampleObject({ cluster: name, name: 'payments' }));
  }
  web.store.object(sampleDiverged({ name: 'checkout' }));
  await web.advance(500);
}

describe('a scrape of the pages', () => {
  it('counts the objects of each verdict by cluster and kind, and names none of them', async () => {
    await fill();
    expect(await samples('plumbline_objects', 'cluster', 'kind', 'verdict')).toEqual([
      'eu-west-3 GitRepository converged: 1',
      'eu-west-3 Kustomization converged: 1',
      'eu-west-3 Kustomization diverged: 1',
      'us-east-1 GitRepository converged: 1',
      'us-east-1 Kustomization converged: 1',
    ]);
    expect(await samples('plumbline_objects_since', 'kind', 'verdict', 'since')).toEqual([
      expect.stringMatching(/^Kustomization diverged \d\dT\d\d:\d[05]: 1$/),
    ]);
    const labels = new Set(
      [...(await scrape()).values()].flatMap(({ samples: all }) => all.flatMap((one) => Object.keys(one.labels))),
    );
    expect([...labels].filter((name) => /name|namespace|uid|object/.test(name))).toEqual([]);
    expect(await web.scrape()).not.toMatch(/payments|checkout|flux-system/);
    web.store.object(sampleObject({ name: 'checkout' }));
    await web.advance(500);
    expect(await samples('plumbline_objects', 'verdict')).not.toContain('diverged: 1');
  });

  it('tells the state and the age of each cluster and each feed', async () => {
    await fill();
    const lost = sampleCluster('us-east-1', {
      state: 'unreachable',
      since: sampleNow - 5_000,
      lastWordAt: sampleNow - 9_000,
    });
    web.store.cluster(lost);
    const [first, ...feeds] = sampleCluster('eu-west-3').feeds;
    if (first) feeds.push({ ...first, state: 'forbidden', lastWordAt: null });
    web.store.cluster(sampleCluster('eu-west-3', { feeds }));
    await web.advance(500);
    const states = await samples('plumbline_cluster_state', 'cluster', 'state');
    expect(states.filter((line) => line.endsWith(' 1'))).toEqual(['eu-west-3 live: 1', 'us-east-1 unreachable: 1']);
    expect(states).toHaveLength(14);
    const now = sampleNow / 1000;
    expect(await samples('plumbline_cluster_state_since_timestamp_seconds', 'cluster')).toContain(
      `us-east-1: ${now - 5}`,
    );
    expect(await samples('plumbline_cluster_last_word_timestamp_seconds', 'cluster')).toEqual([
      `eu-west-3: ${now}`,
      `us-east-1: ${now - 9}`,
    ]);
    expect(await samples('plumbline_feeds', 'cluster', 'kind', 'state')).toEqual([
      'eu-west-3 GitRepository live: 1',
      'eu-west-3 HelmRelease live: 1',
      'eu-west-3 HelmRepository live: 1',
      'eu-west-3 Kustomization forbidden: 1',
      // What was live on a cluster that is lost is not seen.
      'us-east-1 GitRepository unobserved: 1',
      'us-east-1 HelmRelease unobserved: 1',
      'us-east-1 HelmRepository unobserved: 1',
      'us-east-1 Kustomization unobserved: 1',
    ]);
    const words = await samples('plumbline_feed_last_word_timestamp_seconds', 'cluster', 'group', 'kind');
    expect(words).toContain(`eu-west-3 ${helmGroup} HelmRelease: ${now}`);
    expect(words).not.toContain(expect.stringContaining(`eu-west-3 ${kustomizeGroup}`));
  });

  it('tells what a dead collector leaves: nothing is good that nobody vouches for', async () => {
    await fill();
    await web.advance(61_000);
    expect((await samples('plumbline_objects', 'verdict')).every((line) => line.startsWith('unobserved'))).toBe(true);
    expect(await samples('plumbline_cluster_state', 'cluster', 'state')).toContain('eu-west-3 unobserved: 1');
  });

  it('tells when the store was read last, and of no fleet before', async () => {
    await fill();
    const readAt = async () => (await samples('plumbline_web_store_read_timestamp_seconds'))[0];
    const before = Number((await readAt())?.slice(2));
    expect(before).toBeGreaterThan(sampleNow / 1000);
    web.store.fail('the disk is away');
    await web.advance(5_000);
    expect(Number((await readAt())?.slice(2))).toBeLessThan(before + 1);
    expect(await samples('plumbline_web_store_readable')).toEqual([': 0']);
  });

  it('holds kinds and words of others within bounds', async () => {
    const feed = sampleCluster('x').feeds[0];
    if (feed === undefined) throw new Error('a sample has no feed');
    const kinds = Array.from({ length: 300 }, (_, n) => ({ ...feed, group: `g${n}.example.org`, kind: `Kind${n}` }));
    const hostile = { ...feed, kind: 'x"} 1\nplumbline_objects 9\u001B[2J', group: 'a\nb' };
    web.store.cluster(
      sampleCluster('eu-west-3', { feeds: [...kinds, hostile, { ...feed, kind: 'K'.repeat(10_000) }] }),
    );
    web.store.object(sampleObject({ name: 'a', kind: hostile.kind, group: hostile.group }));
    web.store.object(sampleObject({ name: 'b', kind: 'Kind299', group: 'g299.example.org' }));
    await web.advance(500);
    const feeds = await samples('plumbline_feeds', 'group', 'kind', 'state');
    expect(feeds).toHaveLength(201);
    expect(feeds).toContain('other other live: 102');
    expect(await samples('plumbline_objects', 'kind', 'verdict')).toEqual([
      'Kind299 converged: 1',
      'other converged: 1',
    ]);
    const text = await web.scrape();
    expect([text.includes('\u001B'), text.includes('KKKK')]).toEqual([false, false]);
  });

  it('has names as Prometheus wants them: in seconds and bytes, counters with _total', async () => {
    await fill();
    // Those of Node and of its process are named by the library.
    const own = [...(await scrape())].filter(([name]) => !/^plumbline_web_(?:process|nodejs)_/.test(name));
    const wrong = own.filter(
      ([name, { type, help }]) =>
        !/^plumbline_[a-z0-9_]+$/.test(name) ||
        help === '' ||
        /_(?:ms|milliseconds|minutes|kb|mb)(?:_|$)/.test(name) ||
        name.endsWith('_total') !== (type === 'counter'),
    );
    expect(own.length).toBeGreaterThan(10);
    expect(wrong.map(([name]) => name)).toEqual([]);
  });
});
