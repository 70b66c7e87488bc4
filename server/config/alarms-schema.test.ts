import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig, parseConfig } from './load-config.ts';
import { problemLine } from './problem.ts';

function said(text: string): readonly string[] {
  const loaded = parseConfig(text, '/srv');
  return loaded.type === 'ok' ? [] : loaded.problems.map((problem) => problemLine('f', problem).replace(/^f:/, ''));
}

describe('alarms', () => {
  it.each([
    ['neither program', '{ name: a }', 'alarms[0]: needs the address of a prometheus, of an alertmanager, or of both'],
    [
      'no address',
      '{ prometheus: prometheus:9090 }',
      'alarms[0].prometheus: must be an address such as http://prometheus:9090 or https://mimir.example.org/prometheus',
    ],
    [
      'an address of another scheme',
      '{ prometheus: "file:///etc/passwd" }',
      'alarms[0].prometheus: must be an address such as http://prometheus:9090 or https://mimir.example.org/prometheus',
    ],
    [
      'a password in an address',
      '{ prometheus: "https://u:p@h" }',
      'alarms[0].prometheus: must not hold a user or password: name a file with a token under tokenFile',
    ],
    [
      'a query in an address',
      '{ prometheus: "https://h/?a=b" }',
      'alarms[0].prometheus: must end with its path: no ? and no #',
    ],
    [
      'a token over plain http',
      '{ prometheus: "http://h:9090", tokenFile: t }',
      'alarms[0].tokenFile: http://h:9090 is http://, and no token is sent over that: write https://',
    ],
    [
      'a token over plain http to one of several',
      '{ prometheus: "https://h", alertmanager: ["http://127.0.0.1:1", "http://am"], tokenFile: t }',
      'alarms[0].tokenFile: http://am is http://, and no token is sent over that: write https://',
    ],
    [
      'authorities without TLS',
      '{ prometheus: "http://h", ca: c }',
      'alarms[0].ca: ca goes with an address of https://',
    ],
    ['one address twice', '{ alertmanager: ["http://am/", "http://AM"] }', 'alarms[0]: names an address twice'],
    ['a source without Alertmanagers', '{ alertmanager: [] }', 'alarms[0].alertmanager: '],
    [
      'a cluster that cannot be one',
      '{ prometheus: "http://h", clusters: [a/b] }',
      'alarms[0].clusters[0]: must be letters, digits and . _ : @ - and start with a letter or digit',
    ],
    [
      'an alias that cannot be a cluster',
      '{ prometheus: "http://h", clusterNames: { x: a/b } }',
      'alarms[0].clusterNames.x: must be letters, digits and . _ : @ - and start with a letter or digit',
    ],
    ['a cluster that is not there', '{ prometheus: "http://h", clusters: [b] }', 'no cluster is called "b"'],
    [
      'an alias of a cluster that is not there',
      '{ prometheus: "http://h", clusterNames: { x: b } }',
      'no cluster is called "b"',
    ],
    ['a header in a tenant', '{ prometheus: "http://h", tenant: "a\\r\\nb: c" }', 'alarms[0].tenant: must be letters'],
    ['an unknown key', '{ prometheus: "http://h", token: t }', 'unknown key "alarms[0].token"'],
  ])('refuses %s', (_what, line, expected) => {
    const problems = said(`clusters: [{ name: a }]\nalarms:\n  - ${line}\n`);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(expected);
  });

  it('refuses two sources of one name, given or not', () => {
    const problems = said(
      'alarms:\n  - { prometheus: "http://h:9090/a" }\n  - { name: "h:9090", alertmanager: "http://am" }\n',
    );
    expect(problems).toEqual(['3:5: two alarm sources are called "h:9090": give one of them another name']);
  });

  it('lets a token go over plain http to this machine', () => {
    expect(
      said('alarms: [{ prometheus: "http://localhost:9090", alertmanager: "http://[::1]:9093", tokenFile: t }]\n'),
    ).toEqual([]);
  });

  it('refuses a file that is not there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plumbline-alarms-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'plumbline.yaml');
    await writeFile(join(folder, 'token'), 'x');
    await writeFile(path, 'alarms: [{ prometheus: "https://h", tokenFile: token, ca: ca.pem }]\n');
    const loaded = await loadConfig(path);
    expect(loaded.type === 'invalid' && loaded.problems.map(({ message }) => message)).toEqual([
      `${join(folder, 'ca.pem')} does not exist`,
    ]);
    expect((await loadConfig(path, 'not-read')).type).toBe('ok');
  });
});
