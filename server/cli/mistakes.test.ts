// The mistakes of a first hour, one line each: what is written, the one line that is said of it with its place, the exit code.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { brokenKubeconfigs, kubeconfigOf, yamlBomb } from '#test/hostile/kubeconfigs.ts';
import { startScriptedServer, type ScriptedServer } from '../collector/clusters/testing/scripted-server.ts';
import { selfSigned } from '../collector/clusters/testing/self-signed.ts';
import { runLine as run, writeAll } from './testing/run-line.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const sound = kubeconfigOf({ user: { token: 't' } });
const one = 'clusters:\n  - name: eu\n    kubeconfig: ./eu.yaml\n';
const watched = 'clusters:\n  - directory: ./kube\n';
const configFile = 'FOLDER/plumbline.yaml';

type Files = Readonly<Record<string, string>>;
const config = (yaml: string, files: Files = {}): Files => ({ 'plumbline.yaml': yaml, ...files });

/** Kubeconfigs that read well and will not work, and the line that is said of each after its place. */
const unsoundKubeconfigs: readonly (readonly [
  mistake: string,
  part: Parameters<typeof kubeconfigOf>[0],
  said: string,
])[] = [
  ['a key file that is missing', { user: { 'client-key': 'eu.key' } }, 'client-key: FOLDER/eu.key does not exist'],
  ['a token file that is missing', { user: { tokenFile: './token' } }, 'tokenFile: FOLDER/token does not exist'],
  [
    'a CA file that is missing',
    { cluster: { 'certificate-authority': 'ca.crt' } },
    'certificate-authority: FOLDER/ca.crt does not exist',
  ],
  [
    'CA data that is no base64',
    { cluster: { 'certificate-authority-data': '-----BEGIN CERTIFICATE-----' } },
    'certificate-authority: it holds no certificate (PEM; in certificate-authority-data as base64)',
  ],
  [
    'http with credentials',
    { user: { token: 't' }, cluster: { server: 'http://api.example.org' } },
    'server: it is http://, and no credentials are sent over that; write https://',
  ],
  [
    'a server without its scheme',
    { cluster: { server: 'api.example.org' } },
    'the server of cluster one is not an http or https URL',
  ],
  [
    'a plugin that nobody allowed',
    { user: { exec: { command: '/usr/bin/aws', args: ['eks', 'get-token'] } } },
    'the exec plugin /usr/bin/aws is not allowed to run (security.execPlugins of plumbline.yaml)',
  ],
  [
    'a plugin that is not installed',
    { user: { exec: { command: 'no-such-plugin' } } },
    'the exec plugin no-such-plugin was not found',
  ],
  [
    'an auth-provider',
    { user: { 'auth-provider': { name: 'gcp' } } },
    'the auth-provider gcp is not supported; an exec plugin is',
  ],
  ['a proxy', { cluster: { 'proxy-url': 'http://p' } }, 'proxy-url in a kubeconfig is not supported'],
];

describe('before anything is asked (--dry-run)', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mistakes-'));
    await writeAll(folder, { 'eu.yaml': sound, 'kube/.keep': '' });
  });
  afterEach(() => rm(folder, { recursive: true }));

  it.each<readonly [mistake: string, files: Files, line: string]>([
    ['no file', {}, `${configFile}: the file does not exist`],
    ['a folder', { 'plumbline.yaml/x': '' }, `${configFile}: the file is a folder, not a file`],
    ['no cluster', config(''), `${configFile}: names no cluster`],
    [
      'a tab',
      config('clusters:\n\t- name: eu\n'),
      `${configFile}:2:1: a tab indents this line: YAML is indented with spaces`,
    ],
    [
      'cluster:',
      config('cluster:\n  - name: eu\n'),
      `${configFile}:1:1: unknown key "cluster": did you mean "clusters"?`,
    ],
    [
      'kubeconfig misspelt',
      config('clusters:\n  - name: eu\n    kubeconf: ./eu.yaml\n'),
      `${configFile}:3:5: unknown key "clusters[0].kubeconf": did you mean "kubeconfig"?`,
    ],
    [
      'a key of the wrong depth',
      config(`${one}staleAfterIntervals: 3\n`),
      `${configFile}:4:1: unknown key "staleAfterIntervals"`,
    ],
    [
      'a list without its dash',
      config('clusters:\n  name: eu\n'),
      `${configFile}:2:3: clusters: must be a list: begin each of its entries with "- "`,
    ],
    [
      'names for clusters',
      config('clusters: [one]\n'),
      `${configFile}:1:12: clusters[0]: a bare word is no entry: write - name: one`,
    ],
    [
      'a number for a name',
      config('clusters:\n  - name: 1\n'),
      `${configFile}:2:11: clusters[0].name: 1 is no text: put it in quotes: "1"`,
    ],
    ['prose', config('Clusters go here.\n'), `${configFile}:1:1: must be keys with values, as in "clusters:"`],
    [
      'a kubeconfig',
      config(sound),
      `${configFile}:1:1: this is a kubeconfig: name it under clusters[].kubeconfig, or use --context`,
    ],
    ['UTF-16', config('\uFFFD\uFFFDc\0l\0'), `${configFile}: the file is not UTF-8`],
    [
      'a record that is over at once',
      config(`${one}record: { spans: 1h }\n`),
      `${configFile}:4:18: record.spans: must be 1d or more`,
    ],
    ['an open quote', config('clusters:\n  - name: "eu\n'), `${configFile}:3:1: Missing closing "quote`],
    [
      'a file of another place',
      config('clusters:\n  - name: eu\n    kubeconfig: ./us.yaml\n'),
      `${configFile}:3:17: FOLDER/us.yaml does not exist`,
    ],
    [
      'a directory of another place',
      config('clusters:\n  - directory: ./none\n'),
      `${configFile}:2:16: FOLDER/none does not exist`,
    ],
    ['a name twice', config(`${one}  - name: eu\n`), `${configFile}:4:11: two clusters are called "eu"`],
    [
      'a name with a space',
      config('clusters:\n  - name: eu west\n'),
      `${configFile}:2:11: clusters[0].name: must be letters, digits and . _ : @ - and start with a letter or digit`,
    ],
    ['a bomb of aliases', config(yamlBomb), `${configFile}: its aliases (*name) stand for too much, or for nothing`],
    [
      'a plugin by its path alone',
      config(`${one}security:\n  execPlugins: [/usr/bin/aws]\n`),
      `${configFile}:5:17: security.execPlugins[0]: a path alone would allow any arguments: write { path: /usr/bin/aws, args: [...], env: {...} }, as the kubeconfig has them`,
    ],
    [
      'a context that is not there',
      config(`${one}    context: us\n`),
      `${configFile}:2:5: eu: there is no context us; there are one`,
    ],
    ...brokenKubeconfigs.map(
      ([what, text, said]) =>
        [
          `${what} for a kubeconfig`,
          config(one, { 'eu.yaml': text }),
          `${configFile}:2:5: eu: eu.yaml${said}`,
        ] as const,
    ),
    ...unsoundKubeconfigs.map(
      ([mistake, part, said]) =>
        [mistake, config(one, { 'eu.yaml': kubeconfigOf(part) }), `${configFile}:2:5: eu: ${said}`] as const,
    ),
    [
      'a broken file in a watched directory',
      config(watched, { 'kube/us.yaml': 'a: [', 'kube/eu.yaml': sound }),
      `${configFile}:2:5: kube/us.yaml: us.yaml:1:5: this line is not indented like what it belongs to, or a bracket before it is not closed`,
    ],
  ])('%s is one line', async (_mistake, files, line) => {
    await writeAll(folder, files);
    const done = await run(folder, ['start', '--dry-run', '--port', '0', '--config', configFile]);
    expect(done).toEqual({ code: 78, out: [], said: [line] });
  });

  it.each<readonly [input: string, files: Files, notes: readonly string[], summary: string]>([
    ['a good file', config(one), [], '1 cluster'],
    ['a directory', config(watched, { 'kube/eu.yaml': sound }), [], '1 kubeconfig in 1 directory'],
    [
      'both',
      config(`${one}  - directory: ./kube\n`, {
        'kube/us.yaml': kubeconfigOf({ cluster: { server: 'https://us.example.org' } }),
      }),
      [],
      '1 cluster, and 1 kubeconfig in 1 directory',
    ],
    [
      'an empty directory',
      config(watched),
      ['Note: FOLDER/kube: it holds no kubeconfig yet'],
      '0 kubeconfigs in 1 directory',
    ],
    [
      'a file of keys that is not made yet',
      config(`${one}embeds: { keys: ./keys.yaml }\n`),
      ['Note: FOLDER/keys.yaml has no key that signs: plumbline link --new-key makes one.'],
      '1 cluster',
    ],
    [
      'README.txt',
      config(watched, { 'kube/README.txt': 'Kubeconfigs go here.\n', 'kube/eu.yaml': sound }),
      ['Note: kube/README.txt: it is no kubeconfig'],
      '1 kubeconfig in 1 directory',
    ],
    [
      'a file of the name of a configured cluster',
      config(`${one}  - directory: ./kube\n`, { 'kube/eu.yaml': kubeconfigOf({}) }),
      ['Note: eu: Its name is wanted by kube/eu.yaml too: not read, for plumbline.yaml has it.'],
      '1 cluster, and 1 kubeconfig in 1 directory',
    ],
    [
      'one cluster under two names',
      config(`${one}  - name: europe\n    kubeconfig: ./eu.yaml\n`),
      [
        'Note: eu: europe is at the same API server: if it is one cluster, all of it is counted twice.',
        'Note: europe: eu is at the same API server: if it is one cluster, all of it is counted twice.',
      ],
      '2 clusters',
    ],
    [
      'a certificate that is not verified',
      config(one, { 'eu.yaml': kubeconfigOf({ cluster: { 'insecure-skip-tls-verify': true } }) }),
      [
        'Note: eu: Its certificate is not verified (insecure-skip-tls-verify): whoever is in between can read its credentials and say what they like.',
      ],
      '1 cluster',
    ],
  ])('%s is sound, and says so', async (_input, files, notes, summary) => {
    await writeAll(folder, files);
    const done = await run(folder, ['start', '--dry-run', '--port', '0', '--config', configFile]);
    const out = [`${configFile} is sound: ${summary}. No cluster was asked.`];
    expect(done).toEqual({ code: 0, out, said: notes });
  });

  it.each<readonly [mistake: string, args: readonly string[], lines: readonly string[]]>([
    [
      'a broken default kubeconfig',
      ['start'],
      ['FOLDER/broken:2:1: a tab indents this line: YAML is indented with spaces'],
    ],
    [
      'a context of a broken default kubeconfig',
      ['check', '--context', 'c3'],
      ['FOLDER/broken:2:1: a tab indents this line: YAML is indented with spaces'],
    ],
  ])('%s says its place', async (_mistake, args, lines) => {
    await writeAll(folder, { broken: 'contexts:\n\t- name: c3\n' });
    const done = await run(folder, args, { KUBECONFIG: 'FOLDER/broken' });
    expect(done).toEqual({ code: 78, out: [], said: lines });
  });

  it('an empty watched directory is looked at, and ends', async () => {
    await writeAll(folder, config(watched));
    // In a process of its own: nothing but the look keeps it alive.
    const program = join(import.meta.dirname, 'plumbline.ts');
    const args = [program, 'check', '--config', join(folder, 'plumbline.yaml')];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    const last = stderr.trimEnd().split('\n').at(-1)?.replaceAll(folder, 'FOLDER');
    expect([status, stdout, last]).toEqual([2, '', 'Left out: FOLDER/kube: it holds no kubeconfig']);
  });
});

describe('what clusters answer (check)', () => {
  let folder = '';
  let server: ScriptedServer;
  /** As an API server with anonymous requests: it answers one, and closes the connection. */
  let anonymous: ScriptedServer;
  const plain = http.createServer((_request, response) => response.end('hello'));
  /** As Go's servers do for plain HTTP. */
  const tlsOnly = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () =>
      socket.end('HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n'),
    );
  });
  let done: Awaited<ReturnType<typeof run>>;
  const mistakes = new Map<string, string>();

  function portOf(listening: net.Server): number {
    const address = listening.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** A kubeconfig for each mistake, by its name, with the line that is to be said. */
  function write(): Files {
    const { url, ca } = server;
    const host = new URL(url).host;
    const good = { server: url, 'certificate-authority-data': base64(ca) };
    const token = (exp: number): string => `e30.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.x`;
    const unaccepted = 'unauthorized: the cluster does not accept the credentials';
    const cases: readonly (readonly [name: string, user: object, cluster: object, line: string])[] = [
      ['no-credentials', {}, good, `${unaccepted}: the kubeconfig names none for this context`],
      [
        'no-credentials-answered-once',
        {},
        { server: anonymous.url, 'certificate-authority-data': base64(anonymous.ca) },
        `${unaccepted}: the kubeconfig names none for this context`,
      ],
      ['token-over', { token: token(1) }, good, `${unaccepted}: the token expired at 1970-01-01T00:00:01.000Z`],
      ['token-wrong', { token: 'wrong' }, good, unaccepted],
      [
        'ca-of-another',
        { token: 't' },
        { ...good, 'certificate-authority-data': base64(selfSigned().cert) },
        `unreachable: the certificate of ${host} is not signed by the certificate-authority of the kubeconfig (DEPTH_ZERO_SELF_SIGNED_CERT)`,
      ],
      [
        'ca-none',
        { token: 't' },
        { ...good, 'certificate-authority-data': base64('nonsense') },
        'misconfigured: certificate-authority: it holds no certificate (PEM; in certificate-authority-data as base64)',
      ],
      [
        'other-name',
        { token: 't' },
        { ...good, 'tls-server-name': 'api.example.org' },
        `unreachable: the certificate of ${host} is for other names: tls-server-name can say which (ERR_TLS_CERT_ALTNAME_INVALID)`,
      ],
      [
        'https-for-http',
        { token: 't' },
        { server: `https://127.0.0.1:${portOf(plain)}` },
        `unreachable: 127.0.0.1:${portOf(plain)} does not speak TLS: the server of the kubeconfig may be http://, not https://`,
      ],
      [
        'http-for-https',
        {},
        { server: `http://127.0.0.1:${portOf(tlsOnly)}` },
        'unreachable: server: it speaks TLS, and the kubeconfig says http://; write https://',
      ],
      ['nobody-there', { token: 't' }, { server: 'https://127.0.0.1:1' }, 'unreachable: the connection is refused'],
    ];
    for (const [name, , , line] of cases) mistakes.set(name, line);
    return Object.fromEntries(
      cases.map(([name, user, cluster]) => [`kube/${name}.yaml`, kubeconfigOf({ user, cluster })]),
    );
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mistakes-'));
    server = await startScriptedServer((asked) => {
      if (asked.header('authorization') === 'Bearer t') return false;
      return asked.json(401, { kind: 'Status', code: 401 });
    });
    anonymous = await startScriptedServer(() => {
      anonymous.goAway();
      return false;
    });
    await Promise.all([plain, tlsOnly].map((each) => new Promise<void>((up) => each.listen(0, '127.0.0.1', up))));
    await writeAll(folder, config(watched, write()));
    done = await run(folder, ['check', '--timeout', '3', '--config', configFile]);
  });
  afterAll(async () => {
    await server.stop();
    await anonymous.stop();
    plain.close();
    tlsOnly.close();
    await rm(folder, { recursive: true });
  });

  it('is one line for each cluster, and exit code 2', () => {
    const seen = done.said.filter((line) => line.startsWith('Not seen: '));
    expect(seen.toSorted()).toEqual([...mistakes].map(([name, line]) => `Not seen: ${name}: ${line}`).toSorted());
    expect(done.code).toBe(2);
  });
});
