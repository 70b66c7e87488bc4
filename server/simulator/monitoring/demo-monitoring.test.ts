import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Labels } from '#lib/domain/alarm/fact.ts';
import { compareText } from '#lib/domain/observation/compare-text.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { minute, second } from '#lib/domain/time/length.ts';
import { isForeignObject, listAt, textAt, timeAt } from '#lib/foreign.ts';
import { fakeClock } from '../../runtime/fake-clock.ts';
import type { FakeClock } from '../../runtime/fake-clock.ts';
import { silentLog } from '../../runtime/log.ts';
import { startSimulator } from '../main.ts';
import type { Simulator } from '../main.ts';
import type { TrueAlarm } from '../truth.ts';
import { mistakes } from './demo-intention.ts';

const running: { readonly simulator: Simulator; readonly directory: string }[] = [];
const alarmWithin = 10 * minute;

afterEach(async () => {
  for (const { simulator, directory } of running.splice(0)) {
    await simulator.stop();
    rmSync(directory, { recursive: true, force: true });
  }
});

async function start(story: true | 'opening'): Promise<{ simulator: Simulator; clock: FakeClock }> {
  const clock = fakeClock();
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-monitoring-'));
  const simulator = await startSimulator({ clock, log: silentLog, directory, story });
  running.push({ simulator, directory });
  return { simulator, clock };
}

async function ask(simulator: Simulator, path: string): Promise<unknown> {
  const address = simulator.monitoring?.server.url(path) ?? '';
  const response = await fetch(address);
  return response.json();
}

function labelsOf(one: unknown): Labels {
  const labels = isForeignObject(one) && isForeignObject(one['labels']) ? one['labels'] : {};
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}

/** Everything that both programs say at a moment. */
interface Said {
  readonly rules: readonly unknown[];
  readonly alerts: readonly (Labels & { readonly state: string })[];
  readonly notices: readonly unknown[];
  /** Objects that have series. */
  readonly exported: ReadonlySet<string>;
}

/** The object that the labels of a series name. */
function nameOf(labels: Labels): string {
  return ['cluster', 'customresource_group', 'customresource_kind', 'exported_namespace', 'name']
    .map((name) => labels[name] ?? '')
    .join('/');
}

async function read(simulator: Simulator): Promise<Said> {
  const answer = await ask(simulator, '/prometheus/api/v1/rules?type=alert');
  const rules = listAt(answer, 'data', 'groups').flatMap((group) => listAt(group, 'rules'));
  const alerts = rules.flatMap((rule) =>
    listAt(rule, 'alerts').map((one) => ({ ...labelsOf(one), state: textAt(one, 'state') ?? '' })),
  );
  const notices = await ask(simulator, '/alertmanager/api/v2/alerts');
  const names = 'cluster, customresource_group, customresource_kind, exported_namespace, name';
  const asked = encodeURIComponent(`group by (${names}) ({__name__=~"gotk_.+|crossplane_.+"})`);
  const found = await ask(simulator, `/prometheus/api/v1/query?query=${asked}`);
  return {
    rules,
    alerts,
    notices: Array.isArray(notices) ? notices : [],
    exported: new Set(
      listAt(found, 'data', 'result').map((one) =>
        nameOf(labelsOf({ labels: isForeignObject(one) ? one['metric'] : {} })),
      ),
    ),
  };
}

function names(ref: ObjectRef, labels: Labels): boolean {
  return (
    labels['cluster'] === ref.cluster &&
    labels['customresource_kind'] === ref.kind &&
    (labels['customresource_group'] ?? ref.group) === ref.group &&
    (labels['exported_namespace'] ?? '') === ref.namespace &&
    labels['name'] === ref.name
  );
}

/** Receivers of the demo that call somebody. */
const calling: ReadonlySet<string> = new Set(['oncall', 'platform-channel']);

function heldBack(notice: unknown): string {
  if (listAt(notice, 'status', 'silencedBy').length > 0) return 'silence';
  if (listAt(notice, 'status', 'inhibitedBy').length > 0) return 'inhibition';
  const isCalling = listAt(notice, 'receivers').some((one) => calling.has(textAt(one, 'name') ?? ''));
  return isCalling ? 'sounding' : 'receiver';
}

/** State of an object's own alarm by the programs' answers alone, and whether it has series. */
function ownAlarm(said: Said, ref: ObjectRef): string {
  const notices = said.notices.filter((one) => names(ref, labelsOf(one)));
  const told = notices.map(heldBack);
  if (told.includes('sounding')) return 'sounding';
  const [first] = told;
  if (first !== undefined) return first;
  const alerts = said.alerts.filter((one) => names(ref, one));
  if (alerts.some(({ state }) => state === 'firing')) return 'delivery';
  if (alerts.length > 0) return 'hold';
  const { cluster, group, kind, namespace, name } = ref;
  return said.exported.has([cluster, group, kind, namespace, name].join('/')) ? 'no alert' : 'series';
}

/** Links at which an alarm leaves no trace but that there is none. */
const silently: ReadonlySet<string> = new Set(['rule', 'evaluation', 'condition']);

function meant(alarm: TrueAlarm): string {
  switch (alarm.state) {
    case 'sounding':
      return alarm.by === 'own' ? 'sounding' : alarm.by;
    case 'pending':
    case 'silent':
      return silently.has(alarm.broken) ? 'no alert' : alarm.broken;
    case 'not-due':
    case 'unknown':
      return alarm.state;
  }
}

function isSaid(said: Said, ref: ObjectRef, alarm: TrueAlarm): boolean {
  const own = ownAlarm(said, ref);
  const wanted = meant(alarm);
  if (wanted === 'unknown') return true;
  if (wanted === 'group') return said.notices.some((one) => labelsOf(one)['alertname'] === 'CrossplaneManyNotSynced');
  if (wanted === 'cause') return own !== 'sounding';
  if (wanted === 'not-due') return own !== 'sounding' && own !== 'delivery';
  return own === wanted;
}

/** Alarms that the script means and the programs do not have, of all that has settled. */
async function lies(simulator: Simulator, clock: FakeClock): Promise<readonly string[]> {
  const said = await read(simulator);
  const left = new Set(['payments', 'cert-manager', 'policy', 'external-dns']);
  return simulator.alarmTruth(clock.now(), alarmWithin).flatMap(({ ref, alarm, alsoRight, settled }) => {
    const isMeant = [alarm, ...alsoRight].some((one) => isSaid(said, ref, one));
    const isKnown = alarm.state === 'not-due' && left.has(ref.name);
    if (!settled || isMeant || isKnown) return [];
    return [`${ref.cluster}/${ref.kind}/${ref.name} is meant ${meant(alarm)}, and is ${ownAlarm(said, ref)}`];
  });
}

/** Alarms that the script means, by state and link: their objects, or how many of them where they are many on one cluster. */
function foundOf(simulator: Simulator, clock: FakeClock): { [words: string]: readonly string[] | string } {
  const found: { [words: string]: string[] } = {};
  for (const { ref, alarm } of simulator.alarmTruth(clock.now(), alarmWithin)) {
    if (alarm.state === 'not-due') continue;
    const more = alarm.state === 'sounding' ? alarm.by : alarm.state === 'unknown' ? alarm.why : alarm.broken;
    (found[`${alarm.state} ${more}`] ??= []).push(`${ref.cluster}/${ref.kind}/${ref.name}`);
  }
  const few = (all: readonly string[]): readonly string[] | string =>
    all.length < 3 ? all : `on ${[...new Set(all.map((one) => one.split('/')[0]))].join(', ')}: ${all.length}`;
  return Object.fromEntries(Object.entries(found).map(([words, all]) => [words, few(all)]));
}

describe('the monitoring of the demo', { timeout: 90_000 }, () => {
  it('begins with one of each', async () => {
    const { simulator, clock } = await start('opening');
    expect(foundOf(simulator, clock)).toEqual({
      'sounding own': ['eu-west-3/Kustomization/checkout'],
      'sounding cause': ['eu-west-3/Kustomization/web'],
      'silent silence': ['us-east-2/Kustomization/search'],
      'silent inhibition': ['us-east-1/Kustomization/search'],
      'silent receiver': ['stg-us/HelmRelease/mail'],
      'silent hold': ['ap-south-1/Kustomization/monitoring'],
      'pending hold': ['stg-eu/Kustomization/catalogue'],
      'pending series': ['us-east-2/Instance/checkout-us-east-2'],
      'pending delivery': ['eu-central-1b/Role/checkout-eu-central-1b'],
      'unknown not-read': ['stg-ap/Kustomization/web'],
      'silent evaluation': 'on stg-edge: 12',
      'silent rule': 'on stg-edge: 13',
      'silent condition': 'on stg-edge: 5',
    });
    expect(await lies(simulator, clock)).toEqual([]);
  });

  it('has an alarm for what is gone, one for what is in order, and a silence that nothing needs', async () => {
    const { simulator, clock } = await start('opening');
    const { notices } = await read(simulator);
    const left = notices.map(labelsOf).filter((labels) => labels['prometheus'] === 'fleet-old');
    const { orphans, silences: needless } = mistakes;
    expect(left.map((labels) => `${labels['cluster']}/${labels['name']}`).toSorted(compareText)).toEqual(
      orphans.map(({ cluster, name }) => `${cluster}/${name}`),
    );
    const truth = simulator.truth(clock.now());
    const verdictOf = (cluster: string, name: string): string =>
      truth.find(({ ref }) => ref.cluster === cluster && ref.name === name)?.verdict ?? 'gone';
    expect(orphans.map(({ cluster, name }) => verdictOf(cluster, name))).toEqual(orphans.map((one) => one.is));
    expect(needless.map(({ cluster, name }) => verdictOf(cluster, name))).toEqual(['converged']);
    const silences = await ask(simulator, '/alertmanager/api/v2/silences');
    const all = Array.isArray(silences) ? silences : [];
    expect(all.map((one) => `${textAt(one, 'status', 'state')}: ${textAt(one, 'comment')}`)).toEqual([
      'active: search warms its index, this takes its time',
      'active: until ingress-nginx 4.11 is rolled back',
      'expired: move of the session store',
    ]);
    expect(textAt(all[1], 'id')).toBe(needless[0].id);
    expect(notices.some((one) => labelsOf(one)['name'] === needless[0].name)).toBe(false);
  });

  it('has a dead rule that looks like any other, one that fails, and a source that is not available', async () => {
    const { simulator } = await start('opening');
    const { rules } = await read(simulator);
    const standing = (name: string): string => {
      const found = rules.find((rule) => textAt(rule, 'name') === name);
      return `${textAt(found, 'health')} ${textAt(found, 'state')}`;
    };
    expect(standing(mistakes.rules.dead)).toBe('ok inactive');
    expect(standing(mistakes.rules.failing)).toBe('err inactive');
    expect(standing(mistakes.rules.resetForEver)).toBe('ok pending');
    const series = await ask(simulator, '/prometheus/api/v1/series?match[]=gotk_reconcile_condition');
    expect(series).toEqual({ status: 'success', data: [] });
    const alone = simulator.monitoring?.sources.at(-1);
    expect([alone?.name, alone?.clusters]).toEqual(['stg-ap', ['stg-ap']]);
    const answer = await fetch(`${alone?.prometheus}/api/v1/rules?type=alert`);
    expect([answer.status, await answer.text()]).toEqual([503, 'Service Unavailable']);
  });

  it('dates its alarms as the story does: since the fault began, not since the start', async () => {
    const { simulator, clock } = await start('opening');
    const answer = await ask(simulator, '/prometheus/api/v1/rules?type=alert');
    const alerts = listAt(answer, 'data', 'groups').flatMap((group) =>
      listAt(group, 'rules').flatMap((rule) => listAt(rule, 'alerts')),
    );
    const checkout = alerts.find((one) => labelsOf(one)['name'] === 'checkout');
    expect([timeAt(checkout, 'activeAt'), textAt(checkout, 'state')]).toEqual([clock.now() - 47 * minute, 'firing']);
    const { notices } = await read(simulator);
    const sent = notices.find((one) => labelsOf(one)['name'] === 'checkout');
    expect(timeAt(sent, 'startsAt')).toBe(clock.now() - 45 * minute);
    expect(timeAt(sent, 'endsAt')).toBe(clock.now() + 4 * minute);
  });

  it('does what the script means through two acts', async () => {
    const { simulator, clock } = await start(true);
    const found: string[] = [];
    const seen = new Set<string>();
    for (let at = 20; at <= 800; at += 20) {
      clock.advance(20 * second);
      for (const { alarm } of simulator.alarmTruth(clock.now(), alarmWithin))
        if (alarm.state === 'sounding') seen.add(alarm.by);
      for (const lie of await lies(simulator, clock)) found.push(`${at} s: ${lie}`);
    }
    expect(found.slice(0, 10)).toEqual([]);
    expect(seen).toEqual(new Set(['own', 'cause', 'group']));
  });
});
