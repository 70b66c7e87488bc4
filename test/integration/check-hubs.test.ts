// `plumbline check` on two clusters, one of which says to have delivered what runs on the other.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WireObject } from '#lib/api/object.ts';
import { type ForeignObject, objectAt, parseForeign } from '#lib/foreign.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { commonKinds, groupResource } from '#server/simulator/api/kinds.ts';
import type { SimulatedCluster } from '#server/simulator/fleet/simulated-cluster.ts';
import type { Simulator } from '#server/simulator/main.ts';
import { startQuietSimulator, workDirectory } from './running/running-fleet.ts';

const program = fileURLToPath(new URL('../../server/cli/plumbline.ts', import.meta.url));
const kind = groupResource(commonKinds.kustomization);
const namespace = 'flux-system';
const directory = workDirectory();
let simulator: Simulator;

beforeAll(async () => {
  simulator = await startQuietSimulator({ clock: systemClock, log: silentLog, directory: directory.path, clusters: 2 });
  const [one, other] = [...simulator.fleet.values()];
  if (one === undefined || other === undefined) throw new Error('no two clusters');
  const labels = { 'kustomize.toolkit.fluxcd.io/name': 'far', 'kustomize.toolkit.fluxcd.io/namespace': namespace };
  place(other, 'near', (like) => ({ metadata: { labels }, status: { ...like, inventory: { entries: [] } } }));
  const entries = [{ id: `${namespace}_near_kustomize.toolkit.fluxcd.io_Kustomization`, v: 'v1' }];
  const kubeConfig = { secretRef: { name: 'other' } };
  place(one, 'far', (like) => ({ spec: { kubeConfig }, status: { ...like, inventory: { entries } } }));
});

afterAll(async () => {
  await simulator.stop();
  directory.remove();
});

/** Puts a Kustomization on a cluster that is like its first one but for a name, and for what `change` gives; that is told the status. */
function place(
  cluster: SimulatedCluster,
  name: string,
  change: (status: ForeignObject) => { readonly [part: string]: object },
): void {
  const like = parseForeign(cluster.store.store(kind)?.sorted()[0]?.json().toString() ?? '') ?? {};
  const more = change(objectAt(like, 'status'));
  const part = (of: string): ForeignObject => ({ ...objectAt(like, of), ...more[of] });
  const template = {
    name: () => name,
    namespace: () => namespace,
    render(_index: number, version: number) {
      const uid = `0b1c2d3e-0000-4000-8000-${name.padStart(12, '0')}`;
      const metadata = { ...part('metadata'), name, namespace, uid, resourceVersion: String(version) };
      return Buffer.from(JSON.stringify({ ...like, metadata, spec: part('spec'), status: part('status') }));
    },
  };
  cluster.store.touch(kind, template, 0, Date.now());
}

interface Looked {
  readonly near: WireObject | undefined;
  readonly said: string;
}

async function check(security: string): Promise<Looked> {
  const clusters = simulator.kubeconfigs.map(({ name, path }) => ({ name, kubeconfig: path, context: name }));
  const config = join(directory.path, `check-${security.replaceAll(/\W/g, '-')}.yaml`);
  writeFileSync(config, `clusters: ${JSON.stringify(clusters)}\n${security}\n`);
  const { PLUMBLINE_CONFIG: _config, ...environment } = process.env;
  const child = spawn(process.execPath, [program, 'check', '--config', config, '--output', 'json'], {
    cwd: directory.path,
    env: { ...environment, KUBECONFIG: join(directory.path, 'none') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, said]: [string[], string[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  const lines = out.join('').split('\n').filter(Boolean);
  const objects = lines.map((line) => WireObject.parse(JSON.parse(line)));
  return { near: objects.find(({ name }) => name === 'near'), said: said.join('') };
}

it('believes a cluster about another one only where security.hubs names it, and says so where nobody is named', async () => {
  const [one = ''] = simulator.fleet.keys();
  const [unsaid, nobody, named] = await Promise.all([
    check(''),
    check('security: { hubs: [] }'),
    check(`security: { hubs: [${one}] }`),
  ]);
  expect([unsaid.near?.verdict, nobody.near?.verdict]).toEqual(['unconfirmed', 'unconfirmed']);
  expect([unsaid.near?.deliveredBy?.cluster, nobody.near?.deliveredBy?.cluster]).not.toContain(one);
  expect(named.near).toMatchObject({ verdict: 'converged', deliveredBy: { cluster: one, name: 'far' } });
  const note = `Note: ${one}: It delivers to other clusters, and is not believed`;
  expect([unsaid, nobody, named].map(({ said }) => said.includes(note))).toEqual([true, false, false]);
});
