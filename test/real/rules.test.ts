// What `plumbline rules` writes, on the real promtool and amtool.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { type ForeignObject, isForeignObject, objectAt } from '#lib/foreign.ts';
import { minute } from '#lib/domain/time/length.ts';
import { plainNaming } from '#server/cli/rules/cluster-naming.ts';
import { fleetKinds, onlyClusters } from '#server/cli/rules/fleet-kinds.ts';
import { type RulesPolicy, writtenRules } from '#server/cli/rules/rules.ts';
import { fleets, seenOn } from '#server/cli/rules/testing.ts';
import { writeFiles } from '#server/cli/rules/write-files.ts';
import { scenarios } from './alarms/scenarios.ts';
import { during, testFile, toldFile } from './alarms/scenario.ts';
import { installProgram } from './build.ts';
import { alarmTools } from './programs.ts';
import { notRun } from './report.ts';

const run = promisify(execFile);
const say = (line: string): void => void process.stdout.write(`  ${line}\n`);
const installed = await Promise.all(alarmTools.map((tool) => installProgram(tool, say)));
const refused = installed.flatMap((result) => (result.type === 'refused' ? [result] : []));
const reason = refused.map(({ program, why }) => `${program} could not be unpacked: ${why}`).join('; ');
if (refused.length > 0) await notRun([{ name: 'the rules for Prometheus', reason }]);

const policy = { alarmWithin: 15 * minute, publicUrl: 'https://plumbline.example.org', naming: plainNaming };
const everything = [...fleets.flux, ...fleets.crossplane, ...fleets.neighbours];
const success = { code: 0, said: expect.stringContaining('SUCCESS') };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-rules-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a tool: its exit code and all that it says. */
async function tool(name: 'promtool' | 'amtool', ...args: readonly string[]) {
  const binary = installed.flatMap((result) =>
    result.type === 'built' && result.program === name ? [result.binary] : [],
  );
  try {
    const { stdout, stderr } = await run(binary[0] ?? '', args, { cwd: folder, timeout: 20_000 });
    return { code: 0, said: stdout + stderr };
  } catch (error) {
    const said = (of: 'stdout' | 'stderr'): string =>
      isForeignObject(error) && typeof error[of] === 'string' ? error[of] : '';
    return { code: 1, said: said('stdout') + said('stderr') };
  }
}

function parseForeignYaml(text: string): ForeignObject {
  const value: unknown = parse(text);
  return isForeignObject(value) ? value : {};
}

async function write(
  objects: Parameters<typeof fleetKinds>[1],
  cluster: string | null = null,
  settings: RulesPolicy = policy,
): Promise<string> {
  const whole = fleetKinds([], objects, false);
  const fleet = cluster === null ? whole : (onlyClusters(whole, [cluster]) ?? whole);
  const { files } = await writtenRules(fleet, settings, 'prometheus', cluster === null);
  const path = await mkdtemp(join(folder, 'written-'));
  await writeFiles(path, files);
  return path;
}

describe.skipIf(refused.length > 0)('what plumbline rules writes', () => {
  let written: string;
  beforeAll(async () => {
    written = await write(everything);
  });

  it('is taken by promtool, without a complaint', async () => {
    for (const file of ['rules.yaml', 'plumbline.yaml']) {
      const { code, said } = await tool('promtool', 'check', 'rules', join(written, file));
      expect([code, said]).toEqual([0, expect.stringContaining('SUCCESS')]);
    }
  });

  it('is taken whatever clusters are called', async () => {
    const names = ['a"} or vector(1) #', "b' \\", '{{ fail }}\n- alert: Mine', '\u202E', '*'];
    const hostile = await write(seenOn(names, 'flux', 'kustomize.toolkit.fluxcd.io/Kustomization'));
    const alone = await write(seenOn(['a.b|(["\\'], 'flux', 'kustomize.toolkit.fluxcd.io/Kustomization'));
    for (const path of [hostile, alone]) {
      const { code, said } = await tool('promtool', 'check', 'rules', join(path, 'rules.yaml'));
      expect([code, said]).toEqual([0, expect.stringContaining('SUCCESS')]);
    }
  });

  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s', async (_, scenario) => {
    const file = join(await mkdtemp(join(folder, 'scenario-')), 'test.yaml');
    await writeFile(file, testFile(join(written, 'rules.yaml'), scenario));
    expect(await tool('promtool', 'test', 'rules', file)).toEqual({
      code: 0,
      said: expect.stringContaining('SUCCESS'),
    });
  });

  it('what they must not be: asked for "False", a Kustomization that is Unknown most of the time never fires', async () => {
    const [, flapping] = scenarios;
    if (flapping === undefined) throw new Error('no scenario');
    const file = join(folder, 'false.yaml');
    const text = (await readFile(join(written, 'rules.yaml'), 'utf8')).replaceAll('ready!="True"', 'ready="False"');
    await writeFile(join(folder, 'false-rules.yaml'), text);
    const never = { ...flapping, fires: { '13m': [], '20m': [], '29m': [] } };
    await writeFile(file, testFile(join(folder, 'false-rules.yaml'), never));
    expect(await tool('promtool', 'test', 'rules', file)).toEqual(success);
  });

  describe('on the Prometheus of one cluster, whose series name none', () => {
    const labels = { customresource_group: 'kustomize.toolkit.fluxcd.io', customresource_kind: 'Kustomization' };
    const named = { ...labels, exported_namespace: 'apps', name: 'a&b#c' };
    const series = [{ metric: 'gotk_resource_info', labels: { ...named, ready: 'False' }, from: during(0) }];
    const externalLabels = { cluster: 'us &east' };
    let rules: string;
    beforeAll(async () => {
      rules = join(await write(everything, 'us-east-2'), 'rules.yaml');
    });

    it('an alert says which by the external label, and leads to the object', async () => {
      const file = join(folder, 'told.yaml');
      const told = {
        at: '15m',
        alert: 'FluxReconciliationFailure',
        labels: { ...named, severity: 'critical', plumbline: 'alarm' },
        annotations: {
          summary: 'Kustomization apps/a&b#c is not ready on us &east.',
          description:
            'What is in git is not applied, or what was applied does not work. It has been so for 12m30s at least.',
          plumbline_url:
            'https://plumbline.example.org/go?cluster=us+%26east&customresource_group=kustomize.toolkit.fluxcd.io&customresource_kind=Kustomization&exported_namespace=apps&name=a%26b%23c',
        },
      };
      await writeFile(file, toldFile(rules, { series, externalLabels }, told));
      expect(await tool('promtool', 'test', 'rules', file)).toEqual(success);
    });

    it.each([
      ['Kustomization', []],
      ['GitRepository', ['ReconcilerMetricAbsent  ']],
    ])('series of a %s are missed where there are none', async (kind, fires) => {
      const file = join(folder, `${kind}.yaml`);
      const scenario = {
        name: kind,
        series,
        externalLabels,
        among: 'ReconcilerMetricAbsent',
        kind,
        fires: { '15m': fires },
      };
      await writeFile(file, testFile(rules, scenario));
      expect(await tool('promtool', 'test', 'rules', file)).toEqual(success);
    });
  });

  it('an alert keeps the label by which the source names clusters, and its value', async () => {
    const naming = { label: 'k8s_cluster', valuesOf: (cluster: string) => [`prod-${cluster}`] };
    const rules = join(await write(fleets.flux, null, { ...policy, naming }), 'rules.yaml');
    const labels = { customresource_group: 'kustomize.toolkit.fluxcd.io', customresource_kind: 'Kustomization' };
    const named = { k8s_cluster: 'prod-eu-west-3', ...labels, exported_namespace: 'apps', name: 'checkout' };
    const series = [{ metric: 'gotk_resource_info', labels: { ...named, ready: 'False' }, from: during(0) }];
    const told = {
      at: '15m',
      alert: 'FluxReconciliationFailure',
      labels: { ...named, severity: 'critical', plumbline: 'alarm' },
      annotations: {
        summary: 'Kustomization apps/checkout is not ready on prod-eu-west-3.',
        description:
          'What is in git is not applied, or what was applied does not work. It has been so for 12m30s at least.',
        plumbline_url:
          'https://plumbline.example.org/go?cluster=prod-eu-west-3&customresource_group=kustomize.toolkit.fluxcd.io&customresource_kind=Kustomization&exported_namespace=apps&name=checkout',
      },
    };
    const file = join(folder, 'label.yaml');
    await writeFile(file, toldFile(rules, { series, externalLabels: {} }, told));
    expect(await tool('promtool', 'test', 'rules', file)).toEqual(success);
  });

  describe('for Alertmanager', () => {
    /** The parts as they are put into a file with receivers of the reader's, a dead end first. */
    async function configuration(receiver: string | null): Promise<string> {
      const parts = parseForeignYaml(await readFile(join(written, 'alertmanager.yaml'), 'utf8'));
      const receivers = [{ name: 'nobody' }, { name: 'pager', webhook_configs: [{ url: 'http://127.0.0.1:9/' }] }];
      const whole = { ...parts, route: { receiver: 'nobody', ...objectAt(parts, 'route') }, receivers };
      const file = join(folder, `alertmanager-${receiver ?? 'as-it-is'}.yaml`);
      const text = stringify(whole);
      await writeFile(file, receiver === null ? text : text.replaceAll('fill-in', receiver));
      return file;
    }

    it('does not load until somebody is called', async () => {
      const { code, said } = await tool('amtool', 'check-config', await configuration(null));
      expect([code, said]).toEqual([1, expect.stringContaining('undefined receiver "fill-in"')]);
    });

    it('routes every alert to who was filled in', async () => {
      const file = await configuration('pager');
      expect(await tool('amtool', 'check-config', file)).toEqual(success);
      const routed = ['config', 'routes', 'test', `--config.file=${file}`, '--verify.receivers=pager'];
      expect(await tool('amtool', ...routed, 'plumbline=alarm', 'severity=warning')).toEqual({
        code: 0,
        said: expect.stringMatching(/^pager\n/),
      });
    });
  });
});
