import { stringify } from 'yaml';

/** The text of a kubeconfig with one context. */
export function kubeconfigOf(part: {
  readonly user?: object;
  readonly cluster?: object;
  readonly name?: string;
}): string {
  const name = part.name ?? 'one';
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name, cluster: { server: 'https://api.example.org:6443', ...part.cluster } }],
      users: [{ name, user: part.user ?? {} }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      'current-context': name,
    },
    { lineWidth: 0 },
  );
}

/** Variables by which a kubeconfig makes an allowed program run something else; FOLDER holds evil.sh. */
export const hostileExecEnvironments: readonly (readonly [name: string, value: string])[] = [
  ['BASH_ENV', 'FOLDER/evil.sh'],
  ['ENV', 'FOLDER/evil.sh'],
  ['LD_PRELOAD', 'FOLDER/evil.so'],
  ['LD_LIBRARY_PATH', 'FOLDER'],
  ['NODE_OPTIONS', '--require=FOLDER/evil.js'],
  ['PYTHONSTARTUP', 'FOLDER/evil.py'],
  ['PYTHONPATH', 'FOLDER'],
  ['PERL5OPT', '-MFOLDER'],
  ['AWS_CONFIG_FILE', 'FOLDER/config'],
  ['PATH', 'FOLDER'],
  ['HOME', 'FOLDER'],
  ['REGION', 'us'],
  ['BASH_FUNC_echo%%', '() { FOLDER/evil.sh; }'],
];

/** Aliases that stand for a thousand million values. */
export const yamlBomb = Array.from('bcdefghi').reduce(
  (text, key, index) =>
    `${text}${key}: &${key} [${Array.from({ length: 10 }, () => `*${'abcdefgh'[index]}`).join()}]\n`,
  'a: &a [x,x,x,x,x,x,x,x,x,x]\n',
);

/** Texts that are no kubeconfig, and what is said of each after the name of the file. */
export const brokenKubeconfigs: readonly (readonly [what: string, text: string, said: string])[] = [
  ['nothing', '', ': it is empty or no kubeconfig'],
  ['prose', 'Put your kubeconfigs here.\n', ': it is empty or no kubeconfig'],
  ['a list', '- a\n- b\n', ': it is empty or no kubeconfig'],
  ['a tab', 'contexts:\n\t- name: x\n', ':2:1: a tab indents this line: YAML is indented with spaces'],
  ['an open quote', 'users:\n- user: {token: "canary\n', ':3:1: Missing closing "quote'],
  ['aliases that multiply', yamlBomb, ': its aliases (*name) stand for too much, or for nothing'],
  ['brackets without end', '['.repeat(100_000), ': it is nested too deeply'],
  ['no contexts', 'apiVersion: v1\nkind: Config\nclusters: []\n', ': it has no contexts'],
  ['a context without a name', 'contexts:\n- context: { cluster: c }\n', ': contexts[0].name is missing'],
];

/** Fields that are not of their kind, and what is said of each after its place. */
export const wrongKubeconfigFields: readonly (readonly [text: string, said: string])[] = [
  ['clusters: [null]', '1:12: clusters[0] must hold fields (name: value)'],
  ['clusters: { a: b }', '1:11: clusters must be a list'],
  ['clusters: [{ name: 5 }]', '1:20: clusters[0].name must be text: put it in quotes'],
  ['clusters: [{ name: a, cluster: b }]', '1:32: clusters[0].cluster must hold fields (name: value)'],
  ['clusters: [{ cluster: { server: [a] } }]', '1:33: clusters[0].cluster.server must be text'],
  ...[
    ['clusters', 'cluster', 'certificate-authority-data', '12345'],
    ['clusters', 'cluster', 'certificate-authority-data', '{ length: 1000000000 }'],
    ['clusters', 'cluster', 'certificate-authority', '{ length: 1000000000 }'],
    ['clusters', 'cluster', 'tls-server-name', '1.5'],
    ['clusters', 'cluster', 'proxy-url', '[]'],
    ['users', 'user', 'client-certificate-data', '5'],
    ['users', 'user', 'client-key-data', '[1, 2]'],
    ['users', 'user', 'client-key', 'true'],
    ['users', 'user', 'token', '123456'],
    ['users', 'user', 'tokenFile', '1'],
    ['users', 'user', 'username', '7'],
    ['users', 'user', 'password', '7'],
    ['users', 'user', 'as', '7'],
    ['contexts', 'context', 'cluster', '7'],
    ['contexts', 'context', 'user', '{}'],
  ].map(([list = '', body = '', field = '', value = '']): readonly [string, string] => [
    `${list}:\n- ${body}:\n    ${field}: ${value}\n`,
    `3:${field.length + 7}: ${list}[0].${body}.${field} must be text${/^[[{]/.test(value) ? '' : ': put it in quotes'}`,
  ]),
  ['users: [{ user: { token: !!binary QQ== } }]', '1:35: users[0].user.token must be text'],
  ['users: [{ user: { as-groups: [1] } }]', '1:30: users[0].user.as-groups must be a list of texts'],
  [
    'clusters: [{ cluster: { insecure-skip-tls-verify: "true" } }]',
    '1:51: clusters[0].cluster.insecure-skip-tls-verify must be true or false',
  ],
  ['current-context: 7', '1:18: current-context must be text: put it in quotes'],
];

/** Names of files that are no name of a cluster. */
export const hostileFileNames: readonly string[] = [
  'eu\nus.yaml',
  'eu\u001b[31m.yaml',
  'eu\u202ewest.yaml',
  'eu west.yaml',
  '-eu.yaml',
  'eu<script>.yaml',
  `${'x'.repeat(201)}.yaml`,
  'é.yaml',
];
