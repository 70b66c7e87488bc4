import { describe, expect, it } from 'vitest';
import { noon, recorded } from '../testing/observed.ts';
import { minute } from '../time/length.ts';
import { alarmBook, type AlarmBook } from './alarm-book.ts';
import type { AlarmFact, AlertFact, NoticeFact } from './fact.ts';
import { mostHeard } from './object-chain.ts';
import { earlier, stepOf, stepText } from './check/since-step.ts';
import {
  alarmSource,
  alertFact,
  labelsOf,
  noticeFact,
  program,
  receiverFact,
  ruleFact,
  scopeFacts,
} from './testing/facts.ts';

const onset = { time: noon - 20 * minute, bound: 'exact', noticedAt: noon - 20 * minute } as const;
const object = recorded({ verdict: 'diverged', onset, awaySince: onset });
const { ref } = object;
const other = { ...ref, name: 'other' };
const scope = 'gotk_resource_info';
const within = 15 * minute;

/** A source whose chain is whole for the object. */
const whole: readonly AlarmFact[] = [
  ruleFact(),
  ...scopeFacts(scope, [ref, other]),
  alertFact(ref),
  noticeFact(ref),
  receiverFact('oncall', ['pagerduty']),
  receiverFact('nobody', []),
];

function without(...types: readonly AlarmFact['type'][]): readonly AlarmFact[] {
  return whole.filter(({ type }) => !types.includes(type));
}

function bookOf(facts: readonly AlarmFact[], source = alarmSource()): AlarmBook {
  const book = alarmBook();
  book.apply({ type: 'alarm-source', source });
  for (const fact of facts) book.apply({ type: 'alarm-fact', source: source.name, fact });
  return book;
}

/** A source for whatever its label names. */
const anywhere = alarmSource({ attribution: { label: 'cluster', aliases: {}, clusters: [] } });

function alarmOf(facts: readonly AlarmFact[], source = alarmSource(), now = noon) {
  return bookOf(facts, source).alarmOf(object, now, within);
}

const silent = (broken: string): object => ({ state: 'silent', broken });
const unknown = (why: string): object => ({ state: 'unknown', why });
const silence = {
  ...({ type: 'silence', key: 's1', state: 'active', startsAt: noon - minute, endsAt: noon + minute } as const),
  ...{ by: 'm.ito', comment: 'upgrade', matchers: [] },
};

describe('the chain of an object', () => {
  it('is whole: it sounds, since the alert fires', () => {
    expect(alarmOf(whole)).toEqual({ state: 'sounding', since: noon - 5 * minute, by: 'own' });
  });

  it.each<[string, readonly AlarmFact[], object]>([
    ['no series', [ruleFact(), ...scopeFacts(scope, [other])], silent('series')],
    [
      'a rule that leaves it out',
      [
        ruleFact({ selectors: [{ metric: scope, scope: `${scope}{name="other"}`, states: [] }] }),
        ...scopeFacts(scope, [ref, other]),
        ...scopeFacts(`${scope}{name="other"}`, [other]),
      ],
      silent('rule'),
    ],
    ['no rule', without('rule', 'alert', 'notice'), silent('rule')],
    [
      'a rule on what is suspended alone',
      [
        ruleFact({
          selectors: [
            { metric: scope, scope, states: [{ name: 'suspended', operator: '=~', value: 'true|disabled' }] },
          ],
        }),
        ...without('rule', 'alert', 'notice'),
      ],
      silent('rule'),
    ],
    [
      'a rule with an error',
      [ruleFact({ health: 'err' }), ...without('rule', 'alert', 'notice')],
      silent('evaluation'),
    ],
    [
      'a rule that is not evaluated any more',
      [ruleFact({ evaluatedAt: noon - 2 * minute }), ...without('rule', 'alert', 'notice')],
      silent('evaluation'),
    ],
    ['a condition that is not true', without('alert', 'notice'), silent('condition')],
    ['an alert that is pending', [...without('notice'), alertFact(ref, { state: 'pending' })], silent('hold')],
    ['no Alertmanager has it', without('notice'), silent('delivery')],
    ['a silence', [...whole, silence, noticeFact(ref, { state: 'suppressed', silencedBy: ['s1'] })], silent('silence')],
    ['an inhibition', [...whole, noticeFact(ref, { state: 'suppressed', inhibitedBy: ['f'] })], silent('inhibition')],
    ['a muted time', [...whole, noticeFact(ref, { mutedBy: ['night'] })], silent('mute')],
    [
      'an Alertmanager that does not say what is muted',
      [...whole, noticeFact(ref, { state: 'untold' })],
      { state: 'unknown', why: 'mutes-untold' },
    ],
    ['a receiver that calls nobody', [...whole, noticeFact(ref, { receivers: ['nobody'] })], silent('receiver')],
    [
      'a receiver that no configuration names',
      [...whole, noticeFact(ref, { receivers: ['gone'] })],
      silent('receiver'),
    ],
    [
      'two Alertmanagers, one of which holds it back',
      [
        ...whole,
        noticeFact(ref, {
          key: 'http://other f-2',
          alertmanager: 'http://other',
          fingerprint: 'f-2',
          silencedBy: ['s1'],
        }),
      ],
      { state: 'sounding' },
    ],
    [
      'an alert of another namespace',
      [...without('alert', 'notice'), alertFact({ ...ref, namespace: 'else' })],
      silent('condition'),
    ],
    [
      'an alert of another kind',
      [...without('alert', 'notice'), alertFact({ ...ref, kind: 'HelmRelease' })],
      silent('condition'),
    ],
    [
      'an alert of another cluster',
      [...without('alert', 'notice'), alertFact({ ...ref, cluster: 'c2' })],
      silent('condition'),
    ],
    ['only an Alertmanager tells of it', without('alert', 'rule'), { state: 'sounding', by: 'own' }],
  ])('%s', (_what, facts, expected) => {
    expect(alarmOf(facts)).toMatchObject(expected);
  });

  it('names at its condition the rule that asks for what is wrong, not the first', () => {
    const asking = (name: string, label: string, value: string) =>
      ruleFact({
        name,
        selectors: [{ metric: scope, scope, states: [{ name: label, operator: '=', value }] }],
      });
    const facts = [asking('ASuspended', 'suspended', 'true'), asking('NotReady', 'ready', 'False')];
    const book = bookOf([...facts, ...scopeFacts(scope, [ref])]);
    const { steps } = book.chainOf(object, noon, within);
    expect(steps.find(({ state }) => state === 'broken')).toMatchObject({
      link: 'condition',
      text: 'Rule NotReady reads it, and its expression does not match it.',
    });
  });

  it.each(['untold', 'unprocessed'] as const)('an alert that is %s is not said to sound', (state) => {
    const facts = [...whole, noticeFact(ref, { state })];
    expect(bookOf(facts).chainOf(object, noon, within).alerts).toMatchObject([{ state: 'unknown' }]);
  });

  it('is pending until it is due', () => {
    const away = { ...onset, time: noon - 5 * minute };
    const fresh = recorded({ verdict: 'diverged', onset: away, awaySince: away });
    expect(bookOf(without('notice')).alarmOf(fresh, noon, within)).toEqual({ state: 'pending', broken: 'delivery' });
  });
});

describe('an alert that names no object', () => {
  const labels = { alertname: 'FluxReconciliationFailure', cluster: 'c1', severity: 'page' };
  const group = (activeAt: number): readonly AlarmFact[] => [
    ...without('alert', 'notice'),
    alertFact(ref, { labels, activeAt }),
    noticeFact(ref, { labels, startsAt: activeAt + minute }),
  ];

  it('sounds for what was away before it began', () => {
    expect(alarmOf(group(noon - 10 * minute))).toEqual({ state: 'sounding', since: noon - 9 * minute, by: 'group' });
  });

  it('calls nobody anew for what left git later', () => {
    expect(alarmOf(group(noon - 30 * minute))).toEqual(silent('news'));
  });

  it('means nothing that its rule does not read', () => {
    const facts = [...group(noon - 10 * minute).filter(({ type }) => type !== 'scope'), ...scopeFacts(scope, [other])];
    expect(alarmOf(facts)).toEqual(silent('series'));
  });
});

describe('an alert of a rule that counts objects by what Plumbline says of them', () => {
  const rule = ruleFact({
    name: 'NotAsInGit',
    query: 'sum by (cluster, group, kind) (plumbline_objects{verdict=~"diverged|drifted|unhealthy|stale"}) > 0',
    selectors: [],
  });
  const bySince = ruleFact({
    name: 'NotAsInGit',
    query:
      'sum by (cluster, group, kind, since) (plumbline_objects_since{verdict=~"diverged|drifted|unhealthy|stale"}) > 0',
    selectors: [],
  });
  const counting = (part: object, activeAt = noon - 10 * minute, of = rule): readonly AlarmFact[] => {
    const labels = { alertname: 'NotAsInGit', cluster: 'c1', group: ref.group, kind: ref.kind, ...part };
    return [
      ...without('alert', 'notice'),
      of,
      alertFact(ref, { rule: of.key, labels, activeAt }),
      noticeFact(ref, { labels, startsAt: activeAt + minute }),
    ];
  };
  const stale = recorded({ verdict: 'stale', onset, awaySince: onset });
  const staleAlarm = (facts: readonly AlarmFact[]) => bookOf(facts).alarmOf(stale, noon, within);

  it('sounds for each of its kind that is so, on its cluster', () => {
    expect(staleAlarm(counting({}))).toEqual({ state: 'sounding', since: noon - 9 * minute, by: 'group' });
  });

  it.each<[string, object]>([
    ['another kind', { kind: 'HelmRelease' }],
    ['another group', { group: 'other.example.org' }],
    ['another cluster', { cluster: 'c2' }],
  ])('and not for %s', (_what, part) => {
    expect(staleAlarm(counting(part))).toEqual(silent('condition'));
  });

  it('nor for what it does not count, or left git later', () => {
    const behind = recorded({ verdict: 'behind', onset, awaySince: onset });
    expect(bookOf(counting({})).alarmOf(behind, noon, within)).toEqual(silent('condition'));
    expect(staleAlarm(counting({}, noon - 30 * minute))).toEqual(silent('news'));
  });

  it('calls anew for what leaves git later, where it counts by when that was', () => {
    const since = stepText(stepOf({ awaySince: onset, onset }));
    const before = stepText(stepOf({ awaySince: onset, onset }) - 5 * minute);
    expect(staleAlarm(counting({ since }, onset.time + 30_000, bySince))).toMatchObject({ state: 'sounding' });
    expect(staleAlarm(counting({ since: before }, onset.time - 5 * minute, bySince))).toEqual(silent('condition'));
    // The alert waits from the first of the five minutes on; it calls when it fires, which is after the last of them.
    const waited = counting({ since }, onset.time - 30_000, bySince);
    expect(staleAlarm(waited)).toEqual({ state: 'sounding', since: onset.time + 30_000, by: 'group' });
  });

  it.each<[string, number, string]>([
    ['began before it left git', -minute * 10, 'news'],
    ['began since', minute, 'sounding'],
  ])('of all steps that are not told one by one, %s', (_what, after, expected) => {
    const alarm = staleAlarm(counting({ since: earlier }, onset.time + after, bySince));
    expect('broken' in alarm ? alarm.broken : alarm.state).toBe(expected);
  });

  it('says in the chain how it would call anew', () => {
    const chain = bookOf(counting({}, noon - 30 * minute)).chainOf(stale, noon, within);
    expect(chain.mend).toContain('it counts by the label since');
  });

  it('is the mend of what is stale, for no rule on what it says can find it', () => {
    const chain = bookOf(without('alert', 'notice')).chainOf(stale, noon, within);
    expect(chain.mend).toContain('load NotAsInGit, which asks Plumbline');
  });
});

describe('more alerts than are looked at for one object', () => {
  const hostile = Array.from({ length: 3 * mostHeard }, (_, at) =>
    alertFact(ref, { key: `h${at}`, labels: labelsOf(ref, { pod: `p${at}` }) }),
  );
  const notices = hostile.map(({ key, labels }) =>
    noticeFact(ref, { key: `am ${key}`, fingerprint: key, labels, state: 'unprocessed' }),
  );

  it('say nothing of it: one that was not looked at may sound', () => {
    const book = bookOf([...without('alert', 'notice'), ...hostile, ...notices]);
    expect(book.alarmOf(object, noon, within)).toEqual(unknown('cut'));
    const { alerts, isCut } = book.chainOf(object, noon, within);
    expect([alerts.length, isCut]).toEqual([mostHeard, true]);
  });

  it('whose labels would be compared for milliseconds are not all compared', () => {
    const long = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`l${at}`, 'x'.repeat(1_000)]));
    const of = <Fact extends AlertFact | NoticeFact>(fact: Fact, at: number): Fact => {
      return { ...fact, labels: { ...fact.labels, ...long, zone: String(at) } };
    };
    const few = hostile.slice(0, mostHeard);
    const book = bookOf([
      ...without('alert', 'notice'),
      ...few.map((fact, at) => of(fact, at)),
      ...notices.slice(0, mostHeard).map((fact, at) => of({ ...fact, state: 'suppressed', silencedBy: ['s'] }, at)),
    ]);
    const used = process.cpuUsage();
    for (let at = 0; at < 100; at += 1) expect(book.alarmOf(object, noon, within)).toEqual(unknown('cut'));
    // More than a second before: each alert was held against each notice.
    expect(process.cpuUsage(used).user).toBeLessThan(500_000);
  });

  it('do not hide one that sounds among the first', () => {
    expect(alarmOf([...whole, ...hostile])).toMatchObject({ state: 'sounding', by: 'own' });
  });

  it.each<[string, object, object]>([
    ['one of the same name in another namespace', { exported_namespace: 'elsewhere' }, {}],
    ['what is in another namespace, of no name', { exported_namespace: 'elsewhere' }, { name: '' }],
    ['another name', { name: 'another' }, {}],
    ['another cluster', { cluster: 'c2' }, {}],
  ])('hide nothing where they name %s', (_, names, more) => {
    const elsewhere = hostile.map((fact) => ({ ...fact, labels: { ...fact.labels, ...names, ...more } }));
    const facts = [...without('alert', 'notice'), ...elsewhere, alertFact(ref), noticeFact(ref)];
    expect(alarmOf(facts)).toMatchObject({ state: 'sounding', by: 'own' });
    expect(bookOf(facts).chainOf(object, noon, within).isCut).toBe(false);
  });

  it('are forgotten one by one', () => {
    const book = bookOf([...whole, ...hostile]);
    for (const { type, key } of hostile)
      book.apply({ type: 'alarm-fact-removed', source: 'monitoring', key: `${type}/${key}` });
    expect(book.chainOf(object, noon, within)).toEqual(bookOf(whole).chainOf(object, noon, within));
  });
});

describe('a root cause', () => {
  it.each([
    ['an object', { type: 'object', ref: other } as const, alertFact(other), noticeFact(other)],
    [
      'a controller',
      { type: 'controller', cluster: 'c1', namespace: 'flux-system', name: 'kustomize-controller' } as const,
      alertFact(ref, {
        labels: {
          alertname: 'KubeDeploymentDown',
          cluster: 'c1',
          namespace: 'flux-system',
          deployment: 'kustomize-controller',
        },
      }),
      noticeFact(ref, {
        labels: {
          alertname: 'KubeDeploymentDown',
          cluster: 'c1',
          namespace: 'flux-system',
          deployment: 'kustomize-controller',
        },
      }),
    ],
  ])('that is called for calls for what waits for it: %s', (_what, rootCause, alert, notice) => {
    const waits = recorded({ verdict: 'waiting', onset, awaySince: onset, rootCause });
    const book = bookOf([...without('alert', 'notice'), alert, notice]);
    expect(book.alarmOf(waits, noon, within)).toMatchObject({ state: 'sounding', by: 'cause' });
  });
});

describe('a source that speaks for another cluster', () => {
  const own = { label: 'cluster', aliases: {}, clusters: ['c2'] };

  it.each(['live', 'failed'] as const)(
    'calls for nobody here, and hides no silence, whatever its labels name: %s',
    (state) => {
      const book = bookOf([ruleFact(), ...scopeFacts(scope, [ref])]);
      const programs = [program('alertmanager', { state })];
      book.apply({ type: 'alarm-source', source: alarmSource({ name: 'other', attribution: own, programs }) });
      for (const fact of [noticeFact(ref), receiverFact('oncall', ['pagerduty'])])
        book.apply({ type: 'alarm-fact', source: 'other', fact });
      expect(book.alarmOf(object, noon, within)).toEqual(silent('condition'));
      expect(book.clustersOf('other')).toEqual(['c2']);
    },
  );
});

describe('nothing is said of', () => {
  it.each<[string, AlarmBook, string]>([
    ['any object without a source', alarmBook(), 'none'],
    [
      'a cluster that no source speaks for',
      bookOf([], alarmSource({ attribution: { label: 'cluster', aliases: {}, clusters: ['c2'] } })),
      'not-covered',
    ],
    [
      'a Prometheus that cannot be read',
      bookOf(
        without('alert', 'notice'),
        alarmSource({ programs: [program('prometheus', { state: 'failed' }), program('alertmanager')] }),
      ),
      'not-read',
    ],
    [
      'an Alertmanager that cannot be read',
      bookOf(
        without('notice'),
        alarmSource({ programs: [program('prometheus'), program('alertmanager', { state: 'failed' })] }),
      ),
      'not-read',
    ],
    [
      'what no Alertmanager is asked about',
      bookOf(without('notice'), alarmSource({ programs: [program('prometheus')] })),
      'not-read',
    ],
    [
      'a reading that was cut short',
      bookOf(without('alert', 'notice', 'rule'), alarmSource({ cut: ['Of 9 rules 5 are read.'] })),
      'cut',
    ],
    [
      'a scope that is not known',
      bookOf([ruleFact(), { type: 'scope-standing', key: scope, series: null, reason: 'Too large.' }]),
      'cut',
    ],
    ['what is exported, before that was asked', bookOf([]), 'cut'],
    [
      'an alert that its Alertmanager has not looked at yet',
      bookOf([...whole, noticeFact(ref, { state: 'unprocessed' })]),
      'not-read',
    ],
    [
      'a rule that could not be taken apart',
      bookOf([ruleFact({ selectors: null }), ...scopeFacts(scope, [other])]),
      'cut',
    ],
  ])('%s', (_what, book, why) => {
    expect(book.alarmOf(object, noon, within)).toEqual(unknown(why));
  });

  it('an object that is not seen, unless an alarm sounds', () => {
    const unseen = recorded({ verdict: 'unobserved', onset, awaySince: onset });
    expect(bookOf(without('alert', 'notice')).alarmOf(unseen, noon, within)).toEqual(unknown('not-seen'));
    expect(bookOf(whole).alarmOf(unseen, noon, within)).toMatchObject({ state: 'sounding' });
  });

  it('what a source told longer ago than it may be believed', () => {
    const book = bookOf(without('alert', 'notice'));
    expect(book.alarmOf(object, noon + 54_000, within)).toEqual(silent('condition'));
    expect(book.alarmOf(object, noon + 55_000, within)).toEqual(unknown('not-read'));
  });
});

describe('of several sources', () => {
  function two(first: readonly AlarmFact[], second: readonly AlarmFact[], programs = alarmSource().programs) {
    const book = bookOf(first);
    const source = alarmSource({ name: 'second', programs });
    book.apply({ type: 'alarm-source', source });
    for (const fact of second) book.apply({ type: 'alarm-fact', source: 'second', fact });
    return book.alarmOf(object, noon, within);
  }

  it.each<[string, ReturnType<typeof two>, object]>([
    ['one that sounds is enough', two(without('alert', 'notice'), whole), { state: 'sounding' }],
    ['the chain that got furthest is told', two(without('notice'), without('alert', 'notice')), silent('delivery')],
    [
      'one that cannot be read may have called',
      two(without('notice'), [], [program('prometheus', { state: 'failed' }), program('alertmanager')]),
      unknown('not-read'),
    ],
  ])('%s', (_what, alarm, expected) => {
    expect(alarm).toMatchObject(expected);
  });
});

describe('stamps', () => {
  it('move for the cluster that a fact is about, and for all where it may be about any', () => {
    const book = bookOf([...whole, ...scopeFacts(scope, [{ ...ref, cluster: 'c2' }])], anywhere);
    const stamps = () => [book.stamp('c1', noon), book.stamp('c2', noon)];
    const before = stamps();
    expect(stamps()).toEqual(before);
    book.apply({ type: 'alarm-fact', source: 'monitoring', fact: alertFact({ ...other, cluster: 'c2' }) });
    const [one, two] = stamps();
    expect([one === before[0], two === before[1]]).toEqual([true, false]);
    book.apply({ type: 'alarm-fact', source: 'monitoring', fact: silence });
    expect(stamps().map((stamp, at) => stamp === [one, two][at])).toEqual([false, false]);
  });

  it('stay where a reading only renews what it told, and move when that is believed no longer', () => {
    const book = bookOf(whole);
    const before = book.stamp('c1', noon);
    const renewed = ['prometheus', 'alertmanager'] as const;
    const programs = renewed.map((of) => program(of, { readAt: noon, validUntil: noon + minute }));
    book.apply({ type: 'alarm-source', source: alarmSource({ programs }) });
    expect(book.stamp('c1', noon)).toBe(before);
    expect(book.stamp('c1', noon + minute)).toBeGreaterThan(before);
  });

  it('move when a reading tells of a rule that it is late, and stay when it was only evaluated again', () => {
    const book = bookOf(whole);
    const before = book.stamp('c1', noon);
    const readAgain = (evaluatedAt: number): number => {
      const programs = (['prometheus', 'alertmanager'] as const).map((of) =>
        program(of, { readAt: noon + minute, validUntil: noon + 2 * minute }),
      );
      book.apply({ type: 'alarm-fact', source: 'monitoring', fact: ruleFact({ evaluatedAt, firedAt: evaluatedAt }) });
      book.apply({ type: 'alarm-source', source: alarmSource({ programs }) });
      return book.stamp('c1', noon + minute);
    };
    expect(readAgain(noon + minute - 10_000)).toBe(before);
    expect(readAgain(noon - minute)).toBeGreaterThan(before);
  });

  it('stay when a scope has another number of series, and move when that is not known any more', () => {
    const book = bookOf(whole);
    const before = book.stamp('c1', noon);
    const tell = (series: number | null): number => {
      book.apply({
        type: 'alarm-fact',
        source: 'monitoring',
        fact: { type: 'scope-standing', key: scope, series, reason: null },
      });
      return book.stamp('c1', noon);
    };
    expect([tell(9), tell(null) > before]).toEqual([before, true]);
  });

  it('are another where a source says otherwise whose alerts are whose', () => {
    const book = bookOf(whole);
    book.apply({
      type: 'alarm-source',
      source: alarmSource({ attribution: { label: 'cluster', aliases: { c1: 'renamed' }, clusters: [] } }),
    });
    expect(book.alarmOf({ ...object, ref: { ...ref, cluster: 'renamed' } }, noon, within)).toMatchObject({
      state: 'sounding',
    });
  });
});

it('is told of 100,000 objects that are away, with 20,000 alerts, in the time that their map takes a few times over', () => {
  const refs = Array.from({ length: 100_000 }, (_, n) => ({ ...ref, cluster: `c${n % 1_000}`, name: `o${n}` }));
  const objects = refs.map((one) => ({ ...object, ref: one }));
  const book = bookOf(
    [
      ...Array.from({ length: 20 }, (_, n) => ruleFact({ name: `Rule${n}`, key: `k${n}` })),
      ruleFact(),
      ...scopeFacts(scope, refs),
      receiverFact('oncall', ['pagerduty']),
      ...refs.slice(0, 20_000).flatMap((one) => [alertFact(one), noticeFact(one)]),
    ],
    anywhere,
  );
  const began = performance.now();
  const counts = Map.groupBy(objects, (one) => book.alarmOf(one, noon, within).state);
  const took = performance.now() - began;
  expect([counts.get('sounding')?.length, counts.get('silent')?.length]).toEqual([20_000, 80_000]);
  const map = performance.now();
  new Map(objects.map((one) => [JSON.stringify(one.ref), one]));
  expect(took).toBeLessThan(60 * (performance.now() - map));
  expect(labelsOf(ref)['name']).toBe(ref.name);
});

describe('a chain in words', () => {
  it.each<[string, readonly AlarmFact[], string, string | null]>([
    [
      'series',
      [ruleFact(), ...scopeFacts(scope, [other])],
      'No target exports a series of this Kustomization to monitoring.',
      'Let kube-state-metrics export Kustomization: plumbline rules writes its configuration.',
    ],
    [
      'silence',
      [...whole, silence, noticeFact(ref, { state: 'suppressed', silencedBy: ['s1'] })],
      'A silence by m.ito holds it back until 2026-11-21 12:01 UTC: upgrade.',
      'End the silence if its reason is gone.',
    ],
    [
      'receiver',
      [...whole, noticeFact(ref, { receivers: ['nobody'] })],
      'FluxReconciliationFailure is routed to nobody, which calls nobody.',
      'Route FluxReconciliationFailure to a receiver with an integration.',
    ],
  ])('breaks at %s', (link, facts, text, mend) => {
    const chain = bookOf(facts).chainOf(object, noon, within);
    expect(chain.steps.find(({ state }) => state === 'broken')).toMatchObject({ link, text });
    expect([chain.mend, chain.asOf]).toEqual([mend, noon - 5_000]);
  });

  it('is whole', () => {
    const chain = bookOf(whole).chainOf(object, noon, within);
    expect(chain.steps.map(({ link, state }) => `${link} ${state}`)).toEqual([
      ...['series whole', 'rule whole', 'evaluation whole', 'condition whole', 'hold whole', 'delivery whole'],
      'receiver whole',
    ]);
    expect(chain.alerts).toMatchObject([
      { name: 'FluxReconciliationFailure', state: 'sounding', receivers: ['oncall (pagerduty)'] },
    ]);
    expect(chain.mend).toBeNull();
  });
});
