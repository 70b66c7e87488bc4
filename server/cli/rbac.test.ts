import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { listAt } from '#lib/foreign.ts';
import { type Asked, type ScriptedServer, startScriptedServer } from '../collector/clusters/testing/scripted-server.ts';
import { runCommandLine } from './program.ts';

const verbs = ['get', 'list', 'watch'];

function served(group: string, kind: string, categories: readonly string[], freshness = 'Current'): object {
  const resource = { resource: `${kind.toLowerCase()}s`, responseKind: { kind }, scope: 'Cluster', verbs, categories };
  return { metadata: { name: group }, versions: [{ version: 'v1', freshness, resources: [resource] }] };
}

/** Groups as Crossplane, its providers and everybody else define them, with their categories. */
const everything = [
  served('kustomize.toolkit.fluxcd.io', 'Kustomization', []),
  served('pkg.crossplane.io', 'Provider', ['crossplane', 'pkg']),
  served('s3.aws.m.upbound.io', 'Bucket', ['crossplane', 'managed', 'aws']),
  served('rds.aws.m.upbound.io', 'Instance', ['crossplane', 'managed', 'aws']),
  served('platform.example.org', 'XDatabase', ['composite']),
  served('shop.example.org', 'Database', ['claim']),
  served('cert-manager.io', 'Certificate', ['cert-manager']),
];

let folder: string;
let server: ScriptedServer;
let answer: (asked: Asked) => boolean | void;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-rbac-'));
  server = await startScriptedServer((asked) => answer(asked));
  const kubeconfig = {
    clusters: [
      {
        name: 'it',
        cluster: { server: server.url, 'certificate-authority-data': Buffer.from(server.ca).toString('base64') },
      },
    ],
    users: [{ name: 'reader', user: { token: 'secret-token' } }],
    contexts: [{ name: 'eu-west-3', context: { cluster: 'it', user: 'reader' } }],
  };
  await writeFile(join(folder, 'config'), JSON.stringify(kubeconfig));
  vi.stubEnv('KUBECONFIG', join(folder, 'config'));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  answer = (asked) => (asked.path === '/apis' ? serve(asked, everything) : false);
});

function serve(asked: Asked, items: readonly object[]): void {
  asked.json(200, { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', items });
}

async function rbac(...args: readonly string[]) {
  const out: string[] = [];
  const said: string[] = [];
  const code = await runCommandLine(['rbac', ...args], {
    out: (line) => void out.push(line),
    say: (line) => void said.push(line),
  });
  return { code, out: out.join('\n'), said };
}

describe('plumbline rbac --context', () => {
  it('names the groups of managed resources, composites and claims that the cluster serves, and asks by GET only', async () => {
    const { code, out, said } = await rbac('--context', 'eu-west-3');
    expect(code).toBe(0);
    expect(listAt(parse(out), 'rules').at(-1)).toEqual({
      apiGroups: ['platform.example.org', 'rds.aws.m.upbound.io', 's3.aws.m.upbound.io', 'shop.example.org'],
      resources: ['*'],
      verbs,
    });
    expect(said).toEqual(["eu-west-3 serves 4 API groups of Crossplane's providers, composites or claims."]);
    expect(new Set(server.asked.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  it('names no group of Kubernetes itself, whatever the cluster says is in it', async () => {
    const own = [served('rbac.authorization.k8s.io', 'Role', ['managed']), served('apps', 'Thing', ['managed'])];
    answer = (asked) => (asked.path === '/apis' ? serve(asked, [...everything.slice(0, 1), ...own]) : false);
    const { out } = await rbac('--context', 'eu-west-3');
    expect(out).toBe((await rbac()).out);
  });

  it('adds the groups that are named beside', async () => {
    const { out } = await rbac('--context', 'eu-west-3', '--provider-group', 'later.example.org', 'shop.example.org');
    const [first, second, ...others] = listAt(listAt(parse(out), 'rules').at(-1), 'apiGroups');
    expect([first, second, others.length]).toEqual(['later.example.org', 'shop.example.org', 3]);
  });

  it('prints the plain role where the cluster has no Crossplane', async () => {
    answer = (asked) => (asked.path === '/apis' ? serve(asked, everything.slice(0, 1)) : false);
    const { code, out, said } = await rbac('--context', 'eu-west-3');
    expect([code, out]).toEqual([0, (await rbac()).out]);
    expect(said).toEqual(["eu-west-3 serves no API group of Crossplane's providers, composites or claims."]);
  });

  it('says of which groups the server could not tell', async () => {
    const stale = served('metrics.example.org', 'Metric', [], 'Stale');
    answer = (asked) => (asked.path === '/apis' ? serve(asked, [...everything, stale]) : false);
    expect((await rbac('--context', 'eu-west-3')).said[1]).toContain('could not tell what is in metrics.example.org');
  });

  it('prints no role where the cluster does not answer, and says why', async () => {
    answer = (asked) => asked.json(401, { kind: 'Status', code: 401, message: 'Unauthorized' });
    const { code, out, said } = await rbac('--context', 'eu-west-3');
    expect([code, out]).toEqual([69, '']);
    expect(said).toEqual([expect.stringMatching(/^No role: eu-west-3 does not tell what it serves: .*\.$/)]);
  });

  it.each([
    ['nowhere', 78, 'No context is called nowhere. There are:'],
    ['eu-west-3,us-east-2', 64, '--context of rbac takes one name: the role of each cluster is its own.'],
  ])('refuses the context %s', async (context, exit, line) => {
    const { code, out, said } = await rbac('--context', context);
    expect([code, out, said[0]]).toEqual([exit, '', line]);
  });
});
