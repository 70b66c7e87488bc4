import { describe, expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import type { ClusterEvent } from '../cluster-event.ts';
import { readEvent, startEvents } from './events.ts';
import { fakeTransport } from '../testing/fake-transport.ts';
import { settled } from '../testing/until.ts';
import { defaultTuning } from '../tuning.ts';
import { createBoundary } from '../boundary.ts';
import { silentLog } from '#server/runtime/log.ts';

const configured = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: {
    namespace: 'flux-system',
    uid: 'u-1',
    resourceVersion: '120',
    creationTimestamp: '2026-11-21T02:00:00Z',
    annotations: {
      'kustomize.toolkit.fluxcd.io/revision': 'main@sha1:9f31',
      'helm.toolkit.fluxcd.io/token': 'canary',
      other: 'canary',
    },
  },
  involvedObject: {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    namespace: 'flux-system',
    name: 'apps',
  },
  type: 'Normal',
  reason: 'Progressing',
  message: 'ConfigMap/apps/drifty configured',
  count: 3,
  firstTimestamp: '2026-11-21T02:00:01Z',
  lastTimestamp: '2026-11-21T02:05:01Z',
  source: { component: 'kustomize-controller' },
};

describe('readEvent', () => {
  it('reads one of the older recorder', () => {
    expect(readEvent(configured)).toEqual({
      uid: 'u-1',
      about: { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization', namespace: 'flux-system', name: 'apps' },
      type: 'Normal',
      reason: 'Progressing',
      message: 'ConfigMap/apps/drifty configured',
      count: 3,
      firstAt: Date.UTC(2026, 10, 21, 2, 0, 1),
      lastAt: Date.UTC(2026, 10, 21, 2, 5, 1),
      annotations: { 'kustomize.toolkit.fluxcd.io/revision': 'main@sha1:9f31' },
      component: 'kustomize-controller',
    });
  });

  it('reads one of the newer recorder (events.k8s.io/v1: series, eventTime, reportingComponent)', () => {
    const { count: _, firstTimestamp: __, lastTimestamp: ___, source: ____, ...rest } = configured;
    const event = {
      ...rest,
      firstTimestamp: null,
      eventTime: '2026-11-21T02:00:02.5Z',
      series: { count: 4, lastObservedTime: '2026-11-21T02:06:00Z' },
      reportingComponent: 'helm-controller',
    };
    expect(readEvent(event)).toMatchObject({
      count: 4,
      firstAt: Date.UTC(2026, 10, 21, 2, 0, 2, 500),
      lastAt: Date.UTC(2026, 10, 21, 2, 6, 0),
      component: 'helm-controller',
    });
  });

  it('reads one that says next to nothing', () => {
    const metadata = { namespace: 'default', uid: 'x', creationTimestamp: '2026-11-21T02:00:00Z' };
    const bare = { metadata, involvedObject: { kind: 'A', name: 'b' } };
    const at = Date.UTC(2026, 10, 21, 2);
    const about = { group: '', kind: 'A', namespace: '', name: 'b' };
    const nothing = { type: '', reason: '', message: '', annotations: {}, component: '' };
    expect(readEvent(bare)).toEqual({ uid: 'x', about, ...nothing, count: 1, firstAt: at, lastAt: at });
    const eventTime = '2026-11-21T03:00:00Z';
    expect(readEvent({ ...bare, eventTime })).toMatchObject({ firstAt: at + 3_600_000, lastAt: at + 3_600_000 });
    const firstTimestamp = '2026-11-21T01:00:00Z';
    const both = readEvent({ ...bare, firstTimestamp, eventTime });
    expect(both).toMatchObject({ firstAt: at - 3_600_000, lastAt: at + 3_600_000 });
    const core = { apiVersion: 'v1', kind: 'Pod', name: 'b' };
    expect(readEvent({ ...bare, involvedObject: core })?.about).toEqual({ ...about, kind: 'Pod' });
  });

  it.each([
    ['flux-system', 'flux-system', true],
    // An API server takes it: it has an eventTime.
    ['tenant', 'flux-system', false],
    ['tenant', undefined, false],
    ['default', undefined, true],
    ['kube-system', undefined, true],
    ['default', 'flux-system', false],
    [undefined, undefined, false],
  ])('of namespace %s about an object of %s counts: %s', (namespace, about, counts) => {
    const { metadata, involvedObject } = configured;
    const event = {
      ...configured,
      metadata: { ...metadata, namespace },
      involvedObject: { ...involvedObject, namespace: about },
      eventTime: '2026-11-21T02:00:02.5Z',
    };
    expect(readEvent(event) !== null).toBe(counts);
  });

  it.each([
    [{}],
    [{ metadata: { namespace: 'default', uid: 'x' } }],
    [{ metadata: { namespace: 'default', uid: 'x' }, involvedObject: { kind: 'A' } }],
    [{ metadata: { namespace: 'default', uid: 'x' }, involvedObject: { name: 'b' } }],
    [{ metadata: { namespace: 'default' }, involvedObject: { kind: 'A', name: 'b' } }],
  ])('gives nothing for %j', (object) => {
    expect(readEvent(object)).toBeNull();
  });
});

describe('watching events', () => {
  const list = (resourceVersion: string): { [key: string]: unknown } => ({
    kind: 'EventList',
    apiVersion: 'v1',
    metadata: { resourceVersion },
    items: [],
  });

  it('asks by field selector, tells one state for all, and a version that all can resume from', async () => {
    const clock = fakeClock();
    const transport = fakeTransport();
    const emitted: ClusterEvent[] = [];
    const events = startEvents({
      transport,
      clock,
      random: () => 0,
      tuning: defaultTuning,
      boundary: createBoundary(silentLog),
      resume: null,
      on: (event) => void emitted.push(event),
    });
    await settled();
    expect(transport.gets.map(({ path }) => new URL(path, 'https://x').searchParams.get('fieldSelector'))).toEqual([
      'involvedObject.kind=Kustomization',
      'involvedObject.kind=HelmRelease',
      'reason=UpdatedExternalResource',
      'reason=CreatedExternalResource',
    ]);
    transport.gets.forEach((get, index) =>
      get.ok(
        index === 0
          ? { ...list('100'), items: [{ ...configured, kind: undefined, apiVersion: undefined }] }
          : list(String(98 + index)),
      ),
    );
    await settled();
    for (const watch of transport.watches) watch.open();
    transport.watches[0]?.say({ type: 'MODIFIED', object: configured });
    expect(emitted.filter(({ type }) => type === 'event')).toHaveLength(2);
    expect(emitted.flatMap((event) => (event.type === 'bookmark' ? event.resourceVersion : []))).toEqual(['99', '99']);
    expect(emitted.flatMap((event) => (event.type === 'feed' ? event.feed.state : []))).toEqual(['syncing', 'live']);
    // No bookmarks come for events: an hour of quiet is no silence.
    for (let minutes = 0; minutes < 4; minutes++) {
      clock.advance(60_000);
      await settled(4);
    }
    expect(emitted.filter((event) => event.type === 'feed')).toHaveLength(2);
    await events.stop();
  });

  it('resumes without a list', async () => {
    const transport = fakeTransport();
    const events = startEvents({
      transport,
      clock: fakeClock(),
      random: () => 0,
      tuning: defaultTuning,
      boundary: createBoundary(silentLog),
      resume: '55',
      on: () => undefined,
    });
    await settled();
    expect(transport.gets).toEqual([]);
    expect(transport.watches.map(({ query }) => query.get('resourceVersion'))).toEqual(['55', '55', '55', '55']);
    await events.stop();
  });

  it('none is taken while there is no room for more of its cluster, and that is told', async () => {
    const transport = fakeTransport();
    const emitted: ClusterEvent[] = [];
    let why: string | null = null;
    const events = startEvents({
      transport,
      clock: fakeClock(),
      random: () => 0,
      tuning: defaultTuning,
      boundary: createBoundary(silentLog),
      resume: '55',
      full: () => why,
      on: (event) => void emitted.push(event),
    });
    await settled();
    for (const watch of transport.watches) watch.open();
    transport.watches[0]?.say({ type: 'ADDED', object: configured });
    why = 'there is no room';
    transport.watches[1]?.say({ type: 'ADDED', object: configured });
    await settled();
    expect(emitted.filter(({ type }) => type === 'event')).toHaveLength(1);
    const feed = emitted.findLast((event) => event.type === 'feed');
    expect(feed).toMatchObject({ feed: { state: 'failed', fault: { message: 'there is no room' } } });
    await events.stop();
  });

  it('forbidden is told as the state of the Event feed and troubles nothing else', async () => {
    const transport = fakeTransport();
    const emitted: ClusterEvent[] = [];
    const events = startEvents({
      transport,
      clock: fakeClock(),
      random: () => 0,
      tuning: defaultTuning,
      boundary: createBoundary(silentLog),
      resume: null,
      on: (event) => void emitted.push(event),
    });
    await settled();
    for (const get of transport.gets) get.status(403);
    await settled();
    expect(emitted.at(-1)).toMatchObject({
      type: 'feed',
      kind: { group: '', kind: 'Event' },
      feed: { state: 'forbidden' },
    });
    await events.stop();
  });

  it.each<readonly [readonly number[], string]>([
    [[200, 403, 500, 404], 'forbidden'],
    [[200, 500, 200, 200], 'failed'],
    [[200, 0, 200, 200], 'syncing'],
    [[200, 200, 200, 200], 'live'],
  ])('answered with %j they are %s', async (statuses, state) => {
    const transport = fakeTransport();
    const emitted: ClusterEvent[] = [];
    const on = (event: ClusterEvent): void => void emitted.push(event);
    const deps = {
      transport,
      clock: fakeClock(),
      random: () => 0,
      tuning: defaultTuning,
      boundary: createBoundary(silentLog),
      resume: null,
    };
    const events = startEvents({ ...deps, on });
    await settled();
    for (const [index, status] of statuses.entries()) {
      const get = transport.gets[index];
      if (status === 200) get?.ok(list('9'));
      else if (status !== 0) get?.status(status);
    }
    await settled();
    for (const watch of transport.watches) watch.open();
    const feed = emitted.findLast((event) => event.type === 'feed');
    expect(feed).toMatchObject({ kind: { group: '', kind: 'Event' }, feed: { state } });
    await events.stop();
  });

  it.each<readonly [readonly string[], string]>([
    [['100', '99', '101', '100'], '99'],
    [['1000', '999', '1001', '998'], '998'],
    [['100', 'x', '99', '100'], '99'],
    [['x', '7', '8', '9'], 'x'],
  ])('of the versions %j they resume from %s', async (versions, lowest) => {
    const transport = fakeTransport();
    const emitted: ClusterEvent[] = [];
    const on = (event: ClusterEvent): void => void emitted.push(event);
    const deps = {
      transport,
      clock: fakeClock(),
      random: () => 0,
      tuning: defaultTuning,
      boundary: createBoundary(silentLog),
      resume: null,
    };
    const events = startEvents({ ...deps, on });
    await settled();
    for (const [index, version] of versions.entries()) transport.gets[index]?.ok(list(version));
    await settled();
    const kind = { group: '', kind: 'Event', version: 'v1', resource: 'events', namespaced: true, categories: [] };
    expect(emitted.filter((event) => event.type === 'bookmark')).toEqual([
      { type: 'bookmark', at: expect.any(Number), kind, resourceVersion: lowest },
    ]);
    for (const watch of transport.watches) watch.open();
    const bookmark = { kind: 'Event', apiVersion: 'v1', metadata: { resourceVersion: '5000' } };
    for (const watch of transport.watches) watch.say({ type: 'BOOKMARK', object: bookmark });
    expect(emitted.findLast((event) => event.type === 'bookmark')?.resourceVersion).toBe('5000');
    await events.stop();
  });
});
