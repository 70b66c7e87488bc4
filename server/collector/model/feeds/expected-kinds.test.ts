import { beforeEach, describe, expect, it } from 'vitest';
import { noon, observed } from '#lib/domain/testing/observed.ts';
import type { FeedState, WatchedKind } from '../../clusters/cluster-event.ts';
import { expectedKinds } from '../intake/event-intake.ts';
import { createFeedTracker, type FeedTracker } from './feed-tracker.ts';
import { kinds } from '../testing/objects.ts';

const { instance, database } = kinds;
let feeds: FeedTracker;

beforeEach(() => {
  feeds = createFeedTracker('c1', {}, noon, null);
  feeds.take({ type: 'kinds', at: noon, kinds: [instance, database], absent: [] });
});

function feed(kind: WatchedKind, state: FeedState): void {
  feeds.take({ type: 'feed', at: noon, kind, feed: state });
}

const part = { cluster: 'c1', group: instance.group, kind: instance.kind, namespace: '', name: 'db' };
const named = [{ group: instance.group, kind: instance.kind }];

describe('kinds of which an object is expected', () => {
  it.each<[string, Parameters<typeof observed>[0]]>([
    ['the parts of a composite', { children: [part, { ...part, name: 'other' }] }],
    ['what is in an inventory', { inventory: ['_db_rds.aws.upbound.io_Instance', '_x_rds.aws.upbound.io_Instance'] }],
  ])('are those of %s, once, while they are only looked at', (_what, parts) => {
    feed(instance, { state: 'idle' });
    expect(expectedKinds(observed(parts), feeds)).toMatchObject(named);
    feed(instance, { state: 'live' });
    expect(expectedKinds(observed(parts), feeds)).toEqual([]);
  });

  it('are those of a part that no kind is known for yet, but not of everything in an inventory', () => {
    const unknown = { ...part, group: 'new.example.org', kind: 'XNew' };
    expect(expectedKinds(observed({ children: [unknown] }), feeds)).toMatchObject([{ kind: 'XNew' }]);
    expect(expectedKinds(observed({ inventory: ['apps_x_monitoring.coreos.com_ServiceMonitor'] }), feeds)).toEqual([]);
  });

  it('are not those of objects on another cluster', () => {
    feed(instance, { state: 'idle' });
    const inventory = ['_db_rds.aws.upbound.io_Instance'];
    expect(expectedKinds(observed({ inventory, remote: true }), feeds)).toEqual([]);
    const away = { ...part, cluster: 'c2' };
    expect(expectedKinds(observed({ children: [away] }), feeds)).toEqual([]);
    expect(expectedKinds(observed({ children: [away, part], remote: true }), feeds)).toMatchObject(named);
  });

  it('are not those of what is no id of an object', () => {
    feed(instance, { state: 'idle' });
    expect(expectedKinds(observed({ inventory: ['', 'rds.aws.upbound.io_Instance'] }), feeds)).toEqual([]);
  });
});
