import { expect, it } from 'vitest';
import { decodeChangeFact } from './decode-change.ts';

const cases: readonly (readonly [string, string, boolean])[] = [
  ['a fact of this version', '{"type":"spec-edited","by":null,"from":1,"generation":2}', true],
  ['a fact without fields', '{"type":"created"}', true],
  ['a type that only a later version knows', '{"type":"quota-changed","by":"someone"}', false],
  ['a field that is not there', '{"type":"spec-edited","by":null,"generation":2}', false],
  ['a field of another sort', '{"type":"revision","from":7,"to":null}', false],
  ['a null where a text belongs', '{"type":"kubernetes-version","from":null,"to":"v1.34.3"}', false],
  ['no fact at all', 'spec-edited', false],
];

it.each(cases)('%s', (_name, text, known) => {
  expect(decodeChangeFact(text)).toEqual(known ? JSON.parse(text) : null);
});
