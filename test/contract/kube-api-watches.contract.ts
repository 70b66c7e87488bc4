import { describe, expect, it } from 'vitest';
import { textAt } from '#lib/foreign.ts';
import type { ClusterEvent } from '#server/collector/clusters/cluster-event.ts';
import { startReflector } from '#server/collector/clusters/watch/reflector.ts';
import { until } from '#server/collector/clusters/testing/until.ts';
import type { Transport } from '#server/collector/clusters/transport/transport.ts';
import { defaultTuning } from '#server/collector/clusters/tuning.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { createBoundary } from '#server/collector/clusters/boundary.ts';
import { silentLog } from '#server/runtime/log.ts';
import {
  type KubeApiUnderTest,
  accessOf,
  feedsOf,
  kustomizations,
  nameOf,
  occurrence,
  openTransport,
  pathOf,
  read,
  thing,
  volumes,
  watch,
} from './kube-api-bench.ts';

const first = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';

/** Streams, and the reflector that reads them. */
export function describeWatches({ bench, defer }: KubeApiUnderTest): void {
  async function connect(): Promise<Transport> {
    const opened = openTransport(await accessOf(bench()));
    defer(opened.stop);
    return opened.transport;
  }

  async function present(transport: Transport): Promise<string> {
    return textAt(await read(transport, `${pathOf(volumes)}?limit=1`), 'metadata', 'resourceVersion') ?? '';
  }

  describe('watch', () => {
    it('from a version gives exactly what came later, in order, and goes on', async () => {
      const transport = await connect();
      await bench().put(thing(volumes, 'before'));
      const from = await present(transport);
      const versions = [
        await bench().put(thing(volumes, 'x')),
        await bench().put(thing(volumes, 'y')),
        await bench().put(thing(volumes, 'x', 'second')),
      ];
      await bench().remove(thing(volumes, 'y'));
      const open = await watch(transport, volumes, `resourceVersion=${from}&timeoutSeconds=60`);
      defer(open.stop);
      await until('the past', () => open.events.length === 4);
      await bench().remove(thing(volumes, 'x'));
      await bench().remove(thing(volumes, 'before'));
      await until('the present', () => open.events.length === 6);
      expect(open.words()).toEqual(['ADDED x', 'ADDED y', 'MODIFIED x', 'DELETED y', 'DELETED x', 'DELETED before']);
      const seen = open.events.map((event) => ('resourceVersion' in event ? event.resourceVersion : ''));
      expect(seen.slice(0, 3)).toEqual(versions);
      expect(seen.map(Number)).toEqual(seen.map(Number).toSorted((a, b) => a - b));
      expect(new Set(seen).size).toBe(6);
    });

    it('shows what was deleted while it was away, at the version of the deletion', async () => {
      const transport = await connect();
      const written = await bench().put(thing(volumes, 'short-lived', 'last words'));
      await bench().remove(thing(volumes, 'short-lived'));
      const open = await watch(transport, volumes, `resourceVersion=${written}&timeoutSeconds=60`);
      defer(open.stop);
      const event = await until('deleted', () => open.events[0]);
      if (event.type !== 'DELETED') throw new Error(event.type);
      expect(textAt(event.object, 'spec', 'note')).toBe('last words');
      expect(Number(event.resourceVersion)).toBeGreaterThan(Number(written));
    });

    it('ends cleanly after timeoutSeconds, and says before how far it has come', async () => {
      const transport = await connect();
      const from = await present(transport);
      const query = `resourceVersion=${from}&allowWatchBookmarks=true&timeoutSeconds=4`;
      const open = await watch(transport, volumes, query);
      const version = await bench().put(thing(volumes, 'disk', `after ${from}`));
      expect(await open.ended()).toBe('ended');
      expect(open.words().slice(0, 2)).toEqual(['MODIFIED disk', 'BOOKMARK']);
      const [last] = open.events.slice(-1);
      expect(last?.type === 'BOOKMARK' && Number(last.resourceVersion)).toBeGreaterThanOrEqual(Number(version));
    });

    it('says nothing of its version to whoever did not ask for bookmarks', async () => {
      const transport = await connect();
      const open = await watch(transport, volumes, `resourceVersion=${await present(transport)}&timeoutSeconds=3`);
      expect(await open.ended()).toBe('ended');
      expect(open.events).toEqual([]);
    });

    it('streams the first list, ends it with a bookmark, and goes on', async () => {
      const open = await watch(await connect(), kustomizations, `${first}&allowWatchBookmarks=true&timeoutSeconds=60`);
      defer(open.stop);
      await until('the first list', () => open.words().includes('end of the first list'));
      expect(open.words().slice(0, -1).toSorted()).toEqual(['ADDED a', 'ADDED b', 'ADDED c', 'ADDED d', 'ADDED e']);
      const version = await bench().put(thing(kustomizations, 'c', 'streamed'));
      const event = await until('the next', () => open.events[6]);
      expect(event).toMatchObject({ type: 'MODIFIED', resourceVersion: version });
      const end = open.events[5];
      expect(end?.type === 'BOOKMARK' && Number(end.resourceVersion)).toBeLessThan(Number(version));
    });

    it('for a streamed list that does not say how old it may be is HTTP 422', async () => {
      const open = await watch(await connect(), volumes, 'sendInitialEvents=true&allowWatchBookmarks=true');
      expect(open.opened()).toBe(false);
      expect(open.end()).toContain('"status":422');
    });

    it.each([
      ['accepted, then', ''],
      ['with bookmarks', '&allowWatchBookmarks=true'],
    ])('from a version that is forgotten is %s told so', async (_how, more) => {
      const open = await watch(await connect(), volumes, `resourceVersion=1&timeoutSeconds=20${more}`);
      await open.ended();
      expect(open.opened()).toBe(true);
      expect(open.words()).toEqual(['expired']);
    });

    it('of Events from a version that is forgotten is told so too', async () => {
      const transport = await connect();
      await bench().put(occurrence('one-more', 'Kustomization'));
      await bench().forget(
        textAt(await read(transport, `${pathOf(kustomizations)}?limit=1`), 'metadata', 'continue') ?? '',
      );
      const open = await watch(transport, 'events', 'resourceVersion=1&timeoutSeconds=20');
      await open.ended();
      expect(open.words()).toEqual(['expired']);
    });

    it('from a version that has not come yet is silent, bookmarks included', async () => {
      const transport = await connect();
      const open = await watch(
        transport,
        volumes,
        'resourceVersion=999999999&allowWatchBookmarks=true&timeoutSeconds=4',
      );
      await bench().put(thing(volumes, 'disk', 'unheard'));
      expect(await open.ended()).toBe('ended');
      expect(open.opened()).toBe(true);
      expect(open.events).toEqual([]);
    });

    it('of Events is chosen by the kind that they are about', async () => {
      const selector = `fieldSelector=${encodeURIComponent('involvedObject.kind=HelmRelease')}`;
      const transport = await connect();
      const list = await read(transport, `/api/v1/events?${selector}`);
      const from = textAt(list, 'metadata', 'resourceVersion') ?? '';
      const open = await watch(transport, 'events', `resourceVersion=${from}&timeoutSeconds=60&${selector}`);
      defer(open.stop);
      await bench().put(occurrence('unwanted', 'Pod'));
      await bench().put(occurrence('wanted', 'HelmRelease'));
      await until('heard', () => open.events.length > 0);
      expect(open.words()).toEqual(['ADDED wanted']);
    });
  });

  describe('reflector', () => {
    async function follow(options: {
      readonly resume: string | null;
      readonly watchList?: boolean;
    }): Promise<ClusterEvent[]> {
      const sent: ClusterEvent[] = [];
      const tuning = { ...defaultTuning, pageLimit: 2, backoffFirst: 50 };
      const transport = await connect();
      const reflector = startReflector({
        kind: kustomizations,
        // The whole list is larger than an answer may be.
        transport: {
          ...transport,
          get: (path, asked) =>
            path.includes('resourceVersion=0') ? Promise.resolve({ type: 'too-large' }) : transport.get(path, asked),
        },
        tuning,
        clock: systemClock,
        random: Math.random,
        boundary: createBoundary(silentLog),
        resume: options.resume,
        watchList: { supported: options.watchList ?? true },
        on: (event) => void sent.push(event),
        onMissing: () => undefined,
      });
      defer(reflector.stop);
      return sent;
    }
    const initial = (sent: readonly ClusterEvent[]): string[] =>
      sent.flatMap((event) => (event.type === 'applied' && event.initial ? [nameOf(event.object)] : [])).toSorted();
    const all = ['a', 'b', 'c', 'd', 'e'];

    it.each([
      ['streamed', true],
      ['in pages, because one answer would be too large', false],
    ])('reads everything %s, then hears every change', async (_how, watchList) => {
      const sent = await follow({ resume: null, watchList });
      await until('live', () => feedsOf(sent, 'Kustomization').at(-1) === 'live');
      expect(initial(sent)).toEqual(all);
      expect(sent.map(({ type }) => type).slice(0, 9)).toEqual([
        'feed',
        'sync-start',
        ...all.map(() => 'applied'),
        'sync-end',
        'feed',
      ]);
      await bench().put(thing(kustomizations, 'f'));
      await bench().remove(thing(kustomizations, 'f'));
      await until('heard', () => sent.some(({ type }) => type === 'deleted'));
      const changes = sent.filter((event) => event.type === 'deleted' || (event.type === 'applied' && !event.initial));
      expect(changes.map((event) => ('object' in event ? `${event.type} ${nameOf(event.object)}` : ''))).toEqual([
        'applied f',
        'deleted f',
      ]);
    });

    it('lists anew, by itself, from a version that is forgotten', async () => {
      const sent = await follow({ resume: '1' });
      await until(
        'live',
        () => sent.some(({ type }) => type === 'sync-end') && feedsOf(sent, 'Kustomization').at(-1) === 'live',
      );
      expect(initial(sent)).toEqual(all);
      expect(sent.filter(({ type }) => type === 'sync-start')).toHaveLength(1);
      expect(feedsOf(sent, 'Kustomization')).not.toContain('failed');
    });
  });
}
