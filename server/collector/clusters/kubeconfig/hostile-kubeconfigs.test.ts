import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExecAllowance } from '#server/config/exec-allowance.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { hostileExecEnvironments, kubeconfigOf } from '#test/hostile/kubeconfigs.ts';
import { selfSigned } from '../testing/self-signed.ts';
import type { KubeconfigOptions } from './kubeconfig-access.ts';
import { openKubeconfig } from './kubeconfig.ts';

const pem = selfSigned();
const other = selfSigned();
const base64 = (text: string): string => Buffer.from(text).toString('base64');

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-'));
  await mkdir(join(folder, 'in'));
  await writeFile(join(folder, 'outside'), 'canary');
});
afterEach(() => rm(folder, { recursive: true }));

async function opened(user: object, cluster: object = {}, options: Partial<KubeconfigOptions> = {}) {
  const file = join(folder, 'in', 'one.yaml');
  await writeFile(file, kubeconfigOf({ user, cluster }));
  const open = await openKubeconfig([file], null, { clock: fakeClock(), ...options });
  if (open.type === 'invalid') throw new Error(open.message);
  return open.access;
}

/** The one line that is said of an access: when it is examined, and when it is used. */
async function said(access: Awaited<ReturnType<typeof opened>>): Promise<readonly (string | null)[]> {
  const examined = await access.examine();
  const [tls, headers] = [await access.tls(), await access.headers()];
  const used = tls.type === 'fault' ? tls : headers.type === 'fault' ? headers : null;
  return [examined, used].map((fault) => fault?.fault.message.replaceAll(folder, '') ?? null);
}

describe('an exec plugin', () => {
  async function plugin(): Promise<string> {
    const path = join(folder, 'login');
    const status = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token: 't' } };
    await writeFile(
      path,
      `#!/bin/bash\necho "$# $*" > ${folder}/args\nenv > ${folder}/env\necho '${JSON.stringify(status)}'\n`,
    );
    await chmod(path, 0o755);
    await writeFile(join(folder, 'evil.sh'), `echo ran > ${folder}/evil\n`);
    return path;
  }
  const asks = (command: string, rest: object) => ({
    exec: { apiVersion: 'client.authentication.k8s.io/v1', command, ...rest },
  });
  const allowing = (path: string, part: Partial<ExecAllowance> = {}): Partial<KubeconfigOptions> => ({
    allowedExecPlugins: [{ path, args: ['token'], env: { REGION: 'eu' }, ...part }],
  });

  it.each(hostileExecEnvironments)('is not run with the environment %j', async (name, value) => {
    const path = await plugin();
    const env = [{ name, value: value.replace('FOLDER', folder) }];
    const access = await opened(asks(path, { args: ['token'], env }), {}, allowing(path));
    const line = 'the exec plugin /login is allowed to run, but not with this env (security.execPlugins)';
    expect(await said(access)).toEqual([line, line]);
    await expect(readFile(join(folder, 'evil'))).rejects.toThrow('ENOENT');
    await expect(readFile(join(folder, 'env'))).rejects.toThrow('ENOENT');
  });

  it.each([[[]], [['token', '--endpoint=http://evil.example']], [['token ']], [['-c', 'evil']]])(
    'is not run with the arguments %j',
    async (args) => {
      const path = await plugin();
      const line = 'the exec plugin /login is allowed to run, but not with these args (security.execPlugins)';
      expect(await said(await opened(asks(path, { args }), {}, allowing(path)))).toEqual([line, line]);
    },
  );

  it('is run with what plumbline.yaml says and a minimal environment', async () => {
    process.env['AWS_SECRET_ACCESS_KEY'] = 'canary';
    process.env['LD_AUDIT'] = '';
    const path = await plugin();
    const asked = asks(path, { args: ['token'], env: [] });
    const access = await opened(asked, {}, allowing(path));
    expect(await access.headers()).toEqual({ type: 'ok', headers: { authorization: 'Bearer t' } });
    delete process.env['AWS_SECRET_ACCESS_KEY'];
    delete process.env['LD_AUDIT'];
    expect(await readFile(join(folder, 'args'), 'utf8')).toBe('1 token\n');
    const names = (await readFile(join(folder, 'env'), 'utf8')).match(/^\w+(?==)/gm) ?? [];
    expect(names).toEqual(expect.arrayContaining(['PATH', 'REGION', 'KUBERNETES_EXEC_INFO']));
    expect(names).not.toContain('AWS_SECRET_ACCESS_KEY');
    expect(names).not.toContain('LD_AUDIT');
  });

  it('may be allowed several times, with other arguments each', async () => {
    const path = await plugin();
    const twice = [['a'], ['b']].map((args) => ({ path, args, env: {} }));
    const access = await opened(asks(path, { args: ['b'] }), {}, { allowedExecPlugins: twice });
    expect(await access.headers()).toMatchObject({ type: 'ok' });
  });
});

describe('a file that a kubeconfig names', () => {
  it.each(['tokenFile', 'client-certificate'] as const)(
    '%s is not reached by a link out of its folder',
    async (field) => {
      await symlink('../outside', join(folder, 'in', 'link'));
      const line = `${field}: /in/link lies outside of /in, which it may not`;
      expect(await said(await opened({ [field]: 'link' }, {}, { filesWithin: join(folder, 'in') }))).toEqual([
        line,
        line,
      ]);
    },
  );

  it('is reached by a link within it, as in a mounted Secret, and anywhere where the directory is trusted', async () => {
    await mkdir(join(folder, 'in', '..2026'));
    await writeFile(join(folder, 'in', '..2026', 'token'), 'inside');
    await symlink('..2026', join(folder, 'in', '..data'));
    await symlink('..data/token', join(folder, 'in', 'token'));
    await symlink('../outside', join(folder, 'in', 'link'));
    const bearer = (token: string) => ({ type: 'ok', headers: { authorization: `Bearer ${token}` } });
    const within = await opened({ tokenFile: 'token' }, {}, { filesWithin: join(folder, 'in') });
    expect(await within.headers()).toEqual(bearer('inside'));
    expect(await (await opened({ tokenFile: 'link' })).headers()).toEqual(bearer('canary'));
  });

  it.each([
    ['tokenFile', 'pipe', 'tokenFile: /in/pipe is no regular file'],
    ['tokenFile', '/dev/zero', 'tokenFile: /dev/zero is no regular file'],
    ['tokenFile', 'large', 'tokenFile: /in/large is larger than 1 MB'],
    ['tokenFile', 'none', 'tokenFile: /in/none does not exist'],
    ['client-certificate', 'pipe', 'client-certificate: /in/pipe is no regular file'],
    ['client-key', 'none', 'client-key: /in/none does not exist'],
  ])('%s: %s is a line, and blocks nothing', async (field, path, line) => {
    execFileSync('mkfifo', [join(folder, 'in', 'pipe')]);
    await writeFile(join(folder, 'in', 'large'), 'x'.repeat(1_000_001));
    expect(await said(await opened({ [field]: path }))).toEqual([line, line]);
  });
});

describe('TLS material', () => {
  const ca = 'certificate-authority: it holds no certificate (PEM; in certificate-authority-data as base64)';
  const noCert = 'client-certificate: it holds no certificate (PEM; in client-certificate-data as base64)';
  const noKey = 'client-key: it holds no private key without a passphrase (PEM; in client-key-data as base64)';
  const cert = { 'client-certificate-data': base64(pem.cert) };

  const torn = pem.cert.replace('MII', '###');
  const tornCert = 'client-certificate: one of the certificates in it cannot be read';

  it.each([
    [
      'a certificate that is torn before one that is not',
      { 'client-certificate-data': base64(torn + pem.cert), 'client-key-data': base64(pem.key) },
      {},
      tornCert,
    ],
    [
      'a certificate that is torn after one that is not',
      { 'client-certificate-data': base64(pem.cert + torn), 'client-key-data': base64(pem.key) },
      {},
      tornCert,
    ],
    ['a CA that is no base64', {}, { 'certificate-authority-data': pem.cert }, ca],
    ['a CA that is no PEM', {}, { 'certificate-authority-data': base64('nonsense') }, ca],
    ['a CA that is a key', {}, { 'certificate-authority-data': base64(pem.key) }, ca],
    ['a CA that is torn', {}, { 'certificate-authority-data': base64(pem.cert.replace('MII', '###')) }, ca],
    ['an empty CA', {}, { 'certificate-authority-data': base64(' ') }, ca],
    [
      'a certificate that is none',
      { 'client-certificate-data': 'eA==', 'client-key-data': base64(pem.key) },
      {},
      noCert,
    ],
    ['a key that is none', { ...cert, 'client-key-data': base64('x') }, {}, noKey],
    ['no key', cert, {}, 'client-certificate: there is no client-key for it'],
    ['no certificate', { 'client-key-data': base64(pem.key) }, {}, 'client-key: there is no client-certificate for it'],
    [
      'a key of another certificate',
      { ...cert, 'client-key-data': base64(other.key) },
      {},
      'client-key: it is not the key of the client-certificate',
    ],
  ])('%s is said before anything is asked', async (_case, user, cluster, line) => {
    expect(await said(await opened(user, cluster))).toEqual([line, line]);
  });
});

describe('a server', () => {
  it.each([
    { token: 't' },
    { tokenFile: 'token' },
    { username: 'u', password: 'p' },
    { exec: { command: '/bin/true' } },
  ])('without TLS gets nothing of %j', async (user) => {
    await writeFile(join(folder, 'in', 'token'), 't');
    const access = await opened(user, { server: 'http://api.example.org' }, { allowExec: true });
    const line = 'server: it is http://, and no credentials are sent over that; write https://';
    expect(await said(access)).toEqual([line, line]);
  });

  it('without TLS, or whose certificate is not verified, says so', async () => {
    expect((await opened({}, { server: 'http://127.0.0.1:8001' })).cautions()).toEqual([
      'It is read over http:// without encryption: what is said of it may be anybody’s.',
    ]);
    expect((await opened({}, { 'insecure-skip-tls-verify': true })).cautions()).toEqual([
      expect.stringContaining('Its certificate is not verified (insecure-skip-tls-verify)'),
    ]);
    expect((await opened({})).cautions()).toEqual([]);
  });

  it('gets nothing that the kubeconfig has for another one since', async () => {
    const access = await opened({ token: 'first' });
    const file = join(folder, 'in', 'one.yaml');
    await writeFile(
      file,
      kubeconfigOf({ user: { token: 'second' }, cluster: { server: 'https://other.example.org' } }),
    );
    access.refresh();
    expect(await access.headers()).toEqual({ type: 'ok', headers: { authorization: 'Bearer first' } });
    await writeFile(file, kubeconfigOf({ user: { token: 'third' } }));
    access.refresh();
    expect(await access.headers()).toEqual({ type: 'ok', headers: { authorization: 'Bearer third' } });
  });
});

const addressForName = 'tls-server-name: it is an IP address; write a name that the certificate of the server bears';

it.each<readonly [user: object, cluster: object, line: string]>([
  [{ token: 'a\nb' }, {}, 'token: it is none; a token is one word of visible ASCII'],
  [{ token: 'a b' }, {}, 'token: it is none; a token is one word of visible ASCII'],
  [{ token: 'größe' }, {}, 'token: it is none; a token is one word of visible ASCII'],
  [{ tokenFile: 'snowman' }, {}, 'token: it is none; a token is one word of visible ASCII'],
  [{ as: '☃' }, {}, 'as, as-groups: only visible ASCII is supported'],
  [{ as: 'a', 'as-groups': ['b', 'c\n'] }, {}, 'as, as-groups: only visible ASCII is supported'],
  [{}, { 'tls-server-name': '10.0.0.1' }, addressForName],
  [{}, { 'tls-server-name': '::1' }, addressForName],
])('%j at %j is a line, and asks nothing', async (user, cluster, line) => {
  await writeFile(join(folder, 'in', 'snowman'), '☃');
  expect(await said(await opened(user, cluster))).toEqual([line, line]);
});

describe('credentials that a cluster does not accept', () => {
  const jwt = (exp: number): string => `e30.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.x`;

  it.each([
    ['none', {}, 'the kubeconfig names none for this context'],
    ['a token that is over', { token: jwt(1_700_000_000) }, 'the token expired at 2023-11-14T22:13:20.000Z'],
    ['a token that is not', { token: jwt(99_999_999_999) }, null],
    ['an opaque token', { token: 'opaque' }, null],
  ])('%s say why, where they tell', async (_case, user, why) => {
    const access = await opened(user);
    await access.headers();
    expect(access.unaccepted?.()).toBe(why);
  });

  it('nothing of a client certificate that cannot be read', async () => {
    const access = await opened({ 'client-certificate-data': base64(pem.cert.replace('MII', '###') + pem.cert) });
    await access.tls();
    expect(access.unaccepted?.()).toBeNull();
  });

  it('a client certificate that is over says so', async () => {
    const old = selfSigned(Date.UTC(2020, 0, 1));
    const access = await opened({ 'client-certificate-data': base64(old.cert), 'client-key-data': base64(old.key) });
    await access.tls();
    expect(access.unaccepted?.()).toMatch(/^the client certificate expired at 20/);
  });
});

it('empty texts are none, as for client-go, and one torn certificate of a bundle harms no other', async () => {
  const empty = { 'client-certificate-data': '', 'client-key': '', tokenFile: '', token: 't' };
  const none = await opened(empty, { 'certificate-authority-data': '' });
  expect(await said(none)).toEqual([null, null]);
  expect(await none.headers()).toEqual({ type: 'ok', headers: { authorization: 'Bearer t' } });
  const bundle = base64(`# a comment\n${pem.cert.replace('MII', '###')}\n${other.cert}`);
  expect(await said(await opened({ token: 't' }, { 'certificate-authority-data': bundle }))).toEqual([null, null]);
});
