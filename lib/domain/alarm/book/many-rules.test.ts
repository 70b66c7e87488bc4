import { describe, expect, it } from 'vitest';
import { noon, recorded } from '../../testing/observed.ts';
import { minute } from '../../time/length.ts';
import { alarmBook } from '../alarm-book.ts';
import type { AlarmFact, RuleFact } from '../fact.ts';
import { alarmSource, noticeFact, program, receiverFact, ruleFact, scopeFacts } from '../testing/facts.ts';

const onset = { time: noon - 20 * minute, bound: 'exact', noticedAt: noon - 20 * minute } as const;
const object = recorded({ verdict: 'diverged', onset, awaySince: onset });
const refs = Array.from({ length: 500 }, (_, n) => ({ ...object.ref, name: `o${n}` }));
const scope = 'gotk_resource_info';
const within = 15 * minute;
const mostRules = 2_000;

/** Rules that count how often anybody looks at what they read. */
function countedRules(nameOf: (n: number) => string, rest: Partial<RuleFact> = {}) {
  let looked = 0;
  const rules = Array.from({ length: mostRules }, (_, n): RuleFact => {
    const rule = ruleFact({ name: nameOf(n), key: `k${n}`, ...rest });
    return {
      ...rule,
      get selectors() {
        looked += 1;
        return rule.selectors;
      },
    };
  });
  return { rules, looked: () => looked };
}

function bookOf(facts: readonly AlarmFact[], source = alarmSource()) {
  const book = alarmBook();
  book.apply({ type: 'alarm-source', source });
  for (const fact of facts) book.apply({ type: 'alarm-fact', source: source.name, fact });
  return book;
}

describe('thousands of rules are not gone through for each object', () => {
  it.each([
    ['that is read by rules that are well', {}, 'condition'],
    ['that is read by rules that are not', { health: 'err' }, 'evaluation'],
    ['that none of them reads', { selectors: [{ metric: 'x', scope: 'x', states: [] }] }, 'rule'],
  ] as const)('without an alert, %s', (_, rest, broken) => {
    const { rules, looked } = countedRules((n) => `Rule${n}`, rest);
    const standing = { type: 'scope-standing', key: 'x', series: 0, reason: null } as const;
    const book = bookOf([...rules, ...scopeFacts(scope, refs), standing]);
    const before = looked();
    const told = refs.map((ref) => book.alarmOf({ ...object, ref }, noon, within));
    expect(told).toEqual(refs.map(() => expect.objectContaining({ state: 'silent', broken })));
    expect(looked() - before).toBeLessThan(10 * mostRules);
  });

  it('with an alert of a name that all of them have', () => {
    const elsewhere = { selectors: [{ metric: 'x', scope: 'x', states: [] }] };
    const { rules, looked } = countedRules(() => 'FluxReconciliationFailure', elsewhere);
    const labels = { alertname: 'FluxReconciliationFailure', cluster: object.ref.cluster };
    const notice = noticeFact(object.ref, { labels, startsAt: noon - 10 * minute });
    const book = bookOf([
      ...rules,
      ruleFact(),
      ...scopeFacts(scope, refs),
      notice,
      receiverFact('oncall', ['pagerduty']),
    ]);
    const before = looked();
    const told = refs.map((ref) => book.alarmOf({ ...object, ref }, noon, within));
    expect(told).toEqual(refs.map(() => expect.objectContaining({ state: 'sounding', by: 'group' })));
    expect(looked() - before).toBeLessThan(10 * mostRules);
  });
});

it('how far the chains of objects get is told without going through the rules for each', () => {
  const { rules, looked } = countedRules((n) => `Rule${n}`);
  const book = bookOf([...rules, ...scopeFacts(scope, refs), receiverFact('oncall', ['pagerduty'])]);
  const before = looked();
  const told = refs.map((ref) => book.reachOf({ ...object, ref }, noon));
  expect(told).toEqual(refs.map(() => ({ exported: true, ruled: true, routed: null })));
  expect(looked() - before).toBeLessThan(10 * mostRules);
});

describe('scopes that are not asked for are not gone through for each object', () => {
  const unasked = Array.from({ length: mostRules }, (_, n) => {
    const selectors = Array.from({ length: 64 }, (__, at) => {
      return { metric: `gotk_${n}_${at}`, scope: `gotk_${n}_${at}`, states: [] };
    });
    return ruleFact({ name: `Rule${n}`, key: `k${n}`, selectors });
  });
  const book = bookOf([...unasked, ...scopeFacts(scope, refs)]);
  // Each of the 500 objects asked 128,000 scopes before: some 20 s.
  const few = 5_000_000;

  it('as their alarms are told', () => {
    const used = process.cpuUsage();
    const told = refs.map((ref) => book.alarmOf({ ...object, ref }, noon, within));
    expect(new Set(told.map((alarm) => JSON.stringify(alarm)))).toEqual(new Set(['{"state":"unknown","why":"cut"}']));
    expect(process.cpuUsage(used).user).toBeLessThan(few);
  });

  it('as it is told how far their chains get', () => {
    const used = process.cpuUsage();
    const told = refs.map((ref) => book.reachOf({ ...object, ref }, noon));
    expect(told).toEqual(refs.map(() => ({ exported: true, ruled: null, routed: null })));
    expect(process.cpuUsage(used).user).toBeLessThan(few);
  });
});

it('more kinds of rules than are looked at say nothing of what they do not read', () => {
  const many = Array.from({ length: 300 }, (_, n) => `gotk_${n}`);
  const pairs = many.map((name, n) => {
    const selectors = [name, many[(n + 1) % 300] ?? ''].map((one) => ({ metric: one, scope: one, states: [] }));
    return ruleFact({ name, key: name, selectors });
  });
  const [ref = object.ref, other = object.ref] = refs;
  const asked = many.flatMap((name) => scopeFacts(name, [other]));
  const book = bookOf([...pairs, ...asked, ...scopeFacts(scope, [ref]), receiverFact('oncall', ['pagerduty'])]);
  expect(book.reachOf({ ...object, ref }, noon)).toEqual({ exported: true, ruled: null, routed: null });
  expect(book.reachOf({ ...object, ref: other }, noon)).toMatchObject({ exported: true, ruled: true });
});

it('how far they get is told anew once a source tells something else, or is believed no longer', () => {
  const book = bookOf([ruleFact(), ...scopeFacts(scope, [object.ref])]);
  const ruled = (now = noon): boolean | null => book.reachOf(object, now).ruled;
  const told = [ruled()];
  book.apply({ type: 'alarm-fact-removed', source: 'monitoring', key: `rule/${ruleFact().key}` });
  told.push(ruled());
  book.apply({ type: 'alarm-fact', source: 'monitoring', fact: ruleFact() });
  told.push(ruled(), ruled(noon + 2 * minute));
  book.clear();
  expect([...told, ruled()]).toEqual([true, false, true, null, null]);
});

describe('what is kept of rules is told anew', () => {
  const [ref] = refs;
  const broken = (book: ReturnType<typeof bookOf>) => book.alarmOf({ ...object, ref: ref ?? object.ref }, noon, within);

  it('as one of them is read again, or is gone', () => {
    const book = bookOf([ruleFact({ health: 'err' }), ...scopeFacts(scope, refs)]);
    expect(broken(book)).toMatchObject({ broken: 'evaluation' });
    book.apply({ type: 'alarm-fact', source: 'monitoring', fact: ruleFact() });
    expect(broken(book)).toMatchObject({ broken: 'condition' });
    book.apply({ type: 'alarm-fact-removed', source: 'monitoring', key: `rule/${ruleFact().key}` });
    expect(broken(book)).toMatchObject({ broken: 'rule' });
  });

  it('as the source is read again without them', () => {
    const book = bookOf([ruleFact(), ...scopeFacts(scope, refs)]);
    expect(broken(book)).toMatchObject({ broken: 'condition' });
    const late = program('prometheus', { readAt: noon + 2 * minute, validUntil: noon + 3 * minute });
    book.apply({ type: 'alarm-source', source: alarmSource({ programs: [late, program('alertmanager')] }) });
    expect(broken(book)).toMatchObject({ broken: 'evaluation' });
  });

  it('of a name that other rules have now', () => {
    const labels = { alertname: 'Named', cluster: object.ref.cluster };
    const alert = noticeFact(object.ref, { labels, startsAt: noon - 10 * minute });
    const named = ruleFact({ name: 'Named', selectors: [] });
    const book = bookOf([named, ...scopeFacts(scope, refs), alert, receiverFact('oncall', ['pagerduty'])]);
    expect(broken(book)).toMatchObject({ state: 'silent' });
    book.apply({ type: 'alarm-fact', source: 'monitoring', fact: { ...named, selectors: ruleFact().selectors } });
    expect(broken(book)).toMatchObject({ state: 'sounding' });
  });
});
