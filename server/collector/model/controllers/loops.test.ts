import { expect, it } from 'vitest';
import { observed } from '#lib/domain/testing/observed.ts';
import { createLoops } from './loops.ts';

function object(part: { controller?: string | null; namespace?: string; shard?: string | null } = {}) {
  const { controller = 'c', namespace = 'n', shard = null } = part;
  return observed({ controller, shard, ref: { cluster: 'c1', group: '', kind: 'A', namespace, name: 'a' } });
}

it('counts objects by their controller, namespace and shard, as they come, change and go', () => {
  const loops = createLoops();
  const told = () =>
    loops.all().map(({ controller, namespace, shard, objects }) => [controller, namespace, shard, objects]);

  const first = loops.join(object(), null);
  const second = loops.join(object(), null);
  expect(second).toBe(first);
  expect(loops.join(object(), first)).toBe(first);
  expect(told()).toEqual([['c', 'n', null, 2]]);

  const sharded = loops.join(object({ shard: 's' }), first);
  const elsewhere = loops.join(object({ namespace: 'm' }), second);
  const another = loops.join(object({ controller: 'd' }), null);
  expect(told()).toEqual([
    ['c', 'n', 's', 1],
    ['c', 'm', null, 1],
    ['d', 'n', null, 1],
  ]);
  expect(loops.join(object({ controller: 'd' }), sharded)).toBe(another);
  expect(told()).toEqual([
    ['c', 'm', null, 1],
    ['d', 'n', null, 2],
  ]);
  expect(loops.join(object({ controller: null }), elsewhere)).toBeNull();
  loops.leave(another);
  loops.leave(null);
  expect(told()).toEqual([['d', 'n', null, 1]]);
});

it('keeps no loop that turns for nothing, whatever labels say', () => {
  const loops = createLoops();
  let loop = loops.join(object({ shard: 's0' }), null);
  for (let number = 1; number <= 100; number += 1) loop = loops.join(object({ shard: `s${number}` }), loop);
  expect(loops.all()).toEqual([{ controller: 'c', namespace: 'n', shard: 's100', objects: 1 }]);
  loops.leave(loop);
  expect(loops.all()).toEqual([]);
});
