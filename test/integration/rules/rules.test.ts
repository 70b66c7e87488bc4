// `plumbline rules` over simulated clusters, where there is no record: it reads them once.
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { listAt, textAt, textsAt } from '#lib/foreign.ts';
import { runLine } from '#server/cli/testing/run-line.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import type { Simulator } from '#server/simulator/main.ts';
import { startQuietSimulator, workDirectory } from '../running/running-fleet.ts';

const directory = workDirectory();
const nothing = { KUBECONFIG: 'FOLDER/none', PLUMBLINE_DATA: 'FOLDER/data' };
let simulator: Simulator;

beforeAll(async () => {
  simulator = await startQuietSimulator({ clock: systemClock, log: silentLog, directory: directory.path, clusters: 3 });
  simulator.fleet.get('eu-central-1b')?.access.forbid('helmreleases.helm.toolkit.fluxcd.io');
});
afterAll(async () => {
  await simulator.stop();
  directory.remove();
});

/** A configuration that names one cluster only. */
function configFor(cluster: string): string {
  const name = `rules-of-${cluster}.yaml`;
  const text = `publicUrl: https://plumbline.example.org\nclusters:\n  - name: ${cluster}\n    kubeconfig: ./${cluster}.yaml\n`;
  writeFileSync(join(directory.path, name), text);
  return `FOLDER/${name}`;
}

async function written(cluster: string) {
  const folder = `written-${cluster}`;
  const line = ['rules', '--config', configFor(cluster), '--format', 'prometheus', '--output', `FOLDER/${folder}`];
  const ran = await runLine(directory.path, line, nothing);
  const read = async (name: string): Promise<unknown> =>
    parse(await readFile(join(directory.path, folder, name), 'utf8'));
  const resources = listAt(await read('kube-state-metrics.yaml'), 'spec', 'resources');
  const kinds = resources.map((one) => textAt(one, 'groupVersionKind', 'kind'));
  const role = listAt(await read('kube-state-metrics-role.yaml'), 'rules').flatMap((rule) =>
    textsAt(rule, 'apiGroups'),
  );
  const rules = listAt(await read('rules.yaml'), 'groups').flatMap((group) => listAt(group, 'rules'));
  return { ...ran, kinds, role, alerts: new Set(rules.map((rule) => textAt(rule, 'alert'))) };
}

it('has the kinds of which the cluster has objects, of every reconciler', async () => {
  const { code, said, kinds, role, alerts } = await written('eu-west-3');
  expect([code, said[0]]).toEqual([0, 'Reading the clusters once.']);
  expect(kinds).toEqual(expect.arrayContaining(['Kustomization', 'HelmRelease', 'GitRepository', 'Provider']));
  expect(role).toEqual(expect.arrayContaining(['apiextensions.k8s.io', 'kustomize.toolkit.fluxcd.io']));
  for (const alert of ['FluxReconciliationFailure', 'FluxSourceNotReady', 'FluxSuspended', 'CloudResourceDesynced'])
    expect(alerts).toContain(alert);
});

it('says which kinds it may not read: they are not among the rules', async () => {
  const { code, said, kinds } = await written('eu-central-1b');
  expect(code).toBe(0);
  expect(said).toContainEqual(
    expect.stringMatching(/^Not seen, so not among the rules: eu-central-1b: HelmRelease forbidden/),
  );
  expect(kinds).not.toContain('HelmRelease');
});
