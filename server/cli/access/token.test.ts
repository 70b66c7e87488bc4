import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { day } from '#lib/domain/time/length.ts';
import { accessBook, accessBookFile } from '../../web/access/access-book.ts';
import { hasHash, readToken } from '../../web/access/bearer-token.ts';
import { readKeyFile } from '../../web/embeds/key-file.ts';
import { sessionKeyPath } from '../../web/access/session-keys.ts';
import { sessionKey, type SessionKeyOptions } from './session-key.ts';
import { token, type TokenOptions } from './token.ts';

const now = Date.UTC(2026, 10, 21, 2);
let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'plumbline-tokens-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  await writeFile(
    join(data, 'plumbline.yaml'),
    `publicUrl: https://p.example.org
clusters: [{ name: eu-1 }]
auth:
  oidc: { issuer: https://id.example.org, clientId: x }
  teams: { payments: [{ clusters: [eu-1] }] }
  access: [{ groups: [a], everything: true }]
`,
  );
});

async function run(options: TokenOptions) {
  const [out, said]: [string[], string[]] = [[], []];
  const output = { out: (line: string) => out.push(line), say: (line: string) => said.push(line) };
  const config = join(data, 'plumbline.yaml');
  return { code: await token({ data, config, ...options }, {}, now, output), out, said: said.join('\n') };
}

const book = () => accessBook(join(data, accessBookFile));

describe('plumbline token', () => {
  it('makes one that is printed once, and keeps a hash of it, for the eyes of its owner alone', async () => {
    const grant = ['team:payments', 'clusters=eu-1,us-1;labels=region=eu,tier=a=b;namespaces=x,-'];
    const { code, out, said } = await run({ new: 'ci', grant, role: ['link-maker'], expires: '30d' });
    expect(code).toBe(0);
    const sent = readToken(out[0] ?? '');
    const found = book().token(sent?.id ?? '');
    expect(found).toMatchObject({
      token: {
        name: 'ci',
        roles: ['link-maker'],
        everything: false,
        teams: ['payments'],
        grants: [{ clusters: ['eu-1', 'us-1'], labels: { region: 'eu', tier: 'a=b' }, namespaces: ['x', '-'] }],
        madeAt: now,
        endsAt: now + 30 * day,
        revokedAt: null,
      },
    });
    expect(found.type === 'token' && found.token && sent && hasHash(sent, found.token.hash)).toBe(true);
    expect(JSON.stringify(found)).not.toContain(sent?.secret);
    expect(said).toContain(`plumbline token --revoke ${sent?.id}`);
    expect((await stat(join(data, accessBookFile))).mode & 0o777).toBe(0o600);
  });

  it('lists them without their secrets, and revokes one', async () => {
    const id = readToken((await run({ new: 'grafana', grant: ['everything'], expires: '1d' })).out[0] ?? '')?.id ?? '';
    expect((await run({ list: true })).out).toEqual([
      'ID            NAME     OPENS                                     ROLES   MADE (UTC)    ENDS (UTC)    STATE',
      `${id}  grafana  Everything: all clusters, all namespaces  viewer  21 Nov 02:00  22 Nov 02:00  open`,
    ]);
    expect((await run({ revoke: [id] })).code).toBe(0);
    expect((await run({ list: true })).out[1]).toContain('revoked 21 Nov 02:00');
    expect(await run({ revoke: ['0'.repeat(12)] })).toMatchObject({ code: 64 });
  });

  it.each<[TokenOptions, number, string]>([
    [{}, 64, 'Say one of --new, --list and --revoke.'],
    [{ list: true, expires: '1d' }, 64, 'go with --new'],
    [{ new: 'a', grant: ['everything'] }, 64, '--expires must say for how long'],
    [{ new: 'a', grant: ['everything'], expires: '401d' }, 64, 'at most 400d'],
    [{ new: 'a', grant: ['everything'], expires: '0s' }, 64, '--expires must say for how long'],
    [{ new: 'a', expires: '1d' }, 64, '--grant must say what it opens'],
    [{ new: 'a', grant: ['clusters='], expires: '1d' }, 64, '"clusters=" names nothing'],
    [{ new: 'a', grant: ['labels=x'], expires: '1d' }, 64, 'a label without a value'],
    [{ new: 'a', grant: ['cluster=x'], expires: '1d' }, 64, 'is no part of a grant'],
    [{ new: 'a', grant: ['clusters=x;clusters=y'], expires: '1d' }, 64, 'stands in it twice'],
    [{ new: 'a', grant: ['team:gone'], expires: '1d' }, 78, 'has no "gone". It has: payments.'],
    [{ new: 'a', grant: ['everything'], role: ['admin'], expires: '1d' }, 64, '"admin" is no role'],
    [{ new: 'a\u202eb', grant: ['everything'], expires: '1d' }, 64, 'is no name'],
    [{ revoke: ['x'] }, 64, 'nothing was revoked'],
    [{ list: true, data: '/nowhere' }, 69, 'there is no data directory /nowhere'],
  ])('%j is refused', async (options, code, words) => {
    const done = await run(options);
    expect([done.code, done.out, done.said.includes(words) ? words : done.said]).toEqual([code, [], words]);
  });
});

describe('plumbline session-key', () => {
  async function keys(options: SessionKeyOptions) {
    const [out, said]: [string[], string[]] = [[], []];
    const output = { out: (line: string) => out.push(line), say: (line: string) => said.push(line) };
    return { code: await sessionKey({ data, ...options }, {}, now, output), out, said: said.join('\n') };
  }

  it('makes keys, of which the newest seals, lists them, and revokes one', async () => {
    expect(await keys({ list: true })).toMatchObject({ code: 0, out: [], said: expect.stringContaining('no key yet') });
    for (let n = 0; n < 2; n += 1) expect((await keys({ new: true })).code).toBe(0);
    const { out } = await keys({ list: true });
    expect(out.map((line) => line.split(/ {2,}/).at(-1))).toEqual(['STATE', 'seals', 'opens']);
    const [newest = '', older = ''] = out.slice(1).map((line) => line.slice(0, 8));
    expect((await keys({ revoke: older })).said).toContain('the sessions that it has sealed are over');
    expect((await keys({ revoke: newest })).said).toContain('nobody can log in');
    expect(await readKeyFile(sessionKeyPath(data))).toMatchObject({ keys: [{ revoked: true }, { revoked: true }] });
    expect((await stat(sessionKeyPath(data))).mode & 0o777).toBe(0o600);
    expect(await keys({ revoke: 'nope' })).toMatchObject({ code: 64 });
    expect(await keys({})).toMatchObject({ code: 64 });
  });
});
