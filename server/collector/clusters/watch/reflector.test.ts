import { describe, expect, it } from 'vitest';
import { added, bookmark, live, modified, page, start, thing } from '../testing/reflecting.ts';
import { settled } from '../testing/until.ts';

describe('first sync', () => {
  it('streams it (WatchList), and goes on on the same stream', async () => {
    const s = await start();
    expect(s.watch().query.get('sendInitialEvents')).toBe('true');
    expect(s.watch().query.get('resourceVersionMatch')).toBe('NotOlderThan');
    expect(s.watch().query.get('allowWatchBookmarks')).toBe('true');
    s.watch().open();
    s.watch().say(added('a', '7'), added('b', '3'), bookmark('10', true), modified('a', '11'), {
      type: 'DELETED',
      object: thing('b', '12'),
    });
    expect(s.sent()).toEqual([
      'syncing',
      'sync-start',
      'initial a',
      'initial b',
      'sync-end 10',
      'live',
      'applied a',
      'deleted b',
    ]);
    expect(s.transport.gets).toEqual([]);
    await s.stop();
  });

  it.each([400, 422])(
    'falls back to lists where WatchList is unsupported (HTTP %i), and remembers it for the cluster',
    async (code) => {
      const s = await start();
      s.watch().status(code, 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled');
      await settled();
      expect(s.watchList.supported).toBe(false);
      expect(s.get().path).toBe('/apis/example.org/v1/things?limit=500&resourceVersion=0');
      s.get().ok(page('20', ['a', 'b']));
      await settled();
      expect(s.sent()).toEqual(['syncing', 'sync-start', 'initial a', 'initial b', 'sync-end 20']);
      expect(s.watch().query.get('resourceVersion')).toBe('20');
      s.watch().open();
      expect(s.sent()).toEqual(['live']);
      await s.stop();
    },
  );

  it('falls back where an old server ignores sendInitialEvents (a bookmark without its annotation)', async () => {
    const s = await start();
    s.watch().open();
    s.watch().say(added('a', '7'), bookmark('8'));
    await settled();
    expect(s.watchList.supported).toBe(false);
    expect(s.transport.gets).toHaveLength(1);
    await s.stop();
  });

  it('reads in pages what is too large for one answer, and smaller pages what is still too large', async () => {
    const s = await start({ watchList: false });
    s.get().answer({ type: 'too-large' });
    await settled();
    expect(s.get().path).toBe('/apis/example.org/v1/things?limit=500');
    s.get().answer({ type: 'too-large' });
    await settled();
    expect(s.get().path).toBe('/apis/example.org/v1/things?limit=62');
    s.get().ok(page('20', ['a'], 'next/1'));
    await settled();
    expect(s.get().path).toBe('/apis/example.org/v1/things?limit=62&continue=next%2F1');
    s.get().ok(page('20', ['b']));
    await settled();
    expect(s.sent()).toEqual(['syncing', 'sync-start', 'initial a', 'initial b', 'sync-end 20']);
    await s.stop();
  });

  it('starts the list again when its continue token has expired', async () => {
    const s = await start({ watchList: false });
    s.get().ok(page('20', ['a'], 'next'));
    await settled();
    s.get().status(410, 'The provided continue parameter is too old');
    await settled();
    expect(s.get().path).toBe('/apis/example.org/v1/things?limit=500');
    s.get().ok(page('30', ['a']));
    await settled();
    expect(s.sent()).toEqual(['syncing', 'sync-start', 'initial a', 'sync-start', 'initial a', 'sync-end 30']);
    await s.stop();
  });

  it('an empty kind is synced and live, not absent', async () => {
    const s = await start();
    s.watch().open();
    s.watch().say(bookmark('10', true));
    expect(s.sent()).toEqual(['syncing', 'sync-start', 'sync-end 10', 'live']);
    await s.stop();
  });

  it('syncs again when the stream breaks before its end', async () => {
    const s = await start();
    s.watch().open();
    s.watch().say(added('a', '7'));
    s.watch().lose();
    await settled();
    s.clock.advance(2_000);
    await settled();
    expect(s.watch().query.get('sendInitialEvents')).toBe('true');
    s.watch().open();
    s.watch().say(added('a', '7'), bookmark('10', true));
    expect(s.sent()).toEqual(['syncing', 'sync-start', 'initial a', 'sync-start', 'initial a', 'sync-end 10', 'live']);
    await s.stop();
  });

  it.each([
    ['a Table', { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: { resourceVersion: '1' }, rows: [] }],
    [
      'a list of another kind',
      { kind: 'OtherList', apiVersion: 'example.org/v1', metadata: { resourceVersion: '1' }, items: [] },
    ],
    ['a list without a resourceVersion', { kind: 'ThingList', apiVersion: 'example.org/v1', metadata: {}, items: [] }],
  ])('rejects %s', async (_, body) => {
    const s = await start({ watchList: false });
    s.get().ok(body);
    await settled();
    expect(s.sent().at(-1)).toBe('failed: protocol');
    await s.stop();
  });
});

describe('what is not fresh is not called so', () => {
  it('a stream silent past its bookmarks is told and reopened; only a word makes it live again', async () => {
    const s = await live();
    s.clock.advance(199_000);
    await settled();
    expect(s.sent()).toEqual([]);
    s.clock.advance(1_500);
    await settled();
    expect(s.sent()).toEqual(['silent']);
    expect(s.transport.watches).toHaveLength(2);
    expect(s.watch().query.get('resourceVersion')).toBe('10');
    s.watch().open();
    expect(s.sent()).toEqual([]);
    s.watch().say(bookmark('50'));
    expect(s.sent()).toEqual(['live', 'bookmark 50']);
    await s.stop();
  });

  it('a stream that opens and then says only what cannot be read is failed, not live again with each attempt', async () => {
    const s = await live();
    const table = { type: 'MODIFIED', object: { kind: 'Table', apiVersion: 'meta.k8s.io/v1' } };
    s.watch().say(table);
    for (const wait of [800, 1_600, 3_200, 6_400]) {
      await settled();
      s.clock.advance(wait);
      await settled();
      s.watch().open();
      s.watch().say(table);
    }
    expect(s.sent()).toEqual(['failed: protocol', 'live', 'failed: protocol']);
    await settled();
    s.clock.advance(12_800);
    await settled();
    s.watch().open();
    expect(s.sent()).toEqual([]);
    s.watch().say(bookmark('50'));
    expect(s.sent()).toEqual(['live', 'bookmark 50']);
    await s.stop();
  });

  it('forbidden is its own state, asked again soon at first (a server that starts), then slowly', async () => {
    const s = await start();
    for (const wait of [800, 1_600, 3_200, 6_400]) {
      s.watch().status(403, 'things.example.org is forbidden');
      await settled();
      s.clock.advance(wait);
      await settled();
    }
    expect(s.sent()).toEqual(['syncing', 'forbidden: forbidden']);
    expect(s.transport.watches).toHaveLength(5);
    s.watch().status(403, 'things.example.org is forbidden');
    await settled();
    s.clock.advance(40_000);
    await settled();
    expect(s.transport.watches).toHaveLength(5);
    s.clock.advance(10_000);
    await settled();
    expect(s.transport.watches).toHaveLength(6);
    await s.stop();
  });

  it('404 asks for discovery; twice it is absent', async () => {
    const s = await start();
    s.watch().status(404);
    await settled();
    expect(s.missing()).toBe(1);
    s.clock.advance(800);
    await settled();
    s.watch().status(404);
    await settled();
    expect(s.sent()).toEqual(['syncing', 'failed: server', 'absent']);
    await s.stop();
  });

  it('twice silent without a word between: lists anew (a version from a future that never came)', async () => {
    const s = await live();
    s.clock.advance(201_000);
    await settled();
    expect(s.watch().query.get('resourceVersion')).toBe('10');
    s.watch().open();
    s.clock.advance(201_000);
    await settled();
    expect(s.watch().query.get('sendInitialEvents')).toBe('true');
    await s.stop();
  });

  it.each([
    ['no JSON', '{"type":"ADDED","obj'],
    ['an object of another kind', { type: 'ADDED', object: { kind: 'Table', apiVersion: 'meta.k8s.io/v1' } }],
    ['an unknown type', { type: 'WHAT', object: thing('a', '1') }],
  ])('a line with %s is a protocol fault, and the watch is opened anew', async (_, line) => {
    const s = await live();
    s.watch().say(line, modified('a', '99'));
    await settled();
    expect(s.sent()).toEqual(['failed: protocol']);
    s.clock.advance(2_000);
    await settled();
    expect(s.watch().query.get('resourceVersion')).toBe('10');
    await s.stop();
  });

  it('says nothing any more once stopped', async () => {
    const s = await live();
    await s.stop();
    s.watch().say(modified('a', '11'));
    expect(s.sent()).toEqual([]);
    expect(s.watch().aborted()).toBe(true);
    expect(s.clock.pending()).toBe(0);
  });
});

describe('a cluster that holds too much', () => {
  it.each([true, false])(
    'is not read on in a first list (streamed: %s), and is once there is room',
    async (watchList) => {
      const s = await start({ watchList });
      s.fill('it holds too much');
      const tell = async (): Promise<void> => {
        if (watchList) s.watch().open();
        if (watchList) s.watch().say(added('a', '7'), added('b', '8'));
        else s.get().ok(page('20', ['a', 'b']));
        await settled();
      };
      await tell();
      expect(s.sent()).toEqual(['syncing', 'sync-start', 'failed: protocol']);
      s.fill(null);
      s.clock.advance(60_000);
      await settled();
      await tell();
      expect(s.sent()).toEqual([
        'syncing',
        'sync-start',
        'initial a',
        'initial b',
        ...(watchList ? [] : ['sync-end 20']),
      ]);
      await s.stop();
    },
  );

  it('is asked again for the change that there was no room for; what goes makes room', async () => {
    const s = await start({ resume: '5' });
    s.watch().open();
    s.watch().say(added('a', '6'));
    s.fill('it holds too much');
    s.watch().say({ type: 'DELETED', object: thing('a', '7') }, added('b', '8'), added('c', '9'));
    await settled();
    expect(s.sent()).toEqual(['live', 'applied a', 'deleted a', 'failed: protocol']);
    s.fill(null);
    s.clock.advance(60_000);
    await settled();
    expect(s.watch().query.get('resourceVersion')).toBe('7');
    s.watch().open();
    s.watch().say(added('b', '8'));
    expect(s.sent()).toEqual(['live', 'applied b']);
    await s.stop();
  });
});
