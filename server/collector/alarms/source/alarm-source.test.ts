import { describe, expect, it } from 'vitest';
import type { AlarmFact } from '#lib/domain/alarm/fact.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import type { AlarmBatch } from '#server/store/port/alarm-batch.ts';
import { settled } from '../../clusters/testing/until.ts';
import type { Asked } from '../asking/asked.ts';
import {
  alertAnswer,
  answered,
  callingConfig,
  noticeAnswer,
  ruleAnswer,
  rulesAnswer,
  statusAnswer,
  vectorAnswer,
} from '../testing/answers.ts';
import { alarmLimits } from '../../row-budget/limits.ts';
import { type Answering, nothingStored, playedSource } from '../testing/played-source.ts';

const start = Date.UTC(2026, 10, 21, 2);
const series = { cluster: 'eu', customresource_kind: 'Kustomization', exported_namespace: 'flux-system', name: 'apps' };

/** Answers of a Prometheus and an Alertmanager that are well; `turned`: in another order than before. */
function well(
  given: {
    readonly rules?: readonly unknown[];
    readonly notices?: readonly unknown[];
    readonly silences?: readonly unknown[];
    readonly scope?: readonly Readonly<Record<string, string>>[];
    readonly config?: string;
    readonly groups?: Asked;
  } = {},
): Answering {
  return (path) => {
    switch (path) {
      case '/api/v1/rules':
        return answered(rulesAnswer(given.rules ?? [ruleAnswer({ alerts: [alertAnswer()] })]));
      case '/api/v1/query':
        return answered(vectorAnswer(given.scope ?? [series]));
      case '/api/v2/alerts':
        return answered(given.notices ?? [noticeAnswer()]);
      case '/api/v2/alerts/groups':
        if (given.groups === undefined) throw new Error('no route has a time interval');
        return given.groups;
      case '/api/v2/silences':
        return answered(given.silences ?? []);
      case '/api/v2/status':
        return answered(statusAnswer(given.config ?? callingConfig));
      default:
        throw new Error(`nobody asks ${path}`);
    }
  };
}

const failed = (reason: string): Asked => ({ type: 'failed', reason });
const types = (facts: Iterable<AlarmFact>): readonly string[] =>
  [...facts].map(({ type }) => type).toSorted((a, b) => a.localeCompare(b));
const put = (batches: readonly AlarmBatch[]): readonly AlarmFact[] => batches.flatMap((batch) => batch.put);
const moved = (batches: readonly AlarmBatch[]) => [...put(batches), ...batches.flatMap(({ removed }) => removed)];

const lastSource = (batches: readonly AlarmBatch[]) => batches.findLast((batch) => batch.source !== null)?.source;

describe('startSource', () => {
  it('reads everything, and hands it on', async () => {
    const source = playedSource({ answer: well() });
    await source.pass(3);
    expect(types(source.stored.values())).toEqual([
      'alert',
      'notice',
      'receiver',
      'receiver',
      'routing',
      'rule',
      ...['scope', 'scope', 'scope-standing', 'scope-standing'],
    ]);
    expect(source.batches.flatMap(({ coverage }) => coverage).map(({ read }) => read)).toEqual([false, true]);
    expect(lastSource(source.batches)?.programs.map(({ state, readAt }) => [state, readAt])).toEqual([
      ['live', start + 1_000],
      ['live', start + 1_000],
    ]);
    const named =
      'cluster, customresource_group, customresource_kind, kind, exported_kind, exported_namespace, namespace, exported_name, name, resource, job';
    expect(source.asked.map(({ query }) => query).filter((query) => query !== '')).toEqual([
      `group by (${named}) ({__name__!~".+_(bucket|sum|count|total|seconds)",__name__=~"(gotk_|flux_|crossplane_|upjet_|kube_customresource_|argocd_).+"})`,
      `group by (${named}) (gotk_resource_info)`,
    ]);
  });

  it('asks for what changes each 15 s, for what changes rarely each 60 s', async () => {
    const source = playedSource({ answer: well() });
    await source.pass(121);
    const times = (path: string) =>
      source.asked.filter((each) => each.path === path).map(({ at }) => (at - start) / 1_000);
    expect(times('/api/v1/rules')).toEqual([1, 16, 31, 46, 61, 76, 91, 106, 121]);
    expect(times('/api/v2/alerts')).toEqual([1, 16, 31, 46, 61, 76, 91, 106, 121]);
    expect(times('/api/v2/status')).toEqual([1, 61, 121]);
    expect(times('/api/v1/query')).toEqual([1, 1, 61, 61, 121, 121]);
  });

  it('asks for groups of alerts where a time interval may mute, and covers nothing while they do not tell', async () => {
    const config = callingConfig.replace('{ receiver: oncall', '{ mute_time_intervals: [nights], receiver: oncall');
    const labels = { alertname: 'FluxFailing', severity: 'page' };
    const status = { state: 'suppressed', silencedBy: [], inhibitedBy: [], mutedBy: ['nights'] };
    const groups = answered([{ receiver: { name: 'oncall' }, alerts: [noticeAnswer({ labels, status })] }]);
    const given = { config, notices: [noticeAnswer({ labels })] };
    const source = playedSource({ answer: well({ ...given, groups }) });
    await source.pass(2);
    expect(source.stored.values().toArray()).toContainEqual(
      expect.objectContaining({ type: 'notice', state: 'suppressed', mutedBy: ['nights'] }),
    );
    source.answers(well({ ...given, groups: failed('It answers with HTTP 404.') }));
    await source.pass(20);
    expect(source.stored.values().toArray()).toContainEqual(
      expect.objectContaining({ type: 'notice', state: 'untold' }),
    );
    const reason =
      'http://am does not say whether a time interval mutes 1 alert: Alertmanager does since 0.28, under /api/v2/alerts/groups.';
    expect(source.batches.flatMap(({ coverage }) => coverage).at(-1)).toMatchObject({ read: false, reason });
  });

  it('puts nothing again where nothing differs, whatever the order is and whatever was sent again', async () => {
    const labels = { alertname: 'FluxFailing', name: 'infra' };
    const alerts = [alertAnswer(), alertAnswer({ labels })];
    const notices = [noticeAnswer(), noticeAnswer({ fingerprint: 'b', labels })];
    const rules = (at: number, list = alerts) => [
      ruleAnswer({ alerts: list, lastEvaluation: new Date(at).toISOString() }),
      ruleAnswer({ name: 'Other', query: 'gotk_b', lastEvaluation: new Date(at).toISOString() }),
    ];
    const scope = [series, { ...series, name: 'infra' }];
    const source = playedSource({ answer: well({ rules: rules(start), notices, scope }) });
    await source.pass(16);
    source.taken();
    source.answers(
      well({
        rules: rules(start + 30_000, alerts.toReversed()).toReversed(),
        notices: notices.map((each) => ({ ...each, endsAt: '2026-11-21T02:09:00Z' })).toReversed(),
        scope: scope.toReversed(),
      }),
    );
    await source.pass(20);
    expect(moved(source.taken())).toEqual([]);
    await source.pass(30);
    // The time of its evaluation is told anew before it is too old to be believed.
    expect(put(source.taken()).map((fact) => [fact.type, 'evaluatedAt' in fact && fact.evaluatedAt])).toEqual([
      ['rule', start + 30_000],
      ['rule', start + 30_000],
    ]);
  });

  it('goes on from what is stored: nothing that is as it was is put, and what is no more is removed', async () => {
    const before = playedSource({ answer: well() });
    await before.pass(3);
    const stored = structuredClone([...before.stored.values()]);
    const gone: AlarmFact = { type: 'scope-standing', key: 'gotk_gone', series: 0, reason: null };
    const other: AlarmFact = {
      type: 'receiver',
      key: 'http://old-am x',
      alertmanager: 'http://old-am',
      name: 'x',
      calls: [],
    };
    const source = playedSource({
      answer: well(),
      clock: fakeClock(start + 5_000),
      stored: { ...nothingStored, facts: [...stored, gone, other] },
    });
    await source.pass(3);
    expect(put(source.batches)).toEqual([]);
    expect(source.batches.flatMap(({ removed }) => removed).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'receiver/http://old-am x',
      'scope-standing/gotk_gone',
    ]);
  });

  it('keeps what it knew where a program fails, says why, and believes it no longer than a minute', async () => {
    const source = playedSource({ answer: well() });
    await source.pass(3);
    source.taken();
    source.answers((path, parameters, address) =>
      address === 'http://am' ? failed('It answers /api/v2/alerts with HTTP 503.') : well()(path, parameters, address),
    );
    await source.pass(60);
    const batches = source.taken();
    expect(moved(batches).filter((each) => typeof each === 'string' || each.type === 'notice')).toEqual([]);
    expect(lastSource(batches)?.programs).toMatchObject([
      { program: 'prometheus', state: 'live' },
      {
        program: 'alertmanager',
        state: 'failed',
        reason: 'It answers /api/v2/alerts with HTTP 503.',
        readAt: start + 1_000,
        validUntil: start + 61_000,
      },
    ]);
    expect(batches.flatMap(({ coverage }) => coverage)).toMatchObject([
      { read: false, at: start + 16_000, reason: 'http://am: It answers /api/v2/alerts with HTTP 503.' },
    ]);
    source.answers(well());
    await source.pass(16);
    expect(source.taken().flatMap(({ coverage }) => coverage)).toMatchObject([{ read: true }]);
  });

  it('a program that hangs delays no other', async () => {
    const hanging: Answering = (path, parameters, address) =>
      address === 'http://p' ? null : well()(path, parameters, address);
    const source = playedSource({ answer: hanging });
    await source.pass(60);
    const times = (path: string) =>
      source.asked.filter((each) => each.path === path).map(({ at }) => (at - start) / 1_000);
    expect(times('/api/v2/alerts')).toEqual([1, 16, 31, 46]);
    expect(times('/api/v1/rules')).toEqual([1, 16, 31, 46]);
    expect(times('/api/v1/query')).toEqual([]);
    expect(types(source.stored.values())).toEqual(['notice', 'receiver', 'receiver', 'routing']);
  });

  it('scopes that hang delay the rules by one answer at most, and their objects are not known', async () => {
    const rules = Array.from({ length: 10 }, (_, index) => ruleAnswer({ name: `r${index}`, query: `gotk_${index}` }));
    const source = playedSource({
      answer: (path, parameters, address) =>
        path === '/api/v1/query' ? null : well({ rules })(path, parameters, address),
    });
    await source.pass(60);
    const times = source.asked.filter(({ path }) => path === '/api/v1/rules').map(({ at }) => (at - start) / 1_000);
    expect(times.length).toBeGreaterThanOrEqual(3);
    expect(times.every((time, index) => index === 0 || time - (times[index - 1] ?? 0) <= 26)).toBe(true);
    expect([...source.stored.values()].filter(({ type }) => type === 'scope-standing').length).toBeGreaterThan(3);
    expect([...source.stored.values()].find(({ type }) => type === 'scope-standing')).toMatchObject({
      series: null,
      reason: 'It did not answer within 10 s.',
    });
  });

  it('asks for no more scopes than its bound, everything that is exported first', async () => {
    const rules = Array.from({ length: 60 }, (_, index) =>
      ruleAnswer({ name: `r${index}`, query: `gotk_a{name="${index}"}` }),
    );
    const source = playedSource({ answer: well({ rules }) });
    await source.pass(5);
    const queries = source.asked.flatMap(({ query }) => (query === '' ? [] : [query.split(' (').at(-1)]));
    expect(queries).toHaveLength(50);
    expect(queries[0]).toMatch(/^\{__name__!~/);
    expect(lastSource(source.batches)?.cut).toEqual(['Its rules read 61 sets of series; 50 of them are asked for.']);
    expect(source.batches.flatMap(({ coverage }) => coverage).every(({ read }) => !read)).toBe(true);
  });

  it('forgets a scope that no rule has any more', async () => {
    const source = playedSource({ answer: well() });
    await source.pass(3);
    source.answers(well({ rules: [] }));
    source.taken();
    await source.pass(15);
    expect(
      source
        .taken()
        .flatMap(({ removed }) => removed)
        .toSorted((a, b) => a.localeCompare(b)),
    ).toMatchObject(
      [/^alert/, 'rule/', 'scope-standing/gotk_resource_info', 'scope/eu gotk_resource_info'].map((text) =>
        expect.stringMatching(text),
      ),
    );
  });

  it('tells calls: they begin and end with readings, and stay open while an Alertmanager cannot be read', async () => {
    const source = playedSource({ answer: well() });
    await source.pass(3);
    const call = { key: 'http://am 3b15fd163d36582e', from: start + 1_000, receivers: ['oncall'], cluster: 'eu' };
    expect(source.taken().flatMap(({ calls }) => calls)).toMatchObject([{ ...call, to: null }]);
    source.answers(() => failed('It cannot be reached.'));
    await source.pass(120);
    expect(source.taken().flatMap(({ calls }) => calls)).toEqual([]);
    source.answers(well({ notices: [] }));
    await source.pass(15);
    expect(source.taken().flatMap(({ calls }) => calls)).toMatchObject([{ ...call, to: expect.any(Number) }]);
  });

  it('goes on with calls that are stored, and ends those of an Alertmanager that is read no longer', async () => {
    const open = {
      source: 'main',
      alert: 'FluxFailing',
      labels: {},
      cluster: 'eu',
      receivers: ['oncall'],
      readsObjects: true,
      startsAt: Date.parse('2026-11-21T01:55:00Z'),
      from: start - 60_000,
      to: null,
    };
    const openCalls = [
      { ...open, key: 'http://am 3b15fd163d36582e' },
      { ...open, key: 'http://old-am 3b15fd163d36582e' },
    ];
    const source = playedSource({ answer: well(), stored: { ...nothingStored, openCalls } });
    await source.pass(3);
    expect(source.batches.flatMap(({ calls }) => calls)).toEqual([
      { ...open, key: 'http://old-am 3b15fd163d36582e', to: start },
    ]);
  });

  it('nobody is known to be called before receivers are known', async () => {
    const source = playedSource({
      answer: (path, parameters, address) =>
        path === '/api/v2/status'
          ? failed('It does not let us read /api/v2/status (HTTP 403).')
          : well()(path, parameters, address),
    });
    await source.pass(40);
    expect(source.batches.flatMap(({ calls }) => calls)).toEqual([]);
    expect(lastSource(source.batches)?.programs).toMatchObject([{ state: 'live' }, { state: 'failed' }]);
  });

  it('calls neither begin nor end while it cannot be read whom receivers call', async () => {
    const routing: AlarmFact = {
      ...{ type: 'receiver', key: 'http://am oncall', alertmanager: 'http://am' },
      ...{ name: 'oncall', calls: ['pagerduty'] },
    };
    const refusing =
      (notices: readonly unknown[]): Answering =>
      (path, parameters, address) =>
        path === '/api/v2/status' ? failed('no') : well({ notices })(path, parameters, address);
    const source = playedSource({
      answer: refusing([noticeAnswer()]),
      stored: { ...nothingStored, facts: [routing] },
    });
    await source.pass(20);
    expect(source.taken().flatMap(({ calls }) => calls)).toEqual([]);
    source.answers(well());
    await source.pass(15);
    expect(source.taken().flatMap(({ calls }) => calls)).toHaveLength(1);
    source.answers(refusing([]));
    await source.pass(60);
    const sinceRefused = source.taken().flatMap(({ calls, at }) => calls.map(({ to }) => [to, at]));
    source.answers(well({ notices: [] }));
    await source.pass(15);
    expect([...sinceRefused, ...source.taken().flatMap(({ calls }) => calls)]).toHaveLength(1);
  });

  it('asks for no scope while the rules cannot be read', async () => {
    const source = playedSource({ answer: well() });
    await source.pass(3);
    source.answers((path, parameters, address) =>
      path === '/api/v1/rules' ? failed('no') : well()(path, parameters, address),
    );
    await source.pass(20);
    const before = source.asked.length;
    await source.pass(120);
    expect(source.asked.slice(before).filter(({ path }) => path === '/api/v1/query')).toEqual([]);
  });

  it('reads nothing new while what it read cannot be stored, loses none of it, and says when it was blind', async () => {
    let isFull = false;
    const source = playedSource({
      answer: well(),
      write: () => (isFull ? Promise.reject(new Error('the disk is full')) : Promise.resolve()),
    });
    await source.pass(3);
    source.taken();
    isFull = true;
    source.answers(well({ notices: [] }));
    await source.pass(300);
    const asked = source.asked.length;
    await source.pass(300);
    expect(source.asked.length).toBe(asked);
    isFull = false;
    await source.pass(25);
    const batches = source.taken();
    expect(batches.flatMap(({ calls }) => calls)).toMatchObject([{ from: start + 1_000, to: start + 16_000 }]);
    expect(batches.flatMap(({ removed }) => removed)).toEqual(['notice/http://am 3b15fd163d36582e']);
    expect(batches.flatMap(({ coverage }) => coverage).map(({ read, at }) => [read, (at - start) / 1_000])).toEqual([
      [false, 76],
      [true, expect.any(Number)],
    ]);
  });

  it('a fault of ours in a reading is a failure of that program, told and logged, and ends no other reading', async () => {
    const broken = {
      get data(): unknown {
        throw new Error('a fault of ours');
      },
      status: 'success',
    };
    const errors: string[] = [];
    const log = { ...silentLog, error: (_: object, message: string) => void errors.push(message) };
    let isBroken = true;
    const source = playedSource({
      log,
      answer: (path, parameters, address) =>
        path === '/api/v1/rules' && isBroken ? answered(broken) : well()(path, parameters, address),
    });
    await source.pass(3);
    expect(lastSource(source.batches)?.programs).toMatchObject([
      { state: 'failed', reason: 'What it answered could not be read.' },
      { state: 'live' },
    ]);
    expect(errors).toEqual(['an answer of an alarm source could not be read']);
    isBroken = false;
    await source.pass(15);
    expect(lastSource(source.batches)?.programs).toMatchObject([{ state: 'live' }, { state: 'live' }]);
  });

  it('writes once more what is known when it stops, and asks nothing after', async () => {
    const source = playedSource({ answer: well() });
    await source.pass(3);
    source.taken();
    source.answers(() => null);
    await source.pass(14);
    await source.stop();
    expect(source.taken().flatMap(({ coverage }) => coverage)).toMatchObject([
      { read: false, at: start + 17_000, reason: 'Plumbline has stopped.' },
    ]);
    const asked = source.asked.length;
    source.clock.advance(120_000);
    await settled();
    expect(source.asked.length).toBe(asked);
  });

  it('two Alertmanagers that share a silence tell it once; it is gone once neither has it', async () => {
    const silence = {
      id: 's',
      status: { state: 'active' },
      startsAt: '2026-11-21T01:00:00Z',
      endsAt: '2026-11-21T05:00:00Z',
      matchers: [],
    };
    const entry = { prometheus: null, alertmanagers: ['http://a', 'http://b'] };
    const source = playedSource({ entry, answer: well({ silences: [silence] }) });
    await source.pass(3);
    expect(types(source.stored.values()).filter((type) => type === 'silence')).toHaveLength(1);
    source.answers((path, parameters, address) =>
      well({ silences: address === 'http://a' ? [] : [silence] })(path, parameters, address),
    );
    await source.pass(15);
    expect(types(source.stored.values()).filter((type) => type === 'silence')).toHaveLength(1);
    source.answers(well());
    await source.pass(15);
    expect(types(source.stored.values())).not.toContain('silence');
  });

  it('a source that writes more than it may is not read for an hour, is known not to be whole, and is read anew then', async () => {
    let startsAt = start;
    const restarting: Answering = (path, parameters, address) => {
      startsAt += 1_000;
      const notices = [noticeAnswer({ startsAt: new Date(startsAt).toISOString() })];
      return well({ notices })(path, parameters, address);
    };
    const limits = [{ rows: 'calls', least: 10, each: 0 }];
    const source = playedSource({ answer: restarting, limits });
    await source.pass(300);
    const asked = source.asked.length;
    const reason = 'It brought 11 calls within the hour; at most 10 are recorded, and it is not read for 10 min.';
    expect(lastSource(source.batches)?.cut).toEqual([reason]);
    expect(source.batches.flatMap(({ coverage }) => coverage).at(-1)).toMatchObject({ read: false, reason });
    await source.pass(400);
    expect(source.asked.length).toBe(asked);
    source.answers(well());
    await source.pass(300);
    expect(source.asked.length).toBeGreaterThan(asked);
    expect(lastSource(source.batches)?.cut).toEqual([]);
    expect(source.batches.flatMap(({ coverage }) => coverage).at(-1)).toMatchObject({ read: true });
  });

  it('may not bring more letters than so many either: few calls with long labels, and few rules that are told anew', async () => {
    const limited = (which: string) =>
      alarmLimits.map((limit) => (limit.rows.startsWith(which) ? { ...limit, least: 3_000_000, each: 0 } : limit));
    const long = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`l${at}`, 'x'.repeat(1_000)]));
    let reading = 0;
    const calling: Answering = (path, parameters, address) => {
      reading += 1;
      const notices = Array.from({ length: 20 }, (_, at) =>
        noticeAnswer({ fingerprint: `f${at}-${reading}`, labels: { ...long, alertname: 'FluxFailing' } }),
      );
      return well({ notices })(path, parameters, address);
    };
    const calls = playedSource({ answer: calling, limits: limited('letters of calls') });
    await calls.pass(120);
    expect(lastSource(calls.batches)?.cut[0]).toMatch(/^It brought \d,\d{3},\d{3} letters of calls within the hour; /);
    const renewing: Answering = (path, parameters, address) => {
      reading += 1;
      const rules = Array.from({ length: 20 }, () => ruleAnswer({ labels: { ...long, reading: String(reading) } }));
      return well({ rules })(path, parameters, address);
    };
    const rules = playedSource({ answer: renewing, limits: limited('letters of rules') });
    await rules.pass(120);
    expect(lastSource(rules.batches)?.cut[0]).toMatch(/^It brought \d,\d{3},\d{3} letters of rules, alerts, silences /);
  });
});
