import { expect, it } from 'vitest';
import { bearerOf, hasHash, hashOf, isTokenId, newToken, readToken, tokenText } from './bearer-token.ts';

it('a token is read as it was written, and known by its hash alone', () => {
  const [token, other] = [newToken(), newToken()];
  expect(readToken(tokenText(token))).toEqual(token);
  expect(isTokenId(token.id)).toBe(true);
  expect(Buffer.from(token.secret, 'base64url')).toHaveLength(32);
  expect(hashOf(token)).toMatch(/^[0-9a-f]{64}$/);
  expect([hasHash(token, hashOf(token)), hasHash(other, hashOf(token)), hasHash(token, '')]).toEqual([
    true,
    false,
    false,
  ]);
});

it.each([
  '',
  'plumbline_',
  'plumbline_0123456789ab',
  `plumbline_0123456789ab_${'x'.repeat(42)}`,
  `plumbline_0123456789AB_${'x'.repeat(43)}`,
  ` plumbline_0123456789ab_${'x'.repeat(43)}`,
])('%j is none', (text) => expect(readToken(text)).toBeNull());

it.each([
  ['Bearer a.b', 'a.b'],
  ['bearer  a', 'a'],
  ['Basic a', null],
  ['Bearer', null],
  ['Bearer a b', null],
  [undefined, null],
])('the credentials of %j are %j', (header, credentials) => expect(bearerOf(header)).toBe(credentials));
