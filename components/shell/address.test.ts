import { expect, it } from 'vitest';
import { addressWith } from './address.ts';

it.each([
  ['cluster=eu&last=7d', 'eu', 'eu-west-3', '/incidents?cluster=eu-west-3&last=7d'],
  ['cluster=eu', 'eu', null, '/incidents'],
  ['cluster=eu,us-east-1', 'eu', null, '/incidents?cluster=us-east-1'],
  ['cluster=us-east-1,%20eu', 'eu', 'eu-west-3', '/incidents?cluster=us-east-1%2Ceu-west-3'],
])('%s with %s as %s is %s', (query, value, other, address) => {
  expect(addressWith('/incidents', query, 'cluster', value, other)).toBe(address);
});
