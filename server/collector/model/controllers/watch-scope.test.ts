import { describe, expect, it } from 'vitest';
import { selects } from './watch-scope.ts';

describe('whether a controller with a label selector takes an object of a shard', () => {
  it.each([
    // selector, of shard1, of shard2, of none
    ['', 'yes', 'yes', 'yes'],
    ['sharding.fluxcd.io/key=shard1', 'yes', 'no', 'no'],
    ['sharding.fluxcd.io/key == shard1', 'yes', 'no', 'no'],
    ['sharding.fluxcd.io/key!=shard1', 'no', 'yes', 'yes'],
    ['sharding.fluxcd.io/key', 'yes', 'yes', 'no'],
    ['!sharding.fluxcd.io/key', 'no', 'no', 'yes'],
    ['sharding.fluxcd.io/key in (shard1, shard3)', 'yes', 'no', 'no'],
    ['sharding.fluxcd.io/key notin (shard1,shard3)', 'no', 'yes', 'yes'],
    ['sharding.fluxcd.io/key in (shard1,shard2),sharding.fluxcd.io/key!=shard2', 'yes', 'no', 'no'],
    ['tenant=a', 'maybe', 'maybe', 'maybe'],
    ['tenant=a,sharding.fluxcd.io/key=shard1', 'maybe', 'no', 'no'],
    ['what (is, this', 'maybe', 'maybe', 'maybe'],
  ] as const)('%s', (selector, one, two, none) => {
    expect([selects(selector, 'shard1'), selects(selector, 'shard2'), selects(selector, null)]).toEqual([
      one,
      two,
      none,
    ]);
  });
});
