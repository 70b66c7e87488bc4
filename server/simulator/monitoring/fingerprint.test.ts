import { expect, it } from 'vitest';
import { fingerprintOf } from './fingerprint.ts';

// The numbers are those of prometheus/common model/signature_test.go and of a real Alertmanager's answers.
it.each([
  [{}, 14_695_981_039_346_656_037n],
  [{ name: 'garland, briggs', fear: 'love is not enough' }, 5_799_056_148_416_392_346n],
])('is the hash of prometheus/common of %o', (labels, hash) => {
  expect(fingerprintOf(labels)).toBe(hash.toString(16).padStart(16, '0'));
});

it('does not depend on the order of labels, and tells names from values', () => {
  expect(fingerprintOf({ b: '2', a: '1' })).toBe(fingerprintOf({ a: '1', b: '2' }));
  expect(fingerprintOf({ ab: 'c' })).not.toBe(fingerprintOf({ a: 'bc' }));
});
