import { expect, it } from 'vitest';
import { cookiesOf, loginCookie, loginsIn, loginsToForget } from './cookies.ts';

const of = (cookie: string) => cookiesOf({ headers: { cookie } });

it.each([
  ['a=b; c=d=e', { a: 'b', c: 'd=e' }],
  ['a=b;a=c; d=e', { d: 'e' }],
  ['a', {}],
  ['', {}],
])('of %j there are %j: what is given twice is none', (header, cookies) =>
  expect(Object.fromEntries(of(header))).toEqual(cookies),
);

it('logins are told by their age, and the oldest make room', () => {
  const names = [3_000, 1_000, 2_000, 5_000, 4_000].map((now) => loginCookie(now, 'state'));
  const cookies = of(['__Host-plumbline=x', ...names.map((name, index) => `${name}=${index}`)].join('; '));
  expect(loginsIn(cookies).map(([, sealed]) => sealed)).toEqual(['1', '2', '0', '4', '3']);
  expect(loginsToForget(cookies)).toEqual([names[1], names[2]]);
  expect(loginsToForget(of(`${names[0]}=x`))).toEqual([]);
});

it('a browser that brings logins without number is looked at in part', () => {
  const many = Array.from({ length: 100 }, (_, index) => `${loginCookie(index, 's')}=x`).join('; ');
  expect(loginsIn(of(many))).toHaveLength(8);
});
