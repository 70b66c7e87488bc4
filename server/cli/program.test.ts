import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { listAt } from '#lib/foreign.ts';
import { runCommandLine } from './program.ts';

async function run(...args: readonly string[]) {
  const out: string[] = [];
  const said: string[] = [];
  const code = await runCommandLine(args, { out: (line) => out.push(line), say: (line) => said.push(line) });
  return { code, out: out.join('\n'), said: said.join('\n') };
}

describe('the command line', () => {
  it('tells everything in its help, on standard output', async () => {
    const { code, out, said } = await run('--help');
    expect(code).toBe(0);
    expect(said).toBe('');
    for (const word of ['start', 'demo', 'rbac', 'link', 'PLUMBLINE_CONFIG', 'PLUMBLINE_DATA', 'PORT', '78  '])
      expect(out).toContain(word);
  });

  it('tells its version alone', async () => {
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(await readFile('package.json', 'utf8')));
    expect(await run('--version')).toEqual({ code: 0, out: version, said: '' });
  });

  it.each([
    [['nonsense'], "unknown command 'nonsense'"],
    [['start', '--nonsense'], "unknown option '--nonsense'"],
    [['start', '--port', 'x'], '"x" is not a port'],
    [['rbac', '--provider-group', '*'], '"*" is not an API group'],
    [['link'], 'Say one of --scope, --new-key and --revoke.'],
    [['link', '--scope', 'fleet', '--new-key'], 'Say one of --scope, --new-key and --revoke.'],
  ])('refuses %j as wrong usage', async (args, message) => {
    const { code, said } = await run(...args);
    expect(code).toBe(64);
    expect(said).toContain(message);
  });

  it.each(['0.0.0.0', '::', '10.1.2.3'])('refuses to serve on %s', async (host) => {
    const { code, said } = await run('demo', '--host', host);
    expect(code).toBe(78);
    expect(said).toContain('plumbline.yaml has no auth and no publicUrl');
  });

  it('says that the port is taken', async () => {
    const server = createServer();
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { code, said } = await run('demo', '--dry-run', '--port', String(port));
    expect(code).toBe(69);
    expect(said).toBe(`Nothing can be served on 127.0.0.1:${port} (EADDRINUSE). Choose another port: --port N`);
  });
});

describe('rbac', () => {
  it('prints a role that can only read, names its groups and knows no Secret', async () => {
    const { code, out } = await run('rbac');
    expect(code).toBe(0);
    expect(out).toContain('kind: ClusterRole');
    const rules = listAt(parse(out), 'rules');
    const all = (key: string) => new Set(rules.flatMap((rule) => listAt(rule, key)));
    expect(all('verbs')).toEqual(new Set(['get', 'list', 'watch']));
    expect(all('apiGroups').has('*')).toBe(false);
    expect(all('resources').has('secrets')).toBe(false);
    expect(all('resources').has('kustomizations')).toBe(true);
  });

  it('adds the groups of providers', async () => {
    const { out } = await run('rbac', '--provider-group', 's3.aws.upbound.io', 'ec2.aws.upbound.io');
    expect(out).toContain('- apiGroups: [s3.aws.upbound.io, ec2.aws.upbound.io]');
  });

  it('keeps many groups on a line each', async () => {
    const groups = ['s3', 'ec2', 'rds', 'iam'].map((name) => `${name}.aws.upbound.io`);
    const { out } = await run('rbac', '--provider-group', ...groups);
    expect(listAt(parse(out), 'rules').at(-1)).toMatchObject({ apiGroups: groups, resources: ['*'] });
    expect(out).toContain('\n      - rds.aws.upbound.io\n');
  });
});
