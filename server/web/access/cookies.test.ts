import { expect, it } from 'vitest';
import { cookiesOf, loginCookie, loginsIn, loginsToForget, loginValue } from './cookies.ts';

const of = (cookie: string) => cookiesOf({ headers: { cookie } });

it.each([
  ['a=b; c=d=e', { a: 'b', c: 'd=e' }],
  ['a=b;a=c; d=e', { d: 'e' }],
  ['a', {}],
  ['', {}],
])('of %j there are %j: what is given twice is none', (header, cookies) =>
  expect(Object.fromEntries(of(header))).toEqual(cookies),
);

const slot = (n: number): string => `__Host-plumbline-login-${n}`;

it('logins are told by their age, and the oldest make room', () => {
  const begun = [3_000, 1_000, 2_000, 5_000, 4_000].map((now, n) => `${slot(n)}=${loginValue(now, String(n))}`);
  const cookies = of(['__Host-plumbline=x', ...begun].join('; '));
  expect(loginsIn(cookies).map(([, sealed]) => sealed)).toEqual(['1', '2', '0', '4', '3']);
  expect(loginsToForget(cookies)).toEqual([slot(1), slot(2)]);
  expect(loginsToForget(of(begun[0] ?? ''))).toEqual([]);
  expect([5, 6, 7].map(slot)).toContain(loginCookie(cookies));
});

it('tabs that begin at once, each without the cookies of the others, leave no more than eight', () => {
  const names = new Set(Array.from({ length: 500 }, () => loginCookie(of(''))));
  expect([...names].toSorted()).toEqual(Array.from({ length: 8 }, (_, n) => slot(n)));
  const all = of([...names].map((name, n) => `${name}=${loginValue(n, 'x')}`).join('; '));
  expect(loginCookie(all)).toBe([...names][0]);
});

it('what is no login is none, whatever it is called', () => {
  const many = Array.from({ length: 100 }, (_, n) => `${slot(n)}=${loginValue(n, 'x')}`).join('; ');
  expect(loginsIn(of(many))).toHaveLength(8);
  expect(loginsIn(of(`${slot(0)}=x; ${slot(1)}=000000001.; ${slot(2)}x=000000001.x`))).toEqual([]);
});
