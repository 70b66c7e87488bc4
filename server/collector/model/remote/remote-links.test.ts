import { expect, it } from 'vitest';
import { inventoryId } from '#lib/domain/observation/inventory.ts';
import { refKey, type ObjectRef, type RefKey } from '#lib/domain/observation/ref.ts';
import { judged, noon, observed, revisionB, tracked } from '#lib/domain/testing/observed.ts';
import { createFeedTracker } from '../feeds/feed-tracker.ts';
import type { EntryState } from '../objects/entry.ts';
import { newEntry } from '../objects/packed-entry.ts';
import { createRemoteApplierIndex } from './remote-applier-index.ts';
import { tieRemotes } from './remote-links.ts';

const object: ObjectRef = { cluster: 'c2', group: 'apps', kind: 'Deployment', namespace: 'a', name: 'shop' };
const other: ObjectRef = { ...object, name: 'other' };
const app = observed({ inventory: [inventoryId(object)] });
const key = refKey(app.ref);

/** The ties of a cluster with one applier that reaches over from it. */
function bed() {
  const index = createRemoteApplierIndex(() => true);
  const told: ObjectRef[] = [];
  index.listen((ref) => void told.push(ref));
  const entry = newEntry(app.ref, tracked(app), true);
  entry.change({ judgement: judged('converged') });
  const dependents = new Map<RefKey, readonly RefKey[]>();
  let woken = 0;
  const graph = {
    entries: new Map([[key, entry]]),
    feeds: createFeedTracker('c1', {}, noon, null),
    remotes: index,
    lists: () => false,
    reachingOver: new Set([key]),
    dependentsOf: (of: RefKey) => dependents.get(of) ?? [],
  };
  const links = tieRemotes('c1', graph, index, () => void woken++);
  return {
    links,
    index,
    graph,
    dependents,
    entry,
    woken: () => woken,
    /** Number of publications since the last call. */
    news: () => told.splice(0).length,
    holding: (of = object) => index.holding(app.ref, of, 'uid').appliers,
    change: (state: Partial<EntryState>) => entry.change(state),
  };
}

const tells = (part: Parameters<typeof observed>[0]): Partial<EntryState> => ({
  track: tracked(observed({ inventory: app.inventory, ...part })),
});

it('says what reaches over: whole, and once', () => {
  const { links, news, holding } = bed();
  links.publish(true, [key]);
  expect(holding()).toEqual([
    {
      ref: app.ref,
      inventory: new Set(app.inventory),
      related: {
        ref: app.ref,
        state: 'present',
        observation: null,
        judgement: judged('converged'),
        awaySince: null,
        artifactSince: null,
        lastPassAt: null,
        busySince: null,
      },
      origin: { commit: null, repository: null },
    },
  ]);
  links.publish(true, [key]);
  expect(news()).toBe(1);
});

it.each<[string, Partial<EntryState>, number]>([
  ['another verdict', { judgement: judged('diverged') }, 1],
  ['another cause', { judgement: judged('converged', { type: 'feed', cluster: 'c1', group: 'g', kind: 'K' }) }, 1],
  ['the same judgement anew', { judgement: judged('converged') }, 0],
  ['another commit', { judgement: { ...judged('converged'), running: { revision: revisionB, partly: false } } }, 1],
  ['another repository', tells({ target: { url: 'x', reference: '', floating: true } }), 1],
  ['another version of the same inventory', tells({ resourceVersion: '2' }), 0],
  ['as many others in the inventory', tells({ resourceVersion: '2', inventory: [inventoryId(other)] }), 1],
  ['more in it', tells({ resourceVersion: '2', inventory: [inventoryId(object), inventoryId(other)] }), 1],
  ['nothing in it', tells({ resourceVersion: '2', inventory: [] }), 1],
  ['the same version', tells({ inventory: [inventoryId(other)] }), 0],
])('says again on %s', (_what, state, expected) => {
  const { links, news, change } = bed();
  links.publish(true, [key]);
  news();
  change(state);
  links.publish(true, [key]);
  expect(news()).toBe(expected);
});

it('says what it holds now, and keeps what it held where it is the same', () => {
  const { links, change, holding } = bed();
  links.publish(true, [key]);
  const inventory = holding()[0]?.inventory;
  change({ ...tells({ resourceVersion: '2' }), judgement: judged('diverged') });
  links.publish(true, [key]);
  expect(holding()[0]?.inventory).toBe(inventory);
  change(tells({ resourceVersion: '3', inventory: [inventoryId(other)] }));
  links.publish(true, [key]);
  expect([holding(), holding(other)[0]?.inventory]).toEqual([[], new Set([inventoryId(other)])]);
});

it('looks only at what was judged, until the cluster is seen no more', () => {
  const { links, news, change } = bed();
  links.publish(true, [key]);
  news();
  change({ judgement: judged('diverged') });
  links.publish(true, []);
  expect(news()).toBe(0);
  links.publish(false, []);
  expect(news()).toBe(1);
});

it('says that it is not seen, and since when it is away', () => {
  const { links, news, holding } = bed();
  links.publish(true, [key]);
  links.publish(false, [key]);
  expect([news(), holding()[0]?.related.state]).toEqual([2, 'unseen']);
});

it('takes back what reaches over no more, and everything at the end', () => {
  const { links, graph, news, holding, entry } = bed();
  links.publish(true, [key]);
  graph.reachingOver.delete(key);
  links.publish(true, [key]);
  links.publish(true, [key]);
  expect([news(), holding()]).toEqual([2, []]);
  graph.reachingOver.add(key);
  entry.change({ judgement: null });
  links.publish(true, [key]);
  expect(news()).toBe(0);
  entry.change({ judgement: judged('converged') });
  links.publish(true, [key]);
  links.stop();
  links.stop();
  expect([news(), holding()]).toEqual([2, []]);
});

it('hears of what something here depends on, once each', () => {
  const { links, index, dependents, woken } = bed();
  const named = { ...app.ref, cluster: 'c9' };
  index.publish(named, null);
  expect([[...links.news()], woken()]).toEqual([[], 0]);
  dependents.set(key, ['x', 'y']);
  index.publish(named, null);
  expect([[...links.news()], woken()]).toEqual([['x', 'y'], 1]);
  expect([...links.news()]).toEqual([]);
  links.stop();
  index.publish(named, null);
  expect([[...links.news()], woken()]).toEqual([[], 1]);
});
