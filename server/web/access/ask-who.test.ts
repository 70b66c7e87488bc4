import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { everyGrant } from '#lib/domain/access/scope.ts';
import { day } from '#lib/domain/time/length.ts';
import type { AuthSettings } from '#server/config/access/auth-settings.ts';
import { keyRing, makeFirstKey } from '../embeds/key-file.ts';
import { type AccessBook, accessBook, type KeptToken } from './access-book.ts';
import { whoAsks, type Asked } from './ask-who.ts';
import { hashOf, newToken, tokenText } from './bearer-token.ts';
import { seal, type Session } from './sealed.ts';
import { openKeys, sessionKeyPath } from './session-keys.ts';

const now = 1_800_000_000_000;
const issuer = 'https://id.example';
const groups = { claim: ['groups'], names: new Map<string, string>() };

const auth: AuthSettings = {
  oidc: {
    issuer,
    clientId: 'plumbline',
    clientSecretFile: null,
    scopes: ['openid'],
    groups,
    sessionFor: day,
    logout: 'here',
  },
  proxy: null,
  teams: new Map([['payments', [{ ...everyGrant, clusters: ['eu-1'] }]]]),
  access: [
    { groups: ['a'], subjects: [], roles: ['viewer'], grants: [{ ...everyGrant, clusters: ['eu-1'] }] },
    { groups: ['b'], subjects: [], roles: ['auditor'], grants: [{ ...everyGrant, namespaces: ['x'] }] },
    { groups: ['root'], subjects: [`${issuer}#ada`], roles: ['link-maker'], grants: null },
  ],
};

let folder = '';
let book: AccessBook;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'who-'));
  await makeFirstKey(sessionKeyPath(folder), now);
  book = accessBook(join(folder, 'access.db'));
});
afterEach(() => rm(folder, { recursive: true }));

const ring = () => keyRing(sessionKeyPath(folder));

function ask(headers: Readonly<Record<string, string>>, settings = auth): Promise<Asked> {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, headers);
  return whoAsks({ auth: settings, book, keys: ring(), now: () => now })(request);
}

async function asSession(more: Partial<Session>, settings = auth): Promise<Asked> {
  const id = 'x'.repeat(22);
  const session: Session = { for: 'session', id, issuer, sub: 'bob', name: null, groups: [], end: now + 1, ...more };
  const keys = await openKeys(ring());
  if (keys === null) throw new Error('no keys');
  return ask({ cookie: `a=b; __Host-plumbline=${await seal(session, keys)}` }, settings);
}

describe('a session', () => {
  it.each([
    [['a'], ['viewer'], [{ ...everyGrant, clusters: ['eu-1'] }]],
    [
      ['b', 'a', 'c'],
      ['viewer', 'auditor'],
      [
        { ...everyGrant, clusters: ['eu-1'] },
        { ...everyGrant, namespaces: ['x'] },
      ],
    ],
  ])('of the groups %j has the roles %j of all lines, and their grants', async (named, roles, grants) => {
    const asked = await asSession({ groups: named, name: 'Bob' });
    expect(asked).toMatchObject({
      type: 'viewer',
      viewer: {
        by: 'session',
        subject: `${issuer}#bob`,
        name: 'Bob',
        until: now + 1,
        scope: { type: 'grants', grants },
      },
    });
    expect(asked.type === 'viewer' && [...asked.viewer.roles]).toEqual(roles);
  });

  it('of a line of everything sees everything, by group or by subject', async () => {
    for (const more of [{ groups: ['a', 'root'] }, { sub: 'ada' }])
      expect(await asSession(more)).toMatchObject({ viewer: { scope: { type: 'whole' } } });
    // A subject is one of its issuer; a group that is called so is none.
    expect(await asSession({ groups: [`${issuer}#ada`] })).toMatchObject({ refusal: { type: 'no-access' } });
  });

  it.each<[string, Partial<Session>]>([
    ['whose time is over', { end: now, groups: ['a'] }],
    ['of another provider', { issuer: 'https://old.example', groups: ['a'] }],
  ])('%s is over', async (_what, more) =>
    expect(await asSession(more)).toEqual({ type: 'refused', refusal: { type: 'not-signed-in', session: 'over' } }),
  );

  it('that was ended stays so until its end', async () => {
    const id = 'e'.repeat(22);
    expect((await asSession({ id, groups: ['a'] })).type).toBe('viewer');
    book.endSession(id, now + 1, now);
    expect(await asSession({ id, groups: ['a'] })).toMatchObject({
      refusal: { type: 'not-signed-in', session: 'over' },
    });
    // What is over anyway is not kept.
    book.endSession('f'.repeat(22), now + 2, now + 2);
    expect(book.hasEnded(id)).toBe(false);
  });

  it('opens nothing while the keys, or the list of those that ended, cannot be used', async () => {
    await writeFile(join(folder, 'access.db'), 'no database at all, whatever its name says');
    expect(await asSession({ groups: ['a'] })).toMatchObject({ refusal: { type: 'unusable', what: 'access-book' } });
    const sealed = { cookie: '__Host-plumbline=x' };
    await chmod(sessionKeyPath(folder), 0o644);
    expect(await ask(sealed)).toMatchObject({ refusal: { type: 'unusable', what: 'session-keys' } });
  });
});

describe('a token', () => {
  const token = newToken();
  const kept: KeptToken = {
    id: token.id,
    name: 'ci',
    hash: hashOf(token),
    roles: [],
    everything: false,
    grants: [{ ...everyGrant, namespaces: ['x'] }],
    teams: ['payments', 'gone'],
    madeAt: now - day,
    endsAt: now + 1,
    revokedAt: null,
  };
  const sent = { authorization: `Bearer ${tokenText(token)}` };

  it('sees its grants, and those of its teams as they are now', async () => {
    book.keepToken(kept);
    const asked = await ask(sent);
    expect(asked).toMatchObject({
      viewer: {
        by: 'token',
        subject: `token:${token.id}`,
        name: 'ci',
        until: now + 1,
        scope: { type: 'grants', grants: [...kept.grants, { ...everyGrant, clusters: ['eu-1'] }] },
      },
    });
    expect(asked.type === 'viewer' && [...asked.viewer.roles]).toEqual(['viewer']);
  });

  it('of teams that are no more sees nothing', async () => {
    book.keepToken({ ...kept, grants: [], teams: ['gone'] });
    expect(await ask(sent)).toMatchObject({ viewer: { scope: { type: 'grants', grants: [] } } });
  });

  it.each<[string, Partial<KeptToken> | null, string]>([
    ['that is not kept', null, 'unknown'],
    ['of another secret', { hash: hashOf(newToken()) }, 'unknown'],
    ['that has ended', { endsAt: now }, 'ended'],
  ])('%s is refused', async (_what, more, why) => {
    if (more !== null) book.keepToken({ ...kept, ...more });
    expect(await ask(sent)).toEqual({ type: 'refused', refusal: { type: 'token-refused', why } });
  });

  it('that was revoked, or cut, is refused, whatever cookie comes along', async () => {
    book.keepToken(kept);
    const cut = { authorization: sent.authorization.slice(0, -1) };
    expect(await ask(cut)).toMatchObject({ refusal: { type: 'token-refused', why: 'malformed' } });
    expect(book.revokeToken(token.id, now)).toEqual({ type: 'revoked', was: true });
    expect(book.revokeToken('0'.repeat(12), now)).toEqual({ type: 'revoked', was: false });
    const cookie = '__Host-plumbline=x';
    expect(await ask({ ...sent, cookie })).toMatchObject({ refusal: { type: 'token-refused', why: 'revoked' } });
  });
});

it('nobody is somebody without a proof: plain headers are not believed', async () => {
  const headers = {
    'x-forwarded-user': 'ada',
    'x-auth-request-groups': 'root',
    'remote-user': 'ada',
    authorization: 'Bearer x',
  };
  expect(await ask(headers)).toEqual({ type: 'refused', refusal: { type: 'not-signed-in', session: 'none' } });
});
