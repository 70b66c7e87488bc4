import { expect, it } from 'vitest';
import { minute } from '#lib/domain/time/length.ts';
import { loginAttempts } from './attempts.ts';

it('twenty failures within ten minutes are lines of the log, and keep nobody out who shares the address', () => {
  const attempts = loginAttempts();
  const news = Array.from({ length: 21 }, (_, index) => attempts.failed('a', index));
  expect(news).toEqual([...Array.from({ length: 20 }, () => 'news'), 'silent']);
  for (let n = 21; n < 499; n += 1) attempts.failed('a', n);
  expect(attempts.blockedFor('a', minute)).toBe(0);
});

it('five hundred failures within ten minutes make an address wait until these are over, and no other one', () => {
  const attempts = loginAttempts();
  for (let n = 0; n < 500; n += 1) attempts.failed('a', n);
  expect(attempts.blockedFor('a', minute)).toBe(9 * minute);
  expect(attempts.blockedFor('b', minute)).toBe(0);
  expect(attempts.blockedFor('a', 10 * minute)).toBe(0);
  expect(attempts.failed('a', 10 * minute)).toBe('news');
});

it('addresses without number take no more room than ten thousand', () => {
  const attempts = loginAttempts();
  for (let n = 0; n < 500; n += 1) attempts.failed('first', 0);
  for (let n = 0; n < 9_999; n += 1) attempts.failed(`other ${n}`, 0);
  expect(attempts.blockedFor('first', 1)).toBeGreaterThan(0);
  attempts.failed('last', 0);
  expect(attempts.blockedFor('first', 1)).toBe(0);
});

it('of addresses without number a thousand failures are told within ten minutes, and that no more are', () => {
  const attempts = loginAttempts();
  const told = Array.from({ length: 3_000 }, (_, index) => attempts.failed(`address ${index}`, index));
  expect(told.filter((news) => news === 'news')).toHaveLength(999);
  expect([told.indexOf('last'), told.lastIndexOf('last')]).toEqual([999, 999]);
  expect(attempts.failed('another', 10 * minute)).toBe('news');
});
