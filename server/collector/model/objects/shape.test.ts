import { expect, it } from 'vitest';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { Evidence } from '#lib/domain/verdict/judgement.ts';
import { noon, recorded } from '#lib/domain/testing/observed.ts';
import { arrivedOf } from './entry.ts';
import { shapeOf } from './shape.ts';

const same = shapeOf(recorded(), []);

it('is 96 bits, the same for equal records whatever the order of their fields', () => {
  expect(same).toMatch(/^[0-9A-Za-z+/]{16}$/);
  const turned = Object.entries(recorded({ revision: { offered: 'x', attempted: 'y', applied: 'z' } })).toReversed();
  const record = recorded({ revision: { applied: 'z', attempted: 'y', offered: 'x' } });
  expect(shapeOf({ ...record, ...Object.fromEntries(turned) }, [])).toBe(shapeOf(record, []));
  expect(shapeOf({ ...record, ...Object.fromEntries(turned) }, [])).not.toBe(same);
});

it.each<[string, Partial<CurrentObject>]>([
  ['its reference', { ref: { ...recorded().ref, name: 'other' } }],
  ['its sentence', { sentence: 'other' }],
  ['when it was observed', { observedAt: noon }],
  ['when it was confirmed', { confirmedAt: noon }],
  ['until when it is believed', { validUntil: noon }],
])('is not another one for %s', (_what, part) => {
  expect(shapeOf(recorded(part), [])).toBe(same);
});

it.each<[string, Partial<CurrentObject>]>([
  ['a text', { reason: 'other' }],
  ['a field that was empty', { awaySince: recorded().onset }],
  ['a boolean', { reconciling: true }],
  ['a field of a field', { onset: { ...recorded().onset, noticedAt: noon } }],
])('is another one for %s', (_what, part) => {
  expect(shapeOf(recorded(part), [])).not.toBe(same);
});

it('takes no two texts beside each other for others, and no text for a number', () => {
  const of = (reason: string, message: string) => shapeOf(recorded({ reason, message }), []);
  expect(of('a', 'b')).not.toBe(of('ab', ''));
  expect(shapeOf(recorded({ path: 'null' }), [])).not.toBe(shapeOf(recorded({ path: null }), []));
  expect(shapeOf(recorded({ message: 'a,1:b', path: '' }), [])).not.toBe(
    shapeOf(recorded({ message: 'a', path: '1:b' }), []),
  );
});

it('is another one for evidence of another kind, not for other words of it', () => {
  const of = (...evidence: readonly { readonly from: Exclude<Evidence['from'], 'join'>; readonly text: string }[]) =>
    shapeOf(
      recorded(),
      evidence.map((one) => ({ ...one, at: null })),
    );
  const ready = of({ from: 'condition', text: 'a' });
  expect(ready).not.toBe(same);
  expect(of({ from: 'condition', text: 'b' })).toBe(ready);
  expect(of({ from: 'field', text: 'a' })).not.toBe(ready);
});

it.each<[Partial<CurrentObject>, string | null]>([
  [{}, 'a'.repeat(40)],
  [{ commit: null }, null],
  [{ role: 'source' }, null],
  [{ verdict: 'diverged' }, null],
  [{ role: 'source', verdict: 'diverged' }, null],
])('a record of %j has arrived at %s', (part, commit) => {
  expect(arrivedOf(recorded(part))).toBe(commit);
});
