import { describe, expect, it } from 'vitest';
import { until } from '#server/collector/clusters/testing/until.ts';
import type { ClusterTuning } from '#server/collector/clusters/tuning.ts';
import { onlyReads } from '#server/simulator/api/request-log.ts';
import { isRelist } from '../integration/running/requests.ts';
import {
  type KubeApiUnderTest,
  accessOf,
  type BenchRequest,
  feedsOf,
  gadgets,
  helmReleases,
  kustomizations,
  occurrence,
  thing,
  volumes,
} from './kube-api-bench.ts';
import { type Mirror, startMirror } from './kube-api-mirror.ts';

const patience = 40_000;
const soon: Partial<ClusterTuning> = {
  discoveryEvery: 600,
  probeEvery: 1_000,
  probePause: 20,
  leasesEvery: 1_000,
  // Kinds without objects are looked at here, not watched.
  ...{ emptyWatchesAtMost: 0, namedWatchesAtMost: 0 },
};

/** A list of a watched kind or of Events, by whatever means. */
function isList({ method, path }: BenchRequest): boolean {
  return isRelist({ method, path }) || (path.startsWith('/api/v1/events?') && !path.includes('watch=true'));
}

/** The whole session with a cluster. */
export function describeSession({ bench, defer }: KubeApiUnderTest): void {
  async function start(tuning: Partial<ClusterTuning> = {}, before?: Mirror): Promise<Mirror> {
    const mirror = startMirror(await accessOf(bench()), { tuning, ...(before === undefined ? {} : { before }) });
    defer(mirror.stop);
    return mirror;
  }

  function isLive(mirror: Mirror): boolean {
    return ['Kustomization', 'Volume', 'Event', 'Lease'].every((kind) => mirror.feed(kind) === 'live');
  }

  describe('session', () => {
    it('brings every feed into its state, and hears what happens', async () => {
      const mirror = await start(soon);
      await until('live', () => isLive(mirror) && mirror.feed('Gadget') === 'idle' && mirror.feed('Lock'), patience);
      expect(mirror.feed('Lock')).toBe('forbidden');
      expect(Object.keys(mirror.notes(kustomizations)).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
      expect(Object.keys(mirror.notes(volumes))).toEqual(['disk']);
      expect(mirror.emitted.find(({ type }) => type === 'kinds')).toMatchObject({
        absent: expect.arrayContaining([{ group: 'helm.toolkit.fluxcd.io', kind: 'HelmRelease' }]),
      });
      await until('leases', () =>
        mirror.emitted.some((event) => event.type === 'leases' && event.leases[0]?.holder === 'source-controller-0'),
      );
      await bench().put(occurrence('during-a-session', 'Kustomization'));
      await until('the Event', () =>
        mirror.emitted.some((event) => event.type === 'event' && event.event.about.kind === 'Kustomization'),
      );
      await bench().put(thing(volumes, 'second-disk', 'new'));
      await until('the object', () => mirror.notes(volumes)['second-disk'] === 'new');
      await bench().remove(thing(volumes, 'second-disk'));
      await until('its end', () => !('second-disk' in mirror.notes(volumes)));
    });

    it('watches a kind once it has an object', async () => {
      const mirror = await start(soon);
      await until('idle', () => mirror.feed('Gadget') === 'idle', patience);
      await bench().put(thing(gadgets, 'first-of-its-kind'));
      defer(() => bench().remove(thing(gadgets, 'first-of-its-kind')));
      await until('live', () => mirror.feed('Gadget') === 'live', patience);
      expect(mirror.notes(gadgets)).toEqual({ 'first-of-its-kind': 'first' });
    });

    it('follows a kind that appears and vanishes', async () => {
      const mirror = await start(soon);
      await until('live', () => isLive(mirror), patience);
      await bench().serve(helmReleases);
      await bench().put(thing(helmReleases, 'podinfo'));
      await until(
        'seen',
        () => mirror.feed('HelmRelease') === 'live' && 'podinfo' in mirror.notes(helmReleases),
        patience,
      );
      await bench().withdraw(helmReleases);
      await until('absent', () => mirror.feed('HelmRelease') === 'absent', patience);
      // Its watch can learn that it is gone before the list of kinds is read anew.
      await until('no kind any more', () => {
        const kinds = mirror.emitted.findLast((event) => event.type === 'kinds');
        return kinds?.absent.some(({ kind }) => kind === 'HelmRelease') ?? false;
      });
      expect(mirror.notes(helmReleases), 'its objects go with it').toEqual({});
      expect(feedsOf(mirror.emitted, 'Kustomization').at(-1)).toBe('live');
    });

    it('goes on after a restart of its own without one list, and misses nothing', async () => {
      const before = await start();
      await until('live', () => isLive(before) && before.resume().some(({ kind }) => kind === 'Event'), patience);
      await before.stop();
      await bench().put(thing(kustomizations, 'b', 'while away'));
      await bench().put(thing(kustomizations, 'g', 'while away'));
      await bench().remove(thing(kustomizations, 'e'));
      defer(() => bench().put(thing(kustomizations, 'e')));
      defer(() => bench().remove(thing(kustomizations, 'g')));
      const from = (await bench().requests()).length;
      const after = await start({}, before);
      await until('live', () => isLive(after), patience);
      await until(
        'all known',
        () => after.notes(kustomizations)['g'] === 'while away' && !('e' in after.notes(kustomizations)),
      );
      expect(after.notes(kustomizations)['b']).toBe('while away');
      expect(after.notes(volumes)).toEqual(before.notes(volumes));
      expect(after.emitted.filter(({ type }) => type === 'sync-start')).toEqual([]);
      const requests = (await bench().requests()).slice(from);
      expect(requests.filter(({ path }) => path.includes('watch=true')).length).toBeGreaterThanOrEqual(5);
      expect(requests.filter(isList)).toEqual([]);
    });

    it('survives a restart of the server without losing a change', async () => {
      const mirror = await start({ backoffCap: 2_000 });
      await until('live', () => isLive(mirror), patience);
      await bench().put(thing(kustomizations, 'a', 'last before'));
      await bench().put(thing(kustomizations, 'h', 'only before'));
      await bench().restart();
      await bench().put(thing(kustomizations, 'a', 'first after'));
      await bench().remove(thing(kustomizations, 'h'));
      await bench().put(thing(volumes, 'disk', 'first after'));
      await until(
        'connected again',
        () => mirror.emitted.filter(({ type }) => type === 'connected').length === 2,
        patience,
      );
      await until(
        'all known',
        () =>
          mirror.notes(kustomizations)['a'] === 'first after' &&
          !('h' in mirror.notes(kustomizations)) &&
          mirror.notes(volumes)['disk'] === 'first after' &&
          isLive(mirror),
        patience,
      );
      expect(Object.keys(mirror.notes(kustomizations)).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
      // Once per reason: first it is gone, then it may not be ready yet.
      const ways = mirror.emitted.map(({ type }) => type).filter((type) => type.endsWith('connected'));
      expect(ways.join(' ')).toMatch(/^connected( disconnected)+ connected$/);
      expect(feedsOf(mirror.emitted, 'Kustomization')).not.toContain('absent');
      // It still hears: the streams are new ones.
      await bench().put(thing(kustomizations, 'a', 'and on'));
      await until('heard', () => mirror.notes(kustomizations)['a'] === 'and on');
    });

    it('has sent nothing but reads and the two reviews, here and in every case before', async () => {
      const requests = await bench().requests();
      expect(requests.filter((request) => !onlyReads(request))).toEqual([]);
      expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET', 'POST']));
      expect(requests.length).toBeGreaterThan(50);
    });
  });
}
