import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExecAllowance } from '#server/config/exec-allowance.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { selfSigned } from '../testing/self-signed.ts';
import { openKubeconfig } from './kubeconfig.ts';
import type { KubeconfigAccess, KubeconfigOptions } from './kubeconfig-access.ts';

const pem = selfSigned();
const base64 = (text: string): string => Buffer.from(text).toString('base64');

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

async function open(content: string | object, options: Partial<KubeconfigOptions> = {}): Promise<KubeconfigAccess> {
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
  `printf '%s' '${JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status })}'`;
const plain = (path: string): ExecAllowance => ({ path, args: [], env: {} });
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
    ['current-context', 'gone', 'there is no context gone; there are one'],
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
      message: 'there is no context two; there are one',
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
    await write('ca.pem', pem.cert);
    await write('client.pem', pem.cert);
    const access = await open(
      config(
        {
          token: ' secret\n',
          'client-certificate': 'client.pem',
          'client-key-data': base64(pem.key),
        },
        { 'certificate-authority': 'ca.pem', 'insecure-skip-tls-verify': true, 'tls-server-name': 'inner' },
      ),
    );
    expect(access.server).toBe('https://api.example.org:6443');
    expect(await access.tls()).toEqual({
      type: 'ok',
      tls: { ca: pem.cert, cert: pem.cert, key: pem.key, serverName: 'inner', insecure: true },
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

describe('which context is opened', () => {
  const options = { clock: fakeClock() };
  const two = (current: string): object => ({
    ...config({}),
    'current-context': current,
    contexts: ['one', 'two'].map((name) => ({ name, context: { cluster: 'c', user: 'u' } })),
  });

  it('is the one that is wanted, the current one, or the only one', async () => {
    const openOne = async (content: object, wanted: string | null = null) =>
      openKubeconfig([await write('config', content)], wanted, options);
    expect(await openOne(two('two'), 'one')).toMatchObject({ context: 'one' });
    expect(await openOne(two('two'))).toMatchObject({ context: 'two' });
    expect(await openOne({ ...config({}), 'current-context': '' })).toMatchObject({ context: 'one' });
    expect(await openOne(two(''))).toEqual({
      type: 'invalid',
      message: 'no context is named and none is current; there are one, two',
    });
    expect(await openKubeconfig([], null, options)).toEqual({ type: 'invalid', message: 'no kubeconfig is named' });
  });

  it.each([
    ['http://api.example.org', true],
    ['https://api.example.org', true],
    ['ftp://api.example.org', false],
    ['nonsense', false],
  ])('of a server at %s can be opened: %s', async (server, ok) => {
    const opened = await openKubeconfig([await write('config', config({}, { server }))], null, options);
    const message = 'the server of cluster c is not an http or https URL';
    expect(opened).toEqual(
      ok ? { type: 'ok', context: 'one', access: opened.type === 'ok' && opened.access } : { type: 'invalid', message },
    );
  });
});

describe('what a request is given', () => {
  const refused = (message: string): object => ({
    type: 'fault',
    fault: { type: 'credentials', message },
    retryAfter: null,
  });
  const bearer = (token: string): object => ({ type: 'ok', headers: { authorization: `Bearer ${token}` } });

  it.each([
    [{}, {}],
    [{ as: 'viewer' }, { 'impersonate-user': 'viewer' }],
    [{ username: 'a' }, { authorization: 'Basic YTo=' }],
    [{ token: 't', username: 'a', password: 'b' }, { authorization: 'Bearer t' }],
    [{ tokenFile: 'gone', token: 't' }, { authorization: 'Bearer t' }],
  ])('of a user who says %j are the headers %j', async (user, headers) => {
    expect(await (await open(config(user))).headers()).toEqual({ type: 'ok', headers });
  });

  it('of a token file that is emptied is the last token, of one that never held any none', async () => {
    const file = await write('token', 'one');
    const clock = fakeClock();
    const access = await open(config({ tokenFile: 'token' }), { clock });
    expect(await access.headers()).toEqual(bearer('one'));
    await write('token', ' ');
    clock.advance(59_999);
    expect(await access.headers()).toEqual(bearer('one'));
    clock.advance(1);
    expect(await access.headers()).toEqual(bearer('one'));
    await write('token', 'two');
    clock.advance(59_999);
    expect(await access.headers()).toEqual(bearer('one'));
    clock.advance(1);
    expect(await access.headers()).toEqual(bearer('two'));
    await write('token', ' ');
    access.refresh();
    expect(await access.headers()).toEqual(refused(`tokenFile: ${file} is empty`));
  });

  it('is nothing where its kubeconfig asks for what is not supported', async () => {
    const proxied = await open(config({}, { 'proxy-url': 'http://proxy' }));
    const protocol = { type: 'protocol', message: 'proxy-url in a kubeconfig is not supported' };
    expect(await proxied.headers()).toEqual({ type: 'fault', fault: protocol, retryAfter: null });
    expect(await proxied.tls()).toEqual({ type: 'fault', fault: protocol, retryAfter: null });
    const gcp = await open(config({ 'auth-provider': { name: 'gcp' } }));
    expect(await gcp.headers()).toEqual(refused('the auth-provider gcp is not supported; an exec plugin is'));
  });

  it.each([
    [{ 'client-certificate': 'gone' }, {}],
    [{ 'client-key': 'gone' }, {}],
    [{}, { 'certificate-authority': 'gone' }],
  ])('is no TLS where a file of %j %j is missing', async (user, cluster) => {
    expect(await (await open(config(user, cluster))).tls()).toMatchObject({ fault: { type: 'credentials' } });
  });

  it('is no TLS of files that lie outside', async () => {
    const access = await open(config({ tokenFile: '/etc/hostname' }), { filesWithin: folder });
    expect(await access.headers()).toEqual(
      refused(`tokenFile: /etc/hostname lies outside of ${folder}, which it may not`),
    );
    await write('token', 'inside');
    expect(await (await open(config({ tokenFile: 'token' }), { filesWithin: folder })).headers()).toEqual(
      bearer('inside'),
    );
  });
});

describe('exec plugins', () => {
  const fault = (message: string): object => ({
    type: 'fault',
    fault: { type: 'credentials', message },
    retryAfter: null,
  });

  it.each([
    ['', 'the exec plugin of the kubeconfig names no command'],
    ['no-such-program', 'the exec plugin no-such-program was not found'],
    ['/bin/true', 'the exec plugin /bin/true is not allowed to run (security.execPlugins of plumbline.yaml)'],
  ])('%j is refused: %s', async (command, message) => {
    expect(await (await open(config(exec(command)))).headers()).toEqual(fault(message));
  });

  it.each([
    ['exit 3', 'failed (3): it said nothing'],
    ['echo why >&2; exit 4', 'failed (4): why'],
    ['kill -9 $$', 'failed (SIGKILL): it said nothing'],
    ['exec sleep 30', 'did not finish within 0.3 s'],
  ])('one that does %j says so', async (script, message) => {
    const command = await plugin('get-token', script);
    const access = await open(config(exec(command)), { allowExec: true, execTimeout: 300 });
    const answer = await access.headers();
    const said = answer.type === 'fault' ? answer.fault.message : '';
    // The path may look like a secret, and is then redacted.
    expect(said.slice(said.indexOf(' ', 'the exec plugin '.length) + 1)).toBe(message);
    expect(answer).toEqual(fault(said));
  });

  it('one that cannot be started now is a fault, and is tried again', async () => {
    const command = await plugin('get-token', credential({ token: 't' }));
    const clock = fakeClock();
    const large = { 'certificate-authority-data': 'A'.repeat(200_000) };
    const access = await open(config(exec(command, { provideClusterInfo: true }), large), { allowExec: true, clock });
    const failed = await access.headers();
    expect(failed).toMatchObject({
      fault: { type: 'credentials', message: expect.stringMatching(/cannot be started/) },
    });
    expect(await access.headers()).toBe(failed);
    clock.advance(5_001);
    expect(await access.headers()).not.toBe(failed);
  });

  it.each([
    ['echo', 'the exec plugin gave no ExecCredential'],
    [credential({}), 'the exec plugin gave neither a token nor a certificate'],
    [
      `echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1"}'`,
      'the exec plugin gave an ExecCredential of another apiVersion',
    ],
  ])('one that gives nothing of use says so: %s', async (script, message) => {
    const command = await plugin('get-token', script);
    expect(await (await open(config(exec(command)), { allowExec: true })).headers()).toEqual(fault(message));
  });

  it('a bare name is looked for in the folders of PATH', async () => {
    const before = process.env['PATH'];
    const command = await plugin('login', credential({ token: 'x' }));
    process.env['PATH'] = `relative:${join(folder, 'none')}:${folder}`;
    const access = await open(config(exec('login')), { allowedExecPlugins: [{ path: command, args: [], env: {} }] });
    const found = await access.headers();
    process.env['PATH'] = before;
    expect(found).toEqual({ type: 'ok', headers: { authorization: 'Bearer x' } });
  });

  it('one that gives a certificate only leaves the token of its user', async () => {
    const command = await plugin('get-token', credential({ clientCertificateData: pem.cert, clientKeyData: pem.key }));
    const access = await open(config({ ...exec(command), token: 'own' }), { allowExec: true });
    expect(await access.headers()).toEqual({ type: 'ok', headers: { authorization: 'Bearer own' } });
    expect(await access.tls()).toMatchObject({ tls: { cert: pem.cert, key: pem.key } });
  });

  it.each<readonly [object, object, object]>([
    [{}, {}, {}],
    [{ apiVersion: undefined }, {}, {}],
    [{ provideClusterInfo: false }, {}, {}],
    [{ provideClusterInfo: true }, {}, { cluster: { server: 'https://api.example.org:6443' } }],
    [
      { provideClusterInfo: true },
      { 'certificate-authority-data': 'Q0E=', 'insecure-skip-tls-verify': true },
      {
        cluster: {
          server: 'https://api.example.org:6443',
          'certificate-authority-data': 'Q0E=',
          'insecure-skip-tls-verify': true,
        },
      },
    ],
  ])('with %j of a cluster that says %j is told %j', async (part, cluster, info) => {
    const seen = join(folder, 'seen');
    const command = await plugin(
      'get-token',
      `printf '%s %s %s' "$#" "$1" "$KUBERNETES_EXEC_INFO" > ${seen}; ${credential({ token: 't' })}`,
    );
    const access = await open(config(exec(command, { args: ['login'], ...part }), cluster), { allowExec: true });
    expect(await access.headers()).toMatchObject({ type: 'ok' });
    const { readFile } = await import('node:fs/promises');
    const text = await readFile(seen, 'utf8');
    expect(text.slice(0, 8)).toBe('1 login ');
    expect(JSON.parse(text.slice(8))).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      spec: { interactive: false, ...info },
    });
  });

  it.each([
    ['fails', null, 5_000],
    ['gives what lives 10 min: until 1 min before its end', 600_000, 540_000],
    ['gives what lives 100 s: for four fifths of it', 100_000, 80_000],
    ['gives what has expired: no request after the other runs it', -1_000, 1_000],
  ])('what one %s is kept so long', async (_case, lifetime, kept) => {
    const clock = fakeClock();
    const expirationTimestamp = new Date(clock.now() + (lifetime ?? 0)).toISOString();
    const runs = join(folder, 'runs');
    const said = lifetime === null ? 'exit 1' : credential({ token: 't', expirationTimestamp });
    const command = await plugin('get-token', `echo x >> ${runs}; ${said}`);
    const access = await open(config(exec(command)), { allowExec: true, clock });
    const { readFile } = await import('node:fs/promises');
    const counts: number[] = [];
    for (const ms of [0, kept - 1, 1]) {
      clock.advance(ms);
      await access.headers();
      counts.push((await readFile(runs, 'utf8')).length / 2);
    }
    expect(counts).toEqual([1, 1, 2]);
  });

  it('runs one that is allowed by absolute path, once for many requests', async () => {
    const command = await plugin(
      'get-token',
      `echo x >> ${join(folder, 'runs')}; ${credential({ token: 'from-plugin' })}`,
    );
    const access = await open(config(exec(command)), { allowedExecPlugins: [{ path: command, args: [], env: {} }] });
    await Promise.all([access.headers(), access.headers()]);
    expect(await access.headers()).toEqual({ type: 'ok', headers: { authorization: 'Bearer from-plugin' } });
    const { readFile } = await import('node:fs/promises');
    expect(await readFile(join(folder, 'runs'), 'utf8')).toBe('x\n');
  });

  it('a relative command is relative to the kubeconfig, and allowed by where it lies', async () => {
    await mkdir(join(folder, 'bin'));
    const command = await plugin('bin/get-token', credential({ token: 't' }));
    const access = await open(config(exec('./bin/get-token')), {
      allowedExecPlugins: [{ path: command, args: [], env: {} }],
    });
    expect(await access.headers()).toMatchObject({ type: 'ok' });
    const other = await open(config(exec('./bin/get-token')), {
      allowedExecPlugins: ['get-token', './bin/get-token'].map(plain),
    });
    expect(await other.headers()).toMatchObject({ type: 'fault', fault: { type: 'credentials' } });
  });

  it('runs any for a context chosen by name', async () => {
    const command = await plugin(
      'get-token',
      credential({ token: 't', clientCertificateData: pem.cert, clientKeyData: pem.key }),
    );
    const access = await open(config(exec(command)), { allowExec: true });
    expect(await access.tls()).toMatchObject({ type: 'ok', tls: { cert: pem.cert, key: pem.key } });
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
