import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AlarmFact, Matcher, RuleFact } from '#lib/domain/alarm/fact.ts';
import { objectHash } from '#lib/domain/alarm/object-hash.ts';
import { exportedScope } from '#lib/domain/alarm/selector/scope.ts';
import type { AlarmSource, ProgramStanding } from '#lib/domain/alarm/source.ts';
import { minute } from '#lib/domain/time/length.ts';
import { rulesAnswer, vectorAnswer } from '#server/collector/alarms/testing/answers.ts';
import { programServer } from '#server/collector/alarms/testing/program-server.ts';
import { objectMetrics } from '#server/config/alarms-schema.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { clusterSource } from '#server/store/port/port.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { alarmBatchOf, alarmLease } from '#test/contract/alarms/alarm-records.ts';
import { batchOf, noon, objectOf, refOf, withDetails } from '#test/contract/store-records.ts';
import { runLine } from '../../testing/run-line.ts';
import { sourcesOnce } from './sources-once.ts';

const cluster = 'eu-west-3';
const prometheus = 'http://prometheus:9090';
const alertmanager = 'http://alertmanager:9093';
const scopeOfAll = exportedScope(objectMetrics);
const refs = [refOf(cluster, 0), refOf(cluster, 1)];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-rules-check-'));
  await writeFile(join(folder, 'plumbline.yaml'), `alarms: [{ name: main, prometheus: "${prometheus}" }]\n`);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const nothing = { KUBECONFIG: 'FOLDER/none', PLUMBLINE_CONFIG: 'FOLDER/plumbline.yaml', PLUMBLINE_DATA: 'FOLDER' };
const check = (...args: readonly string[]) => runLine(folder, ['rules', '--check', ...args], nothing);

const notReady: readonly Matcher[] = [{ name: 'ready', operator: '!=', value: 'True' }];

function rule(rest: Partial<RuleFact> = {}): RuleFact {
  return {
    type: 'rule',
    key: 'r',
    name: 'FluxReconciliationFailure',
    group: 'g',
    file: 'f',
    query: 'max by (cluster, name) (gotk_resource_info{ready!="True"}) == 1',
    holds: 10 * minute,
    interval: minute,
    labels: { severity: 'critical' },
    health: 'ok',
    error: null,
    evaluatedAt: systemClock.now(),
    selectors: [{ metric: 'gotk_resource_info', scope: 'gotk_resource_info', states: notReady }],
    keeps: ['cluster', 'customresource_kind', 'exported_namespace', 'name'],
    firedAt: null,
    ...rest,
  };
}

function standing(key: string, series: number | null): AlarmFact {
  return { type: 'scope-standing', key, series, reason: series === null ? 'It did not answer within 10 s.' : null };
}

function scope(key: string): readonly AlarmFact[] {
  const hashes = refs.map(({ namespace, name }) => objectHash(namespace, name)).toSorted((a, b) => a - b);
  const objects = { kustomization: hashes };
  return [{ type: 'scope', key: `${key} ${cluster}`, scope: key, cluster, series: 2, objects }, standing(key, 2)];
}

const exported = [...scope(scopeOfAll), ...scope('gotk_resource_info')];
const routed: readonly AlarmFact[] = [
  {
    type: 'routing',
    key: alertmanager,
    root: { receiver: 'pager', matchers: [], continues: false, isWhole: true, routes: [] },
  },
  { type: 'receiver', key: `${alertmanager} pager`, alertmanager, name: 'pager', calls: ['pagerduty'] },
];
/** NotAsInGit as plumbline rules writes it. */
const counts = rule({
  key: 'count',
  name: 'NotAsInGit',
  query: 'sum by (cluster, group, kind, since) (plumbline_objects_since{verdict=~"diverged|stale"}) > 0',
  selectors: [],
});
const sound = [rule(), counts, ...exported, ...routed];

function program(rest: Partial<ProgramStanding> = {}): ProgramStanding {
  const now = systemClock.now();
  const times = { since: now, readAt: now, validUntil: now + 10 * minute };
  return { program: 'prometheus', url: prometheus, state: 'live', reason: null, ...times, ...rest };
}

async function recorded(facts: readonly AlarmFact[], rest: Partial<AlarmSource> = {}): Promise<void> {
  const writer = openSqliteWriter({ path: join(folder, 'plumbline.db'), log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  const lease = await writer.acquire(clusterSource(cluster), 'host-7', noon, 60_000);
  if (lease === null) throw new Error('no lease');
  await writer.write(lease, batchOf({ objects: withDetails(refs.map((ref) => objectOf(ref))) }));
  const attribution = { label: 'cluster', aliases: {}, clusters: [] };
  const source = { name: 'main', attribution, programs: [program()], cut: [], ...rest };
  await writer.writeAlarms(await alarmLease(writer, 'main'), alarmBatchOf({ source, put: facts }));
  await writer.close();
}

describe('plumbline rules --check', () => {
  it('says nothing but how many are sound where each is alarmed on', async () => {
    await recorded(sound);
    expect(await check()).toEqual({
      code: 0,
      out: [],
      said: ['Of 1 kind on a cluster: 0 with a gap, 0 unclear, 1 sound. 0 dead rules.'],
    });
  });

  it('names each gap with its mend', async () => {
    await recorded([counts, ...exported, ...routed]);
    expect(await check()).toEqual({
      code: 1,
      out: [
        expect.stringMatching(/^GAP +CLUSTER OR SOURCE +KIND OR RULE +OBJECTS$/),
        'not-read  eu-west-3          Kustomization.kustomize.toolkit.fluxcd.io  2 of 2   No rule in main reads ready of Kustomization. Load the rules that plumbline rules writes.',
      ],
      said: ['Of 1 kind on a cluster: 1 with a gap, 0 unclear, 0 sound. 0 dead rules.'],
    });
  });

  it('names a rule that calls once for many, and that none finds what is stale', async () => {
    const once = rule({ ...counts, query: 'sum by (cluster, kind) (plumbline_objects{verdict=~"diverged"}) > 0' });
    await recorded([rule(), once, ...exported, ...routed]);
    const { code, out, said } = await check();
    expect([code, out.length]).toEqual([1, 3]);
    expect(out[1]).toMatch(/^once +main +NotAsInGit +Rule NotAsInGit has one alert .* label since/);
    expect(out[2]).toMatch(/^stale +No rule that is evaluated, .* Load plumbline.yaml/);
    expect(said).toEqual([
      'Of 1 kind on a cluster: 0 with a gap, 0 unclear, 1 sound. 0 dead rules. 2 gaps of rules that count.',
    ]);
  });

  it('names each dead rule', async () => {
    const gone = 'gotk_reconcile_condition';
    const dead = rule({ key: 'd', name: 'Old', selectors: [{ metric: gone, scope: gone, states: notReady }] });
    await recorded([...sound, dead, standing(gone, 0)]);
    const { code, out, said } = await check();
    expect([code, out.length]).toEqual([1, 2]);
    expect(out[1]).toMatch(/^dead +main +Old +Rule Old reads gotk_reconcile_condition, .* Flux has removed/);
    expect(said).toEqual(['Of 1 kind on a cluster: 0 with a gap, 0 unclear, 1 sound. 1 dead rule.']);
  });

  it.each<readonly [string, readonly AlarmFact[], Partial<AlarmSource>, string]>([
    [
      'was not read of late',
      sound,
      { programs: [program({ validUntil: 1 })] },
      `main: ${prometheus}: it was not read whole of late.`,
    ],
    [
      'cannot be read',
      [],
      { programs: [program({ state: 'failed', reason: 'It refuses.' })] },
      `main: ${prometheus}: It refuses.`,
    ],
    ['is read at another address', sound, { programs: [] }, `main: nothing is known of ${prometheus}.`],
    ['was cut short', routed, { cut: ['It has 9,000 rules.'] }, 'main: It has 9,000 rules.'],
    ['was not asked for its series yet', [rule(), ...routed], {}, 'main: its series have not all been asked for yet.'],
  ])('is unclear where a source %s', async (_, facts, rest, lack) => {
    await recorded(facts, rest);
    const { code, out, said } = await check();
    expect([code, out.length]).toEqual([2, 2]);
    expect(out[1]).toMatch(/^unclear +eu-west-3 +Kustomization/);
    expect(said).toEqual([
      `Not known: ${lack}`,
      'Of 1 kind on a cluster: 0 with a gap, 1 unclear, 0 sound. 0 dead rules.',
    ]);
  });

  it('is unclear where a source did not tell its series', async () => {
    await recorded([rule(), counts, standing(scopeOfAll, null), standing('gotk_resource_info', null), ...routed]);
    const { code, out } = await check();
    expect(code).toBe(2);
    expect(out[1]).toContain('main did not tell its series of ');
  });

  it('knows nothing of a source that is configured and not recorded, and takes none that is recorded alone', async () => {
    await writeFile(join(folder, 'plumbline.yaml'), `alarms: [{ name: other, prometheus: "${prometheus}" }]\n`);
    await recorded(sound);
    const { code, said } = await check();
    expect([code, said[0]]).toEqual([2, 'Not known: other: nothing is known of it.']);
  });

  it('says what to write where no alarm source is configured', async () => {
    await writeFile(join(folder, 'plumbline.yaml'), 'publicUrl: https://plumbline.example.org\n');
    await recorded(sound);
    const { code, out, said } = await check();
    expect([code, out]).toEqual([78, []]);
    expect(said[1]).toBe(
      'alarms: [{ prometheus: "http://prometheus:9090", alertmanager: "http://alertmanager:9093" }]',
    );
    await writeFile(join(folder, 'plumbline.yaml'), said[1] ?? '');
    expect((await check()).code).toBe(2);
  });

  it('compares one cluster alone, and refuses one that is not known', async () => {
    await recorded(sound);
    expect((await check('--cluster', cluster)).code).toBe(0);
    expect(await check('--cluster', 'eu-west-4')).toEqual({
      code: 64,
      out: [],
      said: ['No check: no object on a cluster eu-west-4 is known. There are: eu-west-3.'],
    });
  });

  it.each([
    ['--output', 'FOLDER/a'],
    ['--format', 'prometheus'],
    ['--all-kinds'],
    ['--source', 'main'],
    ['--context', 'eu-west-3'],
    ['--all-contexts'],
  ])('refuses %s: it writes nothing, and contexts name no alarm source', async (...args) => {
    expect((await check(...args)).code).toBe(64);
  });
});

describe('a look at alarm sources', () => {
  const entry = (url: string) => ({
    name: 'main',
    prometheus: url,
    alertmanagers: [],
    attribution: { label: 'cluster', aliases: {}, clusters: [] },
    tokenFile: null,
    ca: null,
    tenant: null,
    metrics: objectMetrics,
  });
  const deps = { clock: systemClock, log: silentLog };

  it('waits for the rules and the series of each, or for its failure', async () => {
    const url = await programServer((request, response) => {
      const isRules = request.url?.startsWith('/api/v1/rules') === true;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(isRules ? rulesAnswer([]) : vectorAnswer([])));
    });
    const away = await programServer((_, response) => void response.writeHead(503).end());
    const entries = [entry(url), { ...entry(away), name: 'away' }];
    const told = await sourcesOnce(entries, { ...deps, within: 20_000 });
    expect(told.of('main')).toMatchObject({
      source: { programs: [{ state: 'live' }] },
      facts: [{ type: 'scope-standing', key: scopeOfAll, series: 0 }],
    });
    expect(told.of('away')).toMatchObject({ source: { programs: [{ state: 'failed' }] }, facts: [] });
  });

  it('ends in time where one does not answer', async () => {
    const url = await programServer(() => undefined);
    const told = await sourcesOnce([entry(url)], { ...deps, within: 50 });
    expect(told.of('main')).toMatchObject({ source: { programs: [{ state: 'reading' }] }, facts: [] });
  });
});
