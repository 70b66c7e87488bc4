import { expect, it } from 'vitest';
import { decodeBuilds, encodeBuilds } from './builds-text.ts';

it.each([
  { components: [], ignore: '', sparse: [] },
  { components: ['../tls'], ignore: null, sparse: null },
  { components: null, ignore: '/*', sparse: ['apps/eu'] },
])('is read as it was written: %j', (builds) => {
  expect(decodeBuilds(encodeBuilds(builds))).toEqual(builds);
});

it('is not known as far as another version did not write it', () => {
  expect(decodeBuilds('{"components":[],"ignore":""}')).toEqual({ components: [], ignore: '', sparse: null });
});
