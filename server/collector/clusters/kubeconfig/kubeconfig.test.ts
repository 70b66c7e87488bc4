import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import type { ClusterAccess } from '../access.ts';
import { openKubeconfig } from './kubeconfig.ts';
import type { KubeconfigOptions } from './kubeconfig-access.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(name: string, content: string | object): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

function config(user: object, cluster: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'one',
    clusters: [{ name: 'c', cluster: { server: 'https://api.example.org:6443/', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'one', context: { cluster: 'c', user: 'u' } }],
  };
}

async function open(content: string | object, options: Partial<KubeconfigOptions> = {}): Promise<ClusterAccess> {
  const opened = await openKubeconfig([await write('config', content)], null, { clock: fakeClock(), ...options });
  if (opened.type === 'invalid') throw new Error(opened.message);
  return opened.access;
}

async function plugin(name: string, script: string): Promise<string> {
  const file = await write(name, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

const credential = (status: object): string =>
  `echo '${JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status })}'`;
const exec = (command: string, rest: object = {}): object => ({
  exec: { apiVersion: 'client.authentication.k8s.io/v1', command, ...rest },
});

describe('kubeconfig', () => {
  it('reads several files as one, the first to name a thing wins', async () => {
    const first = await write('a', config({ token: 't' }));
    const second = await write('b', {
      ...config({}, { server: 'https://other.example.org' }),
      'current-context': 'two',
      contexts: [
        { name: 'one', context: { cluster: 'other', user: 'other' } },
        { name: 'two', context: { cluster: 'c' } },
      ],
    });
    const options = { clock: fakeClock() };
    expect(await openKubeconfig([first, second], null, options)).toMatchObject({ type: 'ok', context: 'one' });
    const opened = await openKubeconfig([first, second], 'two', options);
    expect(opened).toMatchObject({ type: 'ok', access: { server: 'https://api.example.org:6443' } });
    const headers = opened.type === 'ok' ? await opened.access.headers() : null;
    expect(headers).toEqual({ type: 'ok', headers: {} });
  });

  it.each([
    ['empty', ''],
    ['no YAML', 'a: [1,\n  b: "'],
    ['a list', '[]'],
    ['a text', 'hello'],
    ['no contexts', '{"clusters": []}'],
    ['a cluster without a server', { ...config({}), clusters: [{ name: 'c', cluster: {} }] }],
    ['a server that is no URL', config({}, { server: 'nonsense' })],
    ['a server of another scheme', config({}, { server: 'file:///etc/passwd' })],
    ['entries of the wrong kind', { ...config({}), users: [null, 3], contexts: [7] }],
  ])('a malformed file is a value: %s', async (_, content) => {
    const opened = await openKubeconfig([await write('config', content)], null, { clock: fakeClock() });
    expect(opened).toEqual({ type: 'invalid', message: expect.stringMatching(/./) });
  });

  it.each([
    ['clusters', [], 'the cluster c of context one is missing'],
    ['users', [], 'the user u of context one is missing'],
    ['current-context', 'gone', 'there is no context gone'],
  ])('%s of %j: %s', async (field, value, message) => {
    const file = await write('config', { ...config({}), [field]: value });
    expect(await openKubeconfig([file], null, { clock: fakeClock() })).toEqual({ type: 'invalid', message });
  });

  it('a missing file, and a context that is not there, are values', async () => {
    expect(await openKubeconfig([join(folder, 'none')], null, { clock: fakeClock() })).toMatchObject({
      type: 'invalid',
    });
    expect(await openKubeconfig([await write('config', config({}))], 'two', { clock: fakeClock() })).toMatchObject({
      type: 'invalid',
      message: 'there is no context two',
    });
  });

  it('an error message quotes nothing of the file', async () => {
    const opened = await openKubeconfig(
      [await write('config', 'users:\n- user: {token: "canary-secret\n x: [')],
      null,
      { clock: fakeClock() },
    );
    expect(JSON.stringify(opened)).not.toContain('canary');
  });

  it('gives server, TLS options and a token', async () => {
    await write('ca.pem', 'THE CA');
    await write('client.pem', 'THE CERT');
    const access = await open(
      config(
        {
          token: ' secret\n',
          'client-certificate': 'client.pem',
          'client-key-data': Buffer.from('THE KEY').toString('base64'),
        },
        { 'certificate-authority': 'ca.pem', 'insecure-skip-tls-verify': true, 'tls-server-name': 'inner' },
      ),
    );
    expect(access.server).toBe('https://api.example.org:6443');
    expect(await access.tls()).toEqual({
      type: 'ok',
      tls: { ca: 'THE CA', cert: 'THE CERT', key: 'THE KEY', serverName: 'inner', insecure: true },
    });
    expect(await access.headers()).toEqual({ type: 'ok', headers: { authorization: 'Bearer secret' } });
  });

  it('gives basic credentials and impersonation', async () => {
    const access = await open(config({ username: 'a', password: 'b', as: 'viewer', 'as-groups': ['x', 'y'] }));
    expect(await access.headers()).toEqual({
      type: 'ok',
      headers: { authorization: 'Basic YTpi', 'impersonate-user': 'viewer', 'impersonate-group': ['x', 'y'] },
    });
  });

  it('reads a rotating token file again: relative to the kubeconfig, trimmed, each minute and after a 401', async () => {
    await write('token', 'one\n');
    const clock = fakeClock();
    const access = await open(config({ tokenFile: 'token' }), { clock });
    const bearer = async (): Promise<unknown> => access.headers();
    const is = (token: string): unknown => ({ type: 'ok', headers: { authorization: `Bearer ${token}` } });
    expect(await bearer()).toEqual(is('one'));
    await write('token', 'two\n');
    expect(await bearer()).toEqual(is('one'));
    clock.advance(60_000);
    expect(await bearer()).toEqual(is('two'));
    await write('token', 'three');
    access.refresh();
    expect(await bearer()).toEqual(is('three'));
    await rm(join(folder, 'token'));
    clock.advance(60_000);
    expect(await bearer()).toEqual(is('three'));
  });

  it('reads the kubeconfig again after a 401', async () => {
    const access = await open(config({ token: 'one' }));
    await write('config', config({ token: 'two' }));
    access.refresh();
    expect(await access.headers()).toEqual({ type: 'ok', headers: { authorization: 'Bearer two' } });
    await write('config', 'broken: [');
    access.refresh();
    expect(await access.headers()).toEqual({ type: 'ok', headers: { authorization: 'Bearer two' } });
  });

  it.each([
    ['a token file that is missing', { tokenFile: 'gone' }, {}, 'credentials'],
    ['an auth-provider', { 'auth-provider': { name: 'gcp', config: { 'cmd-path': '/bin/true' } } }, {}, 'credentials'],
    ['a proxy', {}, { 'proxy-url': 'http://proxy:3128' }, 'protocol'],
    ['an exec plugin that is not allowed', exec('/bin/true'), {}, 'credentials'],
  ])('%s is a fault of each request, not a crash', async (_, user, cluster, type) => {
    const access = await open(config(user, cluster));
    expect(await access.headers()).toMatchObject({ type: 'fault', fault: { type } });
  });

  it('a missing certificate file is a fault', async () => {
    const access = await open(config({}, { 'certificate-authority': 'gone.pem' }));
    expect(await access.tls()).toMatchObject({ type: 'fault', fault: { type: 'credentials' } });
  });

  it('refuses files outside of the folder that kubeconfigs may name files in', async () => {
    const access = await open(config({ tokenFile: '/etc/hostname' }, { 'certificate-authority': '../ca.pem' }), {
      filesWithin: folder,
    });
    expect(await access.headers()).toMatchObject({ type: 'fault', fault: { type: 'credentials' } });
    expect(await access.tls()).toMatchObject({ type: 'fault', fault: { type: 'credentials' } });
  });
});

describe('exec plugins', () => {
  it('runs one that is allowed by absolute path, once for many requests', async () => {
    const command = await plugin(
      'get-token',
      `echo x >> ${join(folder, 'runs')}; ${credential({ token: 'from-plugin' })}`,
    );
    const access = await open(config(exec(command)), { allowedExecPlugins: [command] });
    await Promise.all([access.headers(), access.headers()]);
    expect(await access.headers()).toEqual({ type: 'ok', headers: { authorization: 'Bearer from-plugin' } });
    const { readFile } = await import('node:fs/promises');
    expect(await readFile(join(folder, 'runs'), 'utf8')).toBe('x\n');
  });

  it('a relative command is relative to the kubeconfig, and allowed by where it lies', async () => {
    await mkdir(join(folder, 'bin'));
    const command = await plugin('bin/get-token', credential({ token: 't' }));
    const access = await open(config(exec('./bin/get-token')), { allowedExecPlugins: [command] });
    expect(await access.headers()).toMatchObject({ type: 'ok' });
    const other = await open(config(exec('./bin/get-token')), { allowedExecPlugins: ['get-token', './bin/get-token'] });
    expect(await other.headers()).toMatchObject({ type: 'fault', fault: { type: 'credentials' } });
  });

  it('runs any for a context chosen by name', async () => {
    const command = await plugin(
      'get-token',
      credential({ token: 't', clientCertificateData: 'CERT', clientKeyData: 'KEY' }),
    );
    const access = await open(config(exec(command)), { allowExec: true });
    expect(await access.tls()).toMatchObject({ type: 'ok', tls: { cert: 'CERT', key: 'KEY' } });
  });

  it('runs again shortly before the credential expires, and after a 401', async () => {
    const clock = fakeClock();
    const expirationTimestamp = new Date(clock.now() + 600_000).toISOString();
    const command = await plugin(
      'get-token',
      `echo x >> ${join(folder, 'runs')}; ${credential({ token: 't', expirationTimestamp })}`,
    );
    const access = await open(config(exec(command)), { allowExec: true, clock });
    const { readFile } = await import('node:fs/promises');
    const runs = async (): Promise<number> => (await readFile(join(folder, 'runs'), 'utf8')).length / 2;
    await access.headers();
    clock.advance(539_000);
    await access.headers();
    expect(await runs()).toBe(1);
    clock.advance(2_000);
    await access.headers();
    expect(await runs()).toBe(2);
    access.refresh();
    await access.headers();
    expect(await runs()).toBe(3);
  });

  it.each([
    ['fails', 'echo "token=canary-secret eyJhbGciOi.J9canary" >&2; exit 3', /failed \(3\)/],
    ['says nothing of use', 'echo hello', /no ExecCredential/],
    [
      'gives another kind',
      `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"Other","status":{"token":"canary"}}'`,
      /no ExecCredential/,
    ],
    [
      'gives another version',
      `echo '{"apiVersion":"client.authentication.k8s.io/v1beta1","kind":"ExecCredential","status":{"token":"canary"}}'`,
      /another apiVersion/,
    ],
    ['gives no credential', credential({}), /neither/],
    ['takes too long', 'exec sleep 30', /did not finish/],
  ])('one that %s is a fault, redacted', async (_, script, message) => {
    const command = await plugin('get-token', script);
    const access = await open(config(exec(command)), { allowExec: true, execTimeout: 300 });
    const answer = await access.headers();
    expect(answer).toMatchObject({
      type: 'fault',
      fault: { type: 'credentials', message: expect.stringMatching(message) },
    });
    expect(JSON.stringify(answer)).not.toContain('canary');
  });

  it('gets no secrets of ours, and is told that nobody can answer questions', async () => {
    process.env['PLUMBLINE_TEST_SECRET'] = 'canary';
    const command = await plugin(
      'get-token',
      `printf '%s %s' "$PLUMBLINE_TEST_SECRET" "$KUBERNETES_EXEC_INFO" > ${join(folder, 'seen')}; ${credential({ token: 't' })}`,
    );
    const access = await open(config(exec(command)), { allowExec: true });
    await access.headers();
    delete process.env['PLUMBLINE_TEST_SECRET'];
    const { readFile } = await import('node:fs/promises');
    const seen = await readFile(join(folder, 'seen'), 'utf8');
    expect(seen).not.toContain('canary');
    expect(JSON.parse(seen)).toMatchObject({ kind: 'ExecCredential', spec: { interactive: false } });
  });

  it('gets the environment that the kubeconfig gives it', async () => {
    const seen = join(folder, 'environment');
    const command = await plugin(
      'get-token',
      `printf '%s %s' "$REGION" "$EMPTY-" > ${seen}; ${credential({ token: 't' })}`,
    );
    const env = [{ name: 'REGION', value: 'eu-west-3' }, { name: 'EMPTY' }, { value: 'of nothing' }];
    const access = await open(config(exec(command, { env })), { allowExec: true });
    await access.headers();
    const { readFile } = await import('node:fs/promises');
    expect(await readFile(seen, 'utf8')).toBe('eu-west-3 -');
  });
});
