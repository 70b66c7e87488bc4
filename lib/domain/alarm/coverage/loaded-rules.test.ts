import { expect, it } from 'vitest';
import { alarmBook } from '../alarm-book.ts';
import type { AlarmFact, RuleFact } from '../fact.ts';
import type { AlarmProgram, AlarmSource } from '../source.ts';

const now = Date.UTC(2026, 10, 21);

function source(name: string, programs: readonly AlarmProgram[], validUntil = now + 1): AlarmSource {
  return {
    name,
    attribution: { label: 'cluster', aliases: {}, clusters: [] },
    programs: programs.map((program) => ({
      ...{ program, url: `https://${name}.example`, state: 'live', since: 0, reason: null },
      ...{ readAt: now, validUntil },
    })),
    cut: [],
  };
}

function rule(name: string, scope: string | null, firedAt: number | null = null, key = name): RuleFact {
  const selectors = scope === null ? [] : [{ metric: 'gotk_resource_info', scope, states: [] }];
  return {
    ...{ type: 'rule', key, name, group: 'flux', file: 'flux.yaml', query: '', holds: 0, interval: 15_000, labels: {} },
    ...{ health: 'ok', error: null, evaluatedAt: now, selectors, keeps: null, firedAt },
  };
}

function scope(name: string, cluster: string, objects: readonly number[]): AlarmFact {
  return {
    ...{ type: 'scope', key: `${name} ${cluster}`, scope: name, cluster, series: objects.length },
    objects: { kustomization: objects },
  };
}

function bookOf(sources: readonly (readonly [AlarmSource, readonly AlarmFact[]])[]) {
  const book = alarmBook();
  for (const [one, facts] of sources) {
    book.apply({ type: 'alarm-source', source: one });
    for (const fact of facts) book.apply({ type: 'alarm-fact', source: one.name, fact });
  }
  return book;
}

const fleet = new Set(['eu-west-3', 'stg-us']);

it('tells the rules whose scopes hold an object of the clusters, each name once, with when it fired last', () => {
  const facts = [
    rule('Reads', 'all', now - 5),
    rule('Reads', 'all', now - 2, 'the same again'),
    rule('AndNever', 'all'),
    rule('ReadsOthers', 'others'),
    rule('ReadsNothing', 'empty'),
    rule('Disk', null),
    scope('all', 'eu-west-3', [7]),
    scope('others', 'elsewhere', [7]),
    scope('empty', 'eu-west-3', []),
  ];
  expect(bookOf([[source('monitoring', ['prometheus', 'alertmanager']), facts]]).loadedRules(fleet, now)).toEqual({
    rules: [
      { source: 'monitoring', name: 'AndNever', firedAt: null },
      { source: 'monitoring', name: 'Reads', firedAt: now - 2 },
    ],
    unread: [],
  });
});

it('names the sources whose rules are not known, and says nothing where none evaluates any', () => {
  const facts = [rule('Reads', 'all'), scope('all', 'stg-us', [1])];
  const old = source('old', ['prometheus'], now);
  expect(bookOf([[old, facts]]).loadedRules(fleet, now)).toEqual({ rules: [], unread: ['old'] });
  expect(bookOf([[source('pager', ['alertmanager']), []]]).loadedRules(fleet, now)).toBeNull();
  expect(alarmBook().loadedRules(fleet, now)).toBeNull();
});
