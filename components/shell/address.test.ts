import { expect, it } from 'vitest';
import { addressWith } from './address.ts';

it.each([
  ['cluster=eu&last=7d', 'eu', 'eu-west-3', '/absences?cluster=eu-west-3&last=7d'],
  ['cluster=eu', 'eu', null, '/absences'],
  ['cluster=eu,us-east-1', 'eu', null, '/absences?cluster=us-east-1'],
  ['cluster=us-east-1,%20eu', 'eu', 'eu-west-3', '/absences?cluster=us-east-1%2Ceu-west-3'],
])('%s with %s as %s is %s', (query, value, other, address) => {
  expect(addressWith('/absences', query, 'cluster', value, other)).toBe(address);
});
