import { afterEach, expect, it } from 'vitest';
import { isForeignObject, listAt, textAt } from '#lib/foreign.ts';
import { fakeClock } from '../../runtime/fake-clock.ts';
import { silentLog } from '../../runtime/log.ts';
import type { Monitoring } from './demo-monitoring.ts';
import { fingerprintOf } from './fingerprint.ts';
import { startGeneratedMonitoring } from './generated-monitoring.ts';
import type { ExportedObject, MonitoringPlan } from './generated-monitoring.ts';

const running: Monitoring[] = [];

afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
});

/** Objects of ten clusters, two in three of them Kustomizations. */
function* fleetOf(count: number): Generator<ExportedObject> {
  for (let index = 0; index < count; index++) {
    const place = { cluster: `cluster-${index % 10}`, name: `object-${index}` };
    yield index % 3 === 0
      ? { ...place, group: 's3.aws.upbound.io', kind: 'Bucket', version: 'v1beta2', namespace: '' }
      : { ...place, group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization', version: 'v1', namespace: 'apps' };
  }
}

async function start(plan: MonitoringPlan, objects: number): Promise<Monitoring> {
  const { now } = fakeClock();
  const one = await startGeneratedMonitoring({ plan, log: silentLog, now, objects: () => fleetOf(objects) });
  running.push(one);
  return one;
}

async function ask(monitoring: Monitoring, path: string): Promise<unknown> {
  return (await fetch(monitoring.server.url(path))).json();
}

it('tells of so many series, and of so many alerts over all clusters, each routed to somebody', async () => {
  const monitoring = await start({ alerts: 2000, series: 30_000 }, 30_000);
  const query = encodeURIComponent('group by (cluster, name) ({__name__=~"gotk_.+|crossplane_.+"})');
  const vector = await ask(monitoring, `/prometheus/api/v1/query?query=${query}`);
  expect(listAt(vector, 'data', 'result')).toHaveLength(30_000);
  const rules = await ask(monitoring, '/prometheus/api/v1/rules?type=alert');
  const alerts = listAt(rules, 'data', 'groups').flatMap((group) =>
    listAt(group, 'rules').flatMap((rule) => listAt(rule, 'alerts')),
  );
  expect(alerts).toHaveLength(2000);
  const notices = listAt({ all: await ask(monitoring, '/alertmanager/api/v2/alerts') }, 'all');
  expect(notices).toHaveLength(2000);
  expect(new Set(notices.map((one) => textAt(one, 'fingerprint'))).size).toBe(2000);
  const [first] = notices;
  const labels = isForeignObject(first) && isForeignObject(first['labels']) ? first['labels'] : {};
  const texts = Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
  expect(textAt(first, 'fingerprint')).toBe(fingerprintOf(texts));
  expect(listAt(first, 'receivers')).toEqual([{ name: 'oncall' }]);
});

it('has the series of what its rules say fails, and no other', async () => {
  const monitoring = await start({ alerts: 10, series: 100 }, 100);
  const failing = await ask(
    monitoring,
    '/prometheus/api/v1/series?match[]=gotk_resource_info{ready!="True"}&match[]=crossplane_resource_info{synced!="True"}',
  );
  const notices = listAt({ all: await ask(monitoring, '/alertmanager/api/v2/alerts') }, 'all');
  const names = (all: readonly unknown[]): ReadonlySet<string | null> => new Set(all.map((one) => textAt(one, 'name')));
  expect(names(listAt(failing, 'data'))).toEqual(
    names(notices.map((one) => (isForeignObject(one) ? one['labels'] : null))),
  );
  expect(notices).toHaveLength(10);
});

it.each([
  [{ alerts: 1, series: 11 }, '11 series need as many objects, and the fleet has 10'],
  [{ alerts: 6, series: 5 }, '6 alerts need as many series, not 5'],
])('refuses %o of ten objects', async (plan, message) => {
  await expect(start(plan, 10)).rejects.toThrow(message);
});
