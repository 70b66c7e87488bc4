import { expect, it } from 'vitest';
import { alarmSourceOf, everyFact } from '#test/contract/alarms/alarm-records.ts';
import { decodeFact, decodeLabels, decodeNames, decodeSource } from './decode-alarms.ts';
import { alarmFormat, factShapes, partShapes, sourceShapes } from './fact-shapes.ts';

// Whoever changes a shape gives it another format: facts of the version before are then left out, and not read as what they are not.
it('has the format of these shapes', () => {
  const fields = (shapes: object): string =>
    Object.entries(shapes)
      .map(([type, shape]) => `${type}(${Object.keys({ ...shape }).join(' ')})`)
      .join(' ');
  expect([alarmFormat, fields(factShapes), fields(partShapes), fields(sourceShapes)]).toEqual([
    2,
    'rule(key name group file query holds interval labels health error evaluatedAt selectors keeps firedAt) alert(key rule labels state activeAt) notice(key alertmanager fingerprint labels startsAt state silencedBy inhibitedBy mutedBy receivers) silence(key state startsAt endsAt by comment matchers) receiver(key alertmanager name calls) routing(key root) scope(key scope cluster series objects) scope-standing(key series reason)',
    'matcher(name operator value) selector(metric scope states) route(receiver matchers continues routes isWhole)',
    'source(name attribution programs cut) attribution(label aliases clusters) program(program url state since reason readAt validUntil)',
  ]);
});

it.each(everyFact.map((fact) => [fact.type, fact] as const))('reads no %s that lacks a field', (_type, fact) => {
  for (const field of Object.keys(fact)) {
    const others = Object.fromEntries(Object.entries(fact).filter(([name]) => name !== field));
    expect([field, decodeFact(JSON.stringify(others))]).toEqual([field, null]);
  }
});

it.each(['', '{', 'null', '[]', '{"type":"other","key":"a"}', '{"type":"alert"}', '"alert"'])(
  'reads nothing of %j, and does not throw',
  (text) => {
    expect([decodeFact(text), decodeSource(text), decodeNames(text)]).toEqual([null, null, []]);
  },
);

it('reads no record of a source whose programs are others', () => {
  const source = alarmSourceOf('prom');
  expect(decodeSource(JSON.stringify(source))).toEqual(source);
  expect(decodeSource(JSON.stringify({ ...source, programs: [{ url: 'https://a.example.org' }] }))).toBeNull();
  expect(decodeSource(JSON.stringify({ ...source, attribution: {} }))).toBeNull();
});

it('reads labels and names one by one', () => {
  expect(decodeLabels('{"a":"b","c":1,"d":null}')).toEqual({ a: 'b' });
  expect(decodeNames('["a",1,"b"]')).toEqual(['a', 'b']);
});
