// A cluster of somebody else answers the script that makes a kubeconfig for it.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';

const script = join(import.meta.dirname, 'kubeconfig.sh');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Output of the script where the cluster says that this is the token. */
function printed(token: string): string {
  const answers = [
    '#!/bin/sh',
    'case "$*" in',
    `*"get secret"*) printf %s '${Buffer.from(token).toString('base64')}' ;;`,
    `*cluster.server*) printf %s https://192.0.2.1 ;;`,
    'esac',
    'exit 0',
  ];
  writeFileSync(join(folder, 'kubectl'), answers.join('\n'));
  chmodSync(join(folder, 'kubectl'), 0o755);
  const PATH = `${folder}${delimiter}${process.env['PATH'] ?? ''}`;
  return execFileSync('sh', [script, 'theirs'], {
    encoding: 'utf8',
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

it('prints a kubeconfig with the token of the cluster', () => {
  const read: unknown = parse(printed('eyJhbGciOi.J9_x-y.z'));
  expect(read).toMatchObject({ users: [{ user: { token: 'eyJhbGciOi.J9_x-y.z' } }] });
});

it.each(['x\n      tokenFile: other-cluster-token', 'x"\n', 'x #', 'x: y'])(
  'prints nothing where that says more than a token: %j',
  (token) => {
    expect(() => printed(token)).toThrow(/holds more than a token/);
  },
);
