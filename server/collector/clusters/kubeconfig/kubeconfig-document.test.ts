import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { wrongKubeconfigFields } from '#test/hostile/kubeconfigs.ts';
import { readKubeconfigDocument } from './kubeconfig-document.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeconfig-document-'));
});

afterEach(() => rm(folder, { recursive: true }));

async function read(config: unknown) {
  const file = join(folder, 'config');
  await writeFile(file, typeof config === 'string' ? config : JSON.stringify(config));
  return readKubeconfigDocument(file, { within: null, most: 100_000 });
}

const server = 'https://10.0.0.1:6443';

it('reads all that a cluster and a user may say, files from the folder of the kubeconfig', async () => {
  const cluster = {
    ...{ server, 'certificate-authority-data': 'Y2E=', 'certificate-authority': 'ca.pem' },
    ...{ 'insecure-skip-tls-verify': true, 'tls-server-name': 'api', 'proxy-url': 'http://proxy' },
  };
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'login' };
  const user = {
    ...{
      'client-certificate-data': 'Yw==',
      'client-certificate': 'c.pem',
      'client-key-data': 'aw==',
      'client-key': 'k.pem',
    },
    ...{ token: ' t ', tokenFile: 'token', username: 'u', password: 'p', exec, as: 'root', 'as-groups': ['a', 'b'] },
  };
  const config = {
    'current-context': 'x',
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user }],
  };
  expect(await read(config)).toEqual({
    type: 'ok',
    document: {
      folder,
      currentContext: 'x',
      contexts: [{ name: 'x', cluster: 'c', user: 'u' }],
      clusters: [
        {
          ...{ name: 'c', server, caData: 'Y2E=', caFile: join(folder, 'ca.pem') },
          ...{ insecure: true, tlsServerName: 'api', proxyUrl: 'http://proxy' },
        },
      ],
      users: [
        {
          ...{ name: 'u', certData: 'Yw==', certFile: join(folder, 'c.pem') },
          ...{ keyData: 'aw==', keyFile: join(folder, 'k.pem'), token: 't', tokenFile: join(folder, 'token') },
          ...{ basic: { username: 'u', password: 'p' }, exec, authProvider: null },
          impersonate: { user: 'root', groups: ['a', 'b'] },
        },
      ],
    },
  });
});

it('reads what says nothing as nothing', async () => {
  const config = {
    'current-context': '',
    contexts: [{ name: 'x', context: { cluster: 'c', user: '' } }],
    clusters: [{ name: 'c', cluster: { server } }],
    users: [
      { name: 'u', user: { token: ' ', exec: 'none' } },
      { name: 'v', user: { username: 'v', 'auth-provider': { name: 'oidc' }, as: 'w' } },
    ],
  };
  const none = {
    ...{ certData: null, certFile: null, keyData: null, keyFile: null, token: null, tokenFile: null },
    ...{ basic: null, exec: null, authProvider: null, impersonate: null },
  };
  const [basic, impersonate] = [
    { username: 'v', password: '' },
    { user: 'w', groups: [] },
  ];
  expect(await read(config)).toEqual({
    type: 'ok',
    document: {
      folder,
      currentContext: null,
      contexts: [{ name: 'x', cluster: 'c', user: null }],
      clusters: [
        { name: 'c', server, caData: null, caFile: null, insecure: false, tlsServerName: null, proxyUrl: null },
      ],
      users: [
        { ...none, name: 'u' },
        { ...none, name: 'v', basic, authProvider: 'oidc', impersonate },
      ],
    },
  });
});

it.each([
  ['', 'config: it is empty or no kubeconfig'],
  ['[]', 'config: it is empty or no kubeconfig'],
  ['{"contexts":[],"clusters":[],"users":[]}', 'config: it has no contexts'],
])('%j: %s', async (text, message) => expect(await read(text)).toEqual({ type: 'invalid', message }));

it.each(wrongKubeconfigFields)('%j: %s', async (text, said) =>
  expect(await read(text)).toEqual({ type: 'invalid', message: `config:${said}` }),
);

it('is of its size, with the aliases written out', async () => {
  const users = Array.from({ length: 50 }, (_, index) => `- { name: u${index}, user: { token: *long } }\n`);
  const text = `x: &long ${'x'.repeat(10_000)}\ncontexts: [{ name: x, context: { cluster: c } }]\nusers:\n${users.join('')}`;
  expect(await read(text)).toEqual({ type: 'invalid', message: 'config: its aliases (*name) stand for too much' });
  const large = { type: 'invalid', message: expect.stringMatching(/is larger than 100 KB$/) };
  expect(await read(' '.repeat(100_001))).toEqual(large);
});
