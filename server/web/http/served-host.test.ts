import { expect, it } from 'vitest';
import { hostStanding, type HostStanding } from './served-host.ts';

const standing = hostStanding('https://plumbline.example.org');

it.each<[string, HostStanding]>([
  ['localhost', 'loopback'],
  ['LOCALHOST:3000', 'loopback'],
  ['127.0.0.1', 'loopback'],
  ['127.8.9.10:80', 'loopback'],
  ['[::1]', 'loopback'],
  ['[::1]:3000', 'loopback'],
  ['plumbline.example.org', 'public'],
  ['Plumbline.Example.org:443', 'public'],
  ['10.2.3.4:3000', 'address'],
  ['[fd00::1]:3000', 'address'],
  ['0.0.0.0', 'address'],
  ['[::ffff:127.0.0.1]', 'address'],
  ['', 'other'],
  ['evil.example', 'other'],
  ['evil.example:3000', 'other'],
  ['localhost.evil.example', 'other'],
  ['127.0.0.1.evil.example', 'other'],
  ['127.0.0.1.', 'other'],
  ['127.1', 'other'],
  ['2130706433', 'other'],
  ['localhost.', 'other'],
  ['x.localhost', 'other'],
  ['x.plumbline.example.org', 'other'],
  ['plumbline.example.org.', 'other'],
  ['plumbline.example.org@evil.example', 'other'],
  ['localhost:3000:80', 'other'],
  ['localhost:x', 'other'],
  ['localhost, evil.example', 'other'],
  ['::1', 'other'],
  ['[::1', 'other'],
])('%s is %s', (host, expected) => {
  expect(standing(host)).toBe(expected);
});

it('without a publicUrl only this machine has a name', () => {
  const alone = hostStanding(null);
  expect(['localhost', 'plumbline.example.org', '', 'null'].map(alone)).toEqual([
    'loopback',
    'other',
    'other',
    'other',
  ]);
});

it('a publicUrl may name this machine by an address in brackets', () => {
  expect(hostStanding('http://10.0.0.1:8080')('10.0.0.1')).toBe('public');
  expect(hostStanding('http://[fd00::1]')('[FD00::1]:80')).toBe('public');
});
