import { describe, expect, it } from 'vitest';
import { sourceBook } from '../book/source-book.ts';
import type { RuleFact } from '../fact.ts';
import { expressionHash } from '../selector/expression-hash.ts';
import { alarmSource, ruleFact } from '../testing/facts.ts';
import type { DeclaredRule } from './declared.ts';
import { ruleIndex } from './rule-index.ts';

const uid = '0b5f0d2e-93f8-4b3c-8a6f-5d3c1f6a9e10';

function bookOf(rules: readonly RuleFact[]) {
  const book = sourceBook(alarmSource());
  for (const fact of rules) book.put(fact);
  return book;
}

/** A loaded rule that counts how often anybody looks at its expression. */
function counted(count: () => void, rest: Partial<RuleFact>): RuleFact {
  const rule = ruleFact(rest);
  return {
    ...rule,
    get query() {
      count();
      return rule.query;
    },
  };
}

function declared(rest: Partial<DeclaredRule> = {}): DeclaredRule {
  return { group: 'g', name: 'Same', expression: expressionHash('a > 1'), holds: 60_000, ...rest };
}

describe.each([
  ['of one file', `apps-rules-${uid}.yaml`],
  ['of files without an object', 'rules.yaml'],
])('many loaded rules of one name, %s', (_, file) => {
  it('are taken apart once, however many are declared', () => {
    let looked = 0;
    const rules = Array.from({ length: 300 }, (__, n) =>
      counted(() => (looked += 1), { key: `k${n}`, file, group: 'g', name: 'Same', query: `m${n} > 1`, holds: 60_000 }),
    );
    const index = ruleIndex(bookOf(rules));
    const before = looked;
    for (let n = 0; n < 300; n += 1)
      expect(index.standingOf({ uid }, declared({ expression: expressionHash(`other${n} > 1`) }))).toBe('other');
    expect(looked - before).toBeLessThan(2 * rules.length);
    expect(index.standingOf({ uid }, declared({ expression: expressionHash('m299 > 1') }))).toBe('loaded');
  });
});

describe('a loaded rule', () => {
  const file = `apps-rules-${uid}.yaml`;
  const loaded = { key: 'k', file, group: 'g', name: 'Same', query: 'a > 1', holds: 60_000 };
  it.each([
    ['is as it is declared', {}, {}, 'loaded'],
    ['has another expression', {}, { expression: expressionHash('b > 1') }, 'other'],
    ['has another for', {}, { holds: 0 }, 'other'],
    ['is declared with a for that cannot be read', {}, { holds: null }, 'uncompared'],
    ['is declared with such a for and has another expression', {}, { holds: null, expression: 1 }, 'other'],
    ['is declared with an expression that cannot be taken apart', {}, { expression: null }, 'uncompared'],
    ['is declared with such an expression and has another for', {}, { expression: null, holds: 0 }, 'other'],
    ['cannot be taken apart', { query: 'a >' }, {}, 'uncompared'],
    ['cannot be taken apart and has another for', { query: 'a >' }, { holds: 0 }, 'other'],
    ['has another group', { group: 'h' }, {}, 'outdated'],
    ['is of another object', { file: 'x-6b5f0d2e-93f8-4b3c-8a6f-5d3c1f6a9e10.yaml' }, {}, 'absent'],
    ['is of nobody, with another name', { file: 'x.yaml', name: 'Other' }, {}, 'absent'],
  ] as const)('that %s', (_, rest, rule, standing) => {
    expect(ruleIndex(bookOf([ruleFact({ ...loaded, ...rest })])).standingOf({ uid }, declared(rule))).toBe(standing);
  });
});

it('takes so much apart at once and the rest later: what is not compared yet is neither loaded nor another', () => {
  const file = `apps-rules-${uid}.yaml`;
  const long = 'a + '.repeat(200);
  const book = bookOf(
    Array.from({ length: 100 }, (_, n) =>
      ruleFact({ key: `k${n}`, file, group: 'g', name: 'Same', query: `${long}m${n} > 1`, holds: 60_000 }),
    ),
  );
  const rule = declared({ expression: expressionHash('other > 1') });
  const standings = Array.from({ length: 3 }, () => ruleIndex(book).standingOf({ uid }, rule));
  expect(standings).toEqual(['uncompared', 'other', 'other']);
});

it('is of the object that it is made from, whatever that has in its name', () => {
  const other = '11111111-93f8-4b3c-8a6f-5d3c1f6a9e10';
  const rule = { key: 'k', group: 'g', name: 'Same', query: 'a > 1', holds: 60_000 };
  for (const file of [`tenant-x-${uid}-${other}.yaml`, `mimir/tenant/x-${uid}/${other}`]) {
    const index = ruleIndex(bookOf([ruleFact({ ...rule, file })]));
    expect([index.standingOf({ uid }, declared()), index.standingOf({ uid: other }, declared())]).toEqual([
      'absent',
      'loaded',
    ]);
  }
});
