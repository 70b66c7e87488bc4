import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '../../guarantee/guarantee.ts';
import { noon, recorded } from '../../testing/observed.ts';
import { day, minute } from '../../time/length.ts';
import { alarmBook } from '../alarm-book.ts';
import type { AlarmFact, NoticeFact } from '../fact.ts';
import type { Alarming } from '../alarming/fact.ts';
import type { FindingType } from '../finding.ts';
import { alarmSource, alertFact, noticeFact, receiverFact, ruleFact, scopeFacts } from '../testing/facts.ts';

const onset = { time: noon - 20 * minute, bound: 'exact', noticedAt: noon - 20 * minute } as const;
const home = recorded({ onset });
const { ref } = home;
const away = recorded({ ref: { ...ref, name: 'away' }, verdict: 'diverged', onset, awaySince: onset });
const objects = [home, away];
const scope = 'gotk_resource_info';
const stable = ['cluster', 'customresource_kind', 'exported_namespace', 'name'];
const selector = { metric: scope, scope, states: [{ name: 'ready', operator: '!=', value: 'True' }] } as const;
const rule = ruleFact({ keeps: stable, selectors: [selector] });
const routing: AlarmFact = {
  type: 'routing',
  key: 'http://alertmanager:9093',
  root: { receiver: 'oncall', matchers: [], continues: false, isWhole: true, routes: [] },
};
const receivers = [receiverFact('oncall', ['pagerduty']), receiverFact('nobody', [])];
const refs = objects.map((object) => object.ref);
const sound: readonly AlarmFact[] = [rule, routing, ...receivers, ...scopeFacts(scope, refs)];

function pageOf(facts: readonly AlarmFact[], source = alarmSource(), alarming: Alarming | null = null) {
  const book = alarmBook();
  book.apply({ type: 'alarm-source', source });
  for (const fact of facts) book.apply({ type: 'alarm-fact', source: source.name, fact });
  const joined = objects.map((object) => ({ ...object, alarm: book.alarmOf(object, noon, defaultPolicy.alarmWithin) }));
  return finished(book.coverage([{ name: 'c1', objects: joined, alarming }], noon, defaultPolicy));
}

function finished<Made>(parts: Generator<undefined, Made>): Made {
  for (;;) {
    const part = parts.next();
    if (part.done) return part.value;
  }
}

const silence = {
  ...({ type: 'silence', key: 's1', state: 'active', by: 'm.ito', comment: 'upgrade' } as const),
  ...{
    startsAt: noon - 3 * day,
    endsAt: noon + 3 * day,
    matchers: [{ name: 'name', operator: '=', value: 'x' } as const],
  },
};

const all = { yes: 2, no: 0, unknown: 0 };
const none = { yes: 0, no: 2, unknown: 0 };
const one = { yes: 1, no: 1, unknown: 0 };
const open = { yes: 0, no: 0, unknown: 2 };

describe('the coverage of a kind', () => {
  it('counts how far the chain reaches, and who is silent', () => {
    const { kinds, silent, unknown } = pageOf(sound);
    expect(unknown).toBeNull();
    expect(kinds).toEqual([
      {
        ...{ cluster: 'c1', group: ref.group, kind: 'Kustomization', objects: 2, away: 1 },
        ...{ exported: all, ruled: all, routed: all, rules: [rule.name], receivers: ['oncall (pagerduty)'] },
        ...{ firedAt: null, silent: 1, why: null },
      },
    ]);
    expect(silent.map((object) => object.ref.name)).toEqual(['away']);
  });

  it.each<[string, readonly AlarmFact[], object]>([
    [
      'a rule that leaves one out',
      [
        routing,
        ...receivers,
        ruleFact({ keeps: stable, selectors: [{ ...selector, scope: 'one' }] }),
        ...scopeFacts(scope, refs),
        ...scopeFacts('one', [ref]),
      ],
      { exported: all, ruled: one, routed: one },
    ],
    [
      'no series',
      [rule, routing, ...receivers, ...scopeFacts(scope, [])],
      { exported: none, ruled: none, routed: none },
    ],
    [
      'a route to nobody',
      [...sound, { ...routing, root: { ...routing.root, receiver: 'nobody' } }],
      { ruled: all, routed: none },
    ],
    [
      'a rule that is not evaluated',
      [...sound, ruleFact({ keeps: stable, selectors: [selector], evaluatedAt: null })],
      { exported: all, ruled: none },
    ],
    [
      'a rule on what is suspended alone',
      [
        ...sound,
        ruleFact({
          keeps: stable,
          selectors: [{ ...selector, states: [{ name: 'suspended', operator: '=', value: 'true' }] }],
        }),
      ],
      { exported: all, ruled: none },
    ],
    [
      'a scope that is not known',
      [rule, routing, ...receivers, { type: 'scope-standing', key: scope, series: null, reason: 'x' }],
      { exported: open, ruled: open, why: 'not-read' },
    ],
  ])('%s', (_what, facts, expected) => {
    expect(pageOf(facts).kinds[0]).toMatchObject(expected);
  });

  it('is not known without a source, or of a cluster that none speaks for', () => {
    const nothing = alarmBook();
    expect(finished(nothing.coverage([], noon, defaultPolicy))).toMatchObject({ unknown: 'none', kinds: [] });
    const source = alarmSource({ attribution: { label: 'cluster', aliases: {}, clusters: ['c2'] } });
    expect(pageOf([], source).kinds[0]).toMatchObject({
      exported: open,
      ruled: open,
      routed: open,
      why: 'not-covered',
    });
  });
});

describe('findings', () => {
  const gone = { ...ref, name: 'gone' };
  it.each<[FindingType, string, readonly AlarmFact[]]>([
    [
      'dead-rule',
      'Rule Old reads gotk_reconcile_condition, of which there is no series: it can never fire.',
      [
        ...sound,
        ruleFact({
          name: 'Old',
          key: 'old',
          keeps: stable,
          selectors: [{ metric: 'gotk_reconcile_condition', scope: 'gotk_reconcile_condition', states: [] }],
        }),
        ...scopeFacts('gotk_reconcile_condition', []),
      ],
    ],
    [
      'clock-resets',
      'Rule FluxReconciliationFailure keeps labels that change while an object is away: its for begins anew with each change.',
      [...sound, ruleFact({ selectors: [selector] })],
    ],
    [
      'clock-resets',
      'Rule FluxReconciliationFailure is not true while ready is Unknown, which Flux says at each attempt: its for begins anew each time.',
      [
        ...sound,
        ruleFact({
          keeps: stable,
          selectors: [{ ...selector, states: [{ name: 'ready', operator: '=', value: 'False' }] }],
        }),
      ],
    ],
    [
      'calls-once',
      'Rule NotAsInGit has one alert for all of a kind on a cluster, and calls once: for what leaves git while it sounds nobody is called anew.',
      [
        ...sound,
        ruleFact({
          name: 'NotAsInGit',
          key: 'count',
          selectors: [],
          query: 'sum by (cluster, kind) (plumbline_objects{verdict=~"stale"}) > 0',
        }),
      ],
    ],
    [
      'not-evaluated',
      'Rule FluxReconciliationFailure cannot be evaluated: many-to-many matching.',
      [...sound, ruleFact({ keeps: stable, selectors: [selector], health: 'err', error: 'many-to-many matching.' })],
    ],
    [
      'leaves-out',
      'FluxReconciliationFailure reads Kustomization, and leaves out 1 object on c1.',
      [
        routing,
        ...receivers,
        ruleFact({ keeps: stable, selectors: [{ ...selector, scope: 'one' }] }),
        ...scopeFacts(scope, refs),
        ...scopeFacts('one', [ref]),
      ],
    ],
    [
      'nobody-receives',
      'An alert of FluxReconciliationFailure is routed to receiver nobody, which calls nobody.',
      [...sound, alertFact(away.ref), noticeFact(away.ref, { receivers: ['nobody'] })],
    ],
    ['orphan', 'It is active for Kustomization gone on c1, which is not there.', [...sound, noticeFact(gone)]],
    ['orphan', `It is active for Kustomization ${ref.name} on c1, which is as in git.`, [...sound, noticeFact(ref)]],
    ['silence-outlives', 'A silence by m.ito (upgrade) holds nothing back now.', [...sound, silence]],
    [
      'silence-outlives',
      'A silence by m.ito (upgrade) holds back alerts of what is as in git, or gone.',
      [...sound, silence, noticeFact(ref, { state: 'suppressed', silencedBy: ['s1'] })],
    ],
  ])('%s: %s', (type, text, facts) => {
    expect(
      pageOf(facts)
        .findings.filter((one) => one.type === type)
        .map((one) => one.text),
    ).toEqual([text]);
  });

  it('look at each alert once for all silences, whatever their ids look like', () => {
    const silences = Array.from({ length: 1_000 }, (_, n) => ({ ...silence, key: `s${n} s1` }));
    const notices = Array.from({ length: 1_000 }, (_, n) =>
      noticeFact({ ...ref, name: `gone${n}` }, { state: 'suppressed', silencedBy: ['s1'] }),
    );
    const texts = pageOf([...sound, ...silences, ...notices]).findings.filter(
      ({ type }) => type === 'silence-outlives',
    );
    expect(new Set(texts.map(({ text }) => text))).toEqual(
      new Set(['A silence by m.ito (upgrade) holds nothing back now.']),
    );
  });

  it('are none where all is as it should be', () => {
    const facts = [...sound, alertFact(away.ref), noticeFact(away.ref), { ...silence, startsAt: noon - minute }];
    expect(pageOf(facts).findings).toEqual([]);
  });

  it('are none of a source that cannot be read', () => {
    const programs = alarmSource().programs.map((program) => ({ ...program, validUntil: noon }));
    expect(pageOf([...sound, noticeFact(gone)], alarmSource({ programs })).findings).toEqual([]);
  });
});

describe('thousands of alerts over thousands of objects', () => {
  const refsOfMany = Array.from({ length: 20_000 }, (_, at) => ({ ...ref, namespace: `n${at}` }));
  const many = refsOfMany.map((one) => ({ ...home, ref: one, alarm: { state: 'unknown', why: 'none' } as const }));
  const clusters = [{ name: 'c1', objects: many, alarming: null }];
  const count = 8_000;

  function counted(noticeOf: (at: number) => Partial<NoticeFact>, more: readonly AlarmFact[] = []) {
    const book = alarmBook();
    const source = alarmSource();
    book.apply({ type: 'alarm-source', source });
    const notices = Array.from({ length: count }, (_, at) =>
      noticeFact(ref, { key: `am f${at}`, fingerprint: `f${at}`, ...noticeOf(at) }),
    );
    for (const fact of [...more, ...notices]) book.apply({ type: 'alarm-fact', source: source.name, fact });
    const began = process.threadCpuUsage().user;
    const parts = book.coverage(clusters, noon, defaultPolicy);
    let pauses = 0;
    for (;;) {
      const part = parts.next();
      if (part.done) return { page: part.value, pauses, took: (process.threadCpuUsage().user - began) / 1_000 };
      pauses += 1;
    }
  }

  const labels = (rest: object) => ({ ...noticeFact(ref).labels, ...rest });
  const silences = Array.from({ length: 2_000 }, (_, at): AlarmFact => ({ ...silence, key: `am s${at}` }));

  it.each<[string, (at: number) => Partial<NoticeFact>, readonly AlarmFact[], FindingType, number]>([
    ['of a kind that is not seen', () => ({ labels: labels({ customresource_kind: 'Pod' }) }), [], 'orphan', 0],
    ['of one name', (at) => ({ labels: labels({ exported_namespace: `n${at}` }) }), [], 'orphan', count],
    [
      'held back by one silence',
      () => ({ state: 'suppressed', silencedBy: ['s0'] }),
      silences,
      'silence-outlives',
      2_000,
    ],
    [
      'each held back by another',
      (at) => ({ state: 'suppressed', silencedBy: [`s${at}`], labels: labels({ exported_namespace: `n${at}` }) }),
      silences,
      'silence-outlives',
      2_000,
    ],
    [
      'each to receivers of its own',
      (at) => ({
        receivers: Array.from({ length: 8 }, (_, to) => `r${at} ${to}`),
        labels: labels({ customresource_kind: 'Pod' }),
      }),
      [],
      'nobody-receives',
      1,
    ],
  ])('%s are looked at once each, with pauses', (_, noticeOf, more, type, found) => {
    const { page, pauses, took } = counted(noticeOf, more);
    expect(page.findings.filter((finding) => finding.type === type)).toHaveLength(found);
    expect(pauses).toBeGreaterThan(count / 500);
    // Each with each other, it would take from five seconds to minutes.
    expect(took).toBeLessThan(2_500);
  });
});

it('findings come the worst type first, and of each those of most objects first', () => {
  const facts = [...sound, noticeFact({ ...ref, name: 'gone' }), noticeFact(ref, { key: 'am f2', fingerprint: 'f2' })];
  const { findings } = pageOf(facts);
  expect(findings.filter(({ type }) => type === 'orphan').map(({ objects: of }) => of)).toEqual([1, 0]);
});
