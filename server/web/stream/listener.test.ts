import { expect, it } from 'vitest';
import { listenerOf } from './listener.ts';

const from = (forwarded?: string, remoteAddress: string | undefined = '127.0.0.1'): string =>
  listenerOf({ headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }, socket: { remoteAddress } });

it.each([
  [undefined, '127.0.0.1'],
  ['', '127.0.0.1'],
  ['10.0.0.7', '10.0.0.7'],
  ['1.2.3.4, 10.0.0.7', '10.0.0.7'],
  ['1.2.3.4,', '127.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['[2001:DB8:1:2::9]', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['fe80::1%', 'fe80:0:0:0::/64'],
  ['1::2::3', '1::2::3'],
  ['::', '0:0:0:0::/64'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ['::ffff:a00:7', '0:0:0:0::/64'],
  ['::1.2.3.4', '0:0:0:0::/64'],
  ['::ffff:10.0.0.7', '10.0.0.7'],
  ['x'.repeat(300), 'x'.repeat(64)],
])('X-Forwarded-For %s is %s', (forwarded, expected) => {
  expect(from(forwarded)).toBe(expected);
});
