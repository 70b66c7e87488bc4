import { expect, it } from 'vitest';
import { addressAt, addressWith } from './address.ts';

it.each([
  ['cluster=eu&last=7d', 'eu', 'eu-west-3', '/absences?cluster=eu-west-3&last=7d'],
  ['cluster=eu', 'eu', null, '/absences'],
  ['cluster=eu,us-east-1', 'eu', null, '/absences?cluster=us-east-1'],
  ['cluster=us-east-1,%20eu', 'eu', 'eu-west-3', '/absences?cluster=us-east-1%2Ceu-west-3'],
])('%s with %s as %s is %s', (query, value, other, address) => {
  expect(addressWith('/absences', query, 'cluster', value, other)).toBe(address);
});

it('of another moment it leaves out every name of the one before, that of a pager too', () => {
  const query = 'name=a&at=2026-11-21T02:00:00Z&startsAt=1795230720';
  expect(addressAt('/go', query, null)).toBe('/go?name=a');
  expect(addressAt('/go', query, '2026-11-21T03:00:00Z')).toBe('/go?name=a&at=2026-11-21T03:00:00Z');
});
