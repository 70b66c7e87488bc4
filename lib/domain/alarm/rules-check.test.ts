import { describe, expect, it } from 'vitest';
import { minute } from '../time/length.ts';
import type { CheckedKind, CheckedSource } from './check/checked.ts';
import type { AlarmFact, Matcher, Route, RuleFact } from './fact.ts';
import { objectHash } from './object-hash.ts';
import { checkRules } from './rules-check.ts';

const now = 1_000 * minute;
const terms = { alarmWithin: 15 * minute };
const objects = [
  { namespace: 'apps', name: 'checkout' },
  { namespace: 'apps', name: 'cart' },
];
const kustomizations: CheckedKind = {
  cluster: 'eu',
  group: 'kustomize.toolkit.fluxcd.io',
  kind: 'Kustomization',
  objects,
  conditions: ['ready'],
};
const keeps = ['cluster', 'customresource_group', 'customresource_kind', 'exported_namespace', 'name'];

function matcher(name: string, operator: Matcher['operator'], value: string): Matcher {
  return { name, operator, value };
}

const notReady = [matcher('ready', '!=', 'True'), matcher('suspended', '!~', 'true|disabled')];

function rule(states: readonly Matcher[], rest: Partial<RuleFact> = {}): RuleFact {
  return {
    type: 'rule',
    key: rest.name ?? 'r',
    name: 'FluxReconciliationFailure',
    group: 'g',
    file: 'f',
    query: 'max by (cluster, name) (gotk_resource_info{ready!="True"}) == 1',
    holds: 10 * minute,
    interval: minute,
    labels: { plumbline: 'alarm', severity: 'critical' },
    health: 'ok',
    error: null,
    evaluatedAt: now - minute,
    selectors: [{ metric: 'gotk_resource_info', scope: 'gotk_resource_info', states }],
    keeps,
    firedAt: null,
    ...rest,
  };
}

function scope(
  cluster: string | null,
  of: readonly (typeof objects)[number][] = objects,
  name = 'gotk_resource_info',
): AlarmFact {
  const hashes = of.map((each) => objectHash(each.namespace, each.name)).toSorted((a, b) => a - b);
  return {
    type: 'scope',
    key: `${name} ${cluster}`,
    scope: name,
    cluster,
    series: hashes.length,
    objects: { kustomization: hashes },
  };
}

function leaf(receiver: string, ...matchers: readonly Matcher[]): Route {
  return { receiver, matchers, continues: false, isWhole: true, routes: [] };
}

function routing(...routes: readonly Route[]): AlarmFact {
  return {
    type: 'routing',
    key: 'am',
    root: { receiver: 'nobody', matchers: [], continues: false, isWhole: true, routes },
  };
}

const receivers: readonly AlarmFact[] = [
  { type: 'receiver', key: 'nobody', alertmanager: 'am', name: 'nobody', calls: [] },
  { type: 'receiver', key: 'pager', alertmanager: 'am', name: 'pager', calls: ['pagerduty'] },
];
const calling = [routing(leaf('pager', matcher('plumbline', '=', 'alarm'))), ...receivers];

function source(facts: readonly AlarmFact[], rest: Partial<CheckedSource> = {}): CheckedSource {
  const attribution = { label: 'cluster', aliases: {}, clusters: ['eu'] };
  return { name: 'prometheus-eu', attribution, facts, believed: true, readAt: now, cut: false, ...rest };
}

/** The gap or why it is unclear, of one kind. */
function told(
  facts: readonly AlarmFact[],
  rest: Partial<CheckedSource> = {},
  kind: CheckedKind = kustomizations,
): string {
  const { gaps, unclear, sound } = checkRules([source(facts, rest)], [kind], terms);
  return [
    ...gaps.map(({ gap, objects: count, text }) => `${gap} ${count}: ${text}`),
    ...unclear.map(({ why }) => `unclear: ${why}`),
    ...(sound > 0 ? ['sound'] : []),
  ].join('; ');
}

const soundFacts = [scope('eu'), rule(notReady), ...calling];

describe('rules that count objects', () => {
  const counting = (part: Partial<RuleFact> = {}): RuleFact =>
    rule([], {
      name: 'NotAsInGit',
      key: 'count',
      query: 'sum by (cluster, group, kind, since) (plumbline_objects_since{verdict=~"diverged|stale"}) > 0',
      selectors: [],
      ...part,
    });
  const once = 'sum by (cluster, kind) (plumbline_objects{verdict=~"diverged|stale"}) > 0';

  it.each<readonly [string, readonly AlarmFact[], Partial<CheckedSource>, readonly string[]]>([
    ['call anew for what leaves git later', [counting()], {}, []],
    ['call once', [counting({ query: once })], {}, ['once']],
    [
      'count by since, and do not keep it',
      [counting({ query: counting().query.replace(', since)', ')') })],
      {},
      ['once'],
    ],
    ['are not there', [], {}, ['stale']],
    ['do not ask for what is stale', [counting({ query: counting().query.replace('|stale', '') })], {}, ['stale']],
    ['are not evaluated', [counting({ evaluatedAt: now - 4 * minute })], {}, ['stale']],
    ['call nobody', [counting({ labels: { plumbline: 'other' } })], {}, ['stale']],
    ['may be there, for not all is read', [], { cut: true }, []],
    ['may be there, for the source cannot be read', [], { believed: false }, []],
  ])('that %s', (_what, facts, rest, gaps) => {
    const { counts } = checkRules([source([...soundFacts, ...facts], rest)], [kustomizations], terms);
    expect(counts.map(({ gap }) => gap)).toEqual(gaps);
  });
});

describe('a kind of the fleet', () => {
  it.each<readonly [what: string, facts: readonly AlarmFact[], said: string | RegExp]>([
    ['is sound where each object is exported, read and routed', soundFacts, /^sound$/],
    [
      'has no series',
      [rule(notReady), ...calling],
      'not-exported 2: prometheus-eu has no series of 2 of 2 Kustomization on eu.',
    ],
    ['has series of one object', [scope('eu', objects.slice(1)), rule(notReady), ...calling], /^not-exported 1: /],
    ['has series of another cluster', [scope('us'), rule(notReady), ...calling], /^not-exported 2: /],
    ['has series that name no cluster', [scope(null), rule(notReady), ...calling], /^unclear: Series of Kustomization/],
    [
      'is read by no rule',
      [scope('eu'), ...calling],
      'not-read 2: No rule in prometheus-eu reads ready of Kustomization.',
    ],
    [
      'is read by a rule that watches absence alone',
      [scope('eu'), rule([], { query: 'absent(gotk_resource_info)' }), ...calling],
      /^not-read 2: /,
    ],
    [
      'is read by a rule on suspension alone',
      [scope('eu'), rule([matcher('suspended', '=', 'true')]), ...calling],
      /^not-read/,
    ],
    ['is asked for what is good', [scope('eu'), rule([matcher('ready', '=~', '.*')]), ...calling], /^not-read/],
    [
      'is half in the scope of the rule',
      [
        scope('eu'),
        scope('eu', objects.slice(1), 'gotk_resource_info{team="a"}'),
        rule(notReady, {
          selectors: [{ metric: 'gotk_resource_info', scope: 'gotk_resource_info{team="a"}', states: notReady }],
        }),
        ...calling,
      ],
      /^not-read 1: /,
    ],
    [
      'is asked for False alone',
      [scope('eu'), rule([matcher('ready', '=', 'False')]), ...calling],
      'blind 2: Rule FluxReconciliationFailure is not true of an object whose ready is Unknown or absent.',
    ],
    [
      'is asked for False and Unknown',
      [scope('eu'), rule([matcher('ready', '=~', 'False|Unknown')]), ...calling],
      /^blind 2: .* is absent\.$/,
    ],
    [
      'is asked for each fault by a rule of its own',
      [
        scope('eu'),
        rule([matcher('ready', '=', 'False')]),
        rule([matcher('ready', '=~', 'Unknown')], { key: 'u' }),
        rule([matcher('ready', '=', '')], { key: 'a' }),
        ...calling,
      ],
      /^sound$/,
    ],
    [
      'is asked for one reason',
      [scope('eu'), rule([...notReady, matcher('reason', '=', 'BuildFailed')]), ...calling],
      /^blind 2/,
    ],
    [
      'is asked for all reasons but one',
      [scope('eu'), rule([...notReady, matcher('reason', '!=', 'X')]), ...calling],
      /^unclear/,
    ],
    [
      'is asked by a pattern that is not run',
      [scope('eu'), rule([matcher('ready', '!~', '(T+)+rue')]), ...calling],
      /^unclear/,
    ],
    [
      'has a series for each condition',
      [scope('eu'), rule([matcher('type', '=', 'Ready'), matcher('status', '!=', 'True')]), ...calling],
      /^sound$/,
    ],
    [
      'has a series for each condition, and another is asked for',
      [scope('eu'), rule([matcher('type', '=', 'Stalled'), matcher('status', '!=', 'True')]), ...calling],
      /^not-read/,
    ],
    [
      'has a rule that cannot be taken apart',
      [scope('eu'), rule([], { selectors: null }), ...calling],
      /^unclear: The expression/,
    ],
    [
      'has a rule that cannot be taken apart beside a good one',
      [...soundFacts, rule([], { key: 'odd', selectors: null })],
      /^sound$/,
    ],
    [
      'has a rule that fails',
      [scope('eu'), rule(notReady, { health: 'err', error: 'many-to-many' }), ...calling],
      'not-evaluated 2: Rule FluxReconciliationFailure cannot be evaluated, or was not of late: many-to-many.',
    ],
    [
      'has a rule that was never evaluated',
      [scope('eu'), rule(notReady, { evaluatedAt: null }), ...calling],
      /^not-evaluated/,
    ],
    [
      'has a rule that was last evaluated long ago',
      [scope('eu'), rule(notReady, { evaluatedAt: now - 4 * minute }), ...calling],
      /^not-evaluated/,
    ],
    ['has a rule that does not aggregate', [scope('eu'), rule(notReady, { keeps: null }), ...calling], /^resets 2: /],
    [
      'has a rule that keeps the revision',
      [scope('eu'), rule(notReady, { keeps: [...keeps, 'revision'] }), ...calling],
      /^resets/,
    ],
    [
      'has one that keeps all and holds for nothing',
      [scope('eu'), rule(notReady, { keeps: null, holds: 0 }), ...calling],
      /^sound$/,
    ],
    [
      'has a rule that waits too long',
      [scope('eu'), rule(notReady, { holds: 16 * minute }), ...calling],
      /^late 2: .*960 s.*900 s/,
    ],
    ['is routed to nobody', [scope('eu'), rule(notReady), routing(), ...receivers], /^not-routed 2: /],
    [
      'is kept from its route by the matcher of the operator',
      [
        scope('eu'),
        rule(notReady),
        routing(leaf('pager', matcher('plumbline', '=', 'alarm'), matcher('namespace', '=', 'monitoring'))),
        ...receivers,
      ],
      /^not-routed 2: /,
    ],
    [
      'is routed by a label that is not known',
      [scope('eu'), rule(notReady), routing(leaf('pager', matcher('team', '=', 'a'))), ...receivers],
      /^unclear: It cannot be told from prometheus-eu whom/,
    ],
    ['has no Alertmanager that is read', [scope('eu'), rule(notReady)], /^unclear/],
    [
      'has one rule that fails and one that is sound',
      [...soundFacts, rule(notReady, { key: 'b', health: 'err' })],
      /^sound$/,
    ],
  ])('%s', (_, facts, said) => {
    expect(told(facts)).toMatch(said);
  });

  it('of which each condition must be read: Ready=True hides what is not synced', () => {
    const managed: CheckedKind = { ...kustomizations, conditions: ['ready', 'synced'] };
    expect(told(soundFacts, {}, managed)).toBe('not-read 2: No rule in prometheus-eu reads synced of Kustomization.');
    const notSynced = [matcher('synced', '!=', 'True'), matcher('synced_reason', '!=', 'ReconcilePaused')];
    expect(told([...soundFacts, rule(notSynced, { key: 's' })], {}, managed)).toBe('sound');
  });

  it('is not missed where the source cannot be read, or was cut short', () => {
    expect(told([], { believed: false })).toBe('unclear: The alarm source prometheus-eu cannot be read.');
    expect(told([], { cut: true })).toBe('unclear: Not all that prometheus-eu has was read.');
    expect(told([scope('eu'), ...calling], { cut: true })).toBe('unclear: Not all that prometheus-eu has was read.');
  });

  it('is not missed where its series, or those that a rule reads, could not be asked for', () => {
    const unknown: AlarmFact = {
      type: 'scope-standing',
      key: 'gotk_resource_info{team="a"}',
      series: null,
      reason: 'It did not answer within 10 s.',
    };
    const said =
      'unclear: prometheus-eu did not tell its series of gotk_resource_info{team="a"}: It did not answer within 10 s.';
    const selectors = [{ metric: 'gotk_resource_info', scope: unknown.key, states: notReady }];
    expect(told([unknown, rule(notReady), ...calling])).toBe(said);
    expect(told([scope('eu'), unknown, rule(notReady, { selectors }), ...calling])).toBe(said);
    expect(told([unknown, ...soundFacts])).toBe('sound');
  });

  it('on a cluster for which no source speaks is named', () => {
    const { gaps } = checkRules([source(soundFacts)], [{ ...kustomizations, cluster: 'us' }], terms);
    expect(gaps).toEqual([
      expect.objectContaining({
        gap: 'no-source',
        cluster: 'us',
        objects: 2,
        mend: expect.stringContaining('alarms in plumbline.yaml'),
      }),
    ]);
  });

  it('is alarmed on if any of several sources does, and is unclear while one cannot be read', () => {
    const kinds = [kustomizations];
    const [good, empty, lost] = [source(soundFacts), source(calling), source([], { believed: false })];
    expect(checkRules([empty, good, lost], kinds, terms)).toMatchObject({ sound: 1, gaps: [], unclear: [] });
    expect(checkRules([empty, lost], kinds, terms)).toMatchObject({ sound: 0, gaps: [], unclear: [{ cluster: 'eu' }] });
    expect(checkRules([empty, empty], kinds, terms).gaps).toHaveLength(1);
  });
});

describe('dead rules', () => {
  const onRemoved = rule(notReady, {
    name: 'ReconciliationFailure',
    selectors: [{ metric: 'gotk_reconcile_condition', scope: 'gotk_reconcile_condition', states: [] }],
  });
  const standing = (key: string, series: number | null): AlarmFact => ({
    type: 'scope-standing',
    key,
    series,
    reason: null,
  });

  it('are those none of whose metrics has a series, with what took its place', () => {
    expect(checkRules([source([onRemoved, standing('gotk_reconcile_condition', 0)])], [], terms).dead).toEqual([
      {
        source: 'prometheus-eu',
        rule: 'ReconciliationFailure',
        text: 'Rule ReconciliationFailure reads gotk_reconcile_condition, of which there is no series: it can never fire.',
        mend: 'Flux has removed gotk_reconcile_condition: plumbline rules writes rules on gotk_resource_info, and what exports it.',
      },
    ]);
  });

  it.each<readonly [string, readonly AlarmFact[], Partial<CheckedSource>]>([
    ['has series', [onRemoved, standing('gotk_reconcile_condition', 3)], {}],
    ['was not asked for', [onRemoved], {}],
    ['could not be asked for', [onRemoved, standing('gotk_reconcile_condition', null)], {}],
    [
      'stands in a source that is not believed',
      [onRemoved, standing('gotk_reconcile_condition', 0)],
      { believed: false },
    ],
    [
      'had series when an alert of theirs began',
      [
        onRemoved,
        standing('gotk_reconcile_condition', 0),
        { type: 'alert', key: 'a', rule: onRemoved.key, labels: {}, state: 'firing', activeAt: 1 },
      ],
      {},
    ],
    ['stands in one that was cut short', [onRemoved, standing('gotk_reconcile_condition', 0)], { cut: true }],
    [
      'watches for absence',
      [rule([], { query: 'absent(x)', selectors: [{ metric: 'x', scope: 'x', states: [] }] }), standing('x', 0)],
      {},
    ],
  ])('are none whose metric %s', (_, facts, rest) => {
    expect(checkRules([source(facts, rest)], [], terms).dead).toEqual([]);
  });
});
