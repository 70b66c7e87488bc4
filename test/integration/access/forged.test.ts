// A provider that lies: every lie is a page that says what is wrong, and nobody gets in by it.
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { minute } from '#lib/domain/time/length.ts';
import { browser, type Browser } from './browser.ts';
import { type Forged, type Forgery, startForged } from './forged.ts';
import { type GuardedWeb, guardedWeb, oidcOf, publicUrl } from './guarded-web.ts';

let forged: Forged;
let guarded: GuardedWeb;
beforeAll(async () => {
  forged = await startForged();
  guarded = await startGuarded();
});
afterAll(async () => {
  await guarded.stop();
  await forged.stop();
});

function startGuarded(): Promise<GuardedWeb> {
  const access = 'access: [{ groups: [platform], everything: true }]';
  return guardedWeb(`${oidcOf(forged.issuer)}${access}`);
}

/** One that has asked the provider nothing yet. */
async function anotherGuarded(): Promise<GuardedWeb> {
  const own = await startGuarded();
  onTestFinished(own.stop);
  return own;
}

const fresh = (at = guarded): Browser => browser(publicUrl, at.web.origin);
const ago = (seconds: number): number => Math.floor(Date.now() / 1000) - seconds;

type Lie = readonly [what: string, forgery: Forgery, status: number, words: string];

it.each<Lie>([
  ['a token for another client', { claims: { aud: 'grafana' } }, 403, 'not for this login: its aud is another'],
  [
    'one for several clients',
    { claims: { aud: ['plumbline', 'grafana'] } },
    403,
    'not for this login: its aud is another',
  ],
  [
    'a token of another issuer',
    { claims: { iss: 'https://evil.example' } },
    403,
    'not for this login: its iss is another',
  ],
  ['a token of another login', { claims: { nonce: 'another' } }, 403, 'not for this login: its nonce is another'],
  ['a token without a nonce', { claims: { nonce: undefined } }, 403, '(nonce) claim missing'],
  ['a token whose time is over', { claims: { exp: ago(120) } }, 403, 'of another time than now here'],
  ['one whose time has not begun', { claims: { nbf: ago(-120) } }, 403, 'of another time than now here'],
  ['a token without an end', { claims: { exp: undefined } }, 403, 'token is not sound'],
  ['a signature by another key', { signs: 'other-key' }, 403, 'token is not sound'],
  ['no signature', { signs: 'none' }, 403, 'token is not sound'],
  ['a signature that the public key makes', { signs: 'hmac-of-public-key' }, 403, 'token is not sound'],
  ['nobody', { claims: { groups: [] } }, 403, 'tells no groups of you'],
  ['no claim of groups', { claims: { groups: undefined } }, 403, 'the claim that auth names is not there'],
  ['left out groups', { claims: { groups: undefined, hasgroups: true } }, 403, 'more groups than the provider puts'],
  [
    'a refusal',
    { back: { error: 'access_denied', error_description: '<b>not you</b>' } },
    403,
    '(access_denied). It says: &lt;b&gt;not you',
  ],
  ['no subject', { claims: { sub: '' } }, 403, 'its sub is empty'],
  ['a subject that no session holds', { claims: { sub: 's'.repeat(256) } }, 403, 'longer than 255'],
  ['a code that is used', { tokenError: { status: 400, body: { error: 'invalid_grant' } } }, 403, '(invalid_grant)'],
  [
    'a client that it does not know',
    { tokenError: { status: 401, body: { error: 'invalid_client' } } },
    403,
    'refused Plumbline itself (invalid_client)',
  ],
])('%s lets nobody in, and is told', async (_what, forgery, status, words) => {
  forged.forge(forgery);
  const own = fresh();
  const page = await own.open(`${publicUrl}/`);
  expect([page.status, page.body.includes(words) ? words : page.body]).toEqual([status, words]);
  expect(page.body).not.toMatch(/canary|the secret of the client/);
  expect(own.cookie(`${publicUrl}/`)).toBe('');
  expect((await guarded.web.get('/api/v1/clusters')).status).toBe(401);
});

it('clocks may be a minute apart', async () => {
  forged.forge({ claims: { exp: ago(40) } });
  expect((await fresh().open(`${publicUrl}/`)).status).toBe(200);
});

it.each<Lie>([
  ['another name of its own', { issuer: 'https://other.example' }, 403, 'calls itself otherwise'],
  ['more than is read', { discovery: 'huge' }, 503, 'The login provider cannot be asked'],
  ['a redirection', { discovery: 'moved' }, 503, 'The login provider cannot be asked'],
  ['a page of a proxy', { discovery: 'no-json' }, 503, 'The login provider cannot be asked'],
])('a provider that says of itself %s is told', async (_what, forgery, status, words) => {
  forged.forge(forgery);
  const page = await fresh(await anotherGuarded()).open(`${publicUrl}/`);
  expect([page.status, page.body.includes(words) ? words : page.body]).toEqual([status, words]);
});

it('who fails again and again waits, and who is in stays in', async () => {
  const at = await anotherGuarded();
  forged.forge({});
  const own = fresh(at);
  expect((await own.open(`${publicUrl}/`)).status).toBe(200);
  forged.forge({ signs: 'other-key' });
  const stranger = fresh(at);
  const statuses = [];
  for (let n = 0; n < 501; n += 1) statuses.push((await stranger.open(`${publicUrl}/`)).status);
  expect(statuses).toEqual([...Array.from({ length: 500 }, () => 403), 429]);
  expect(at.logged.filter((line) => 'end' in line && line.end === 'failed')).toHaveLength(20);
  expect((await own.open(`${publicUrl}/`)).status).toBe(200);
  await at.web.advance(10 * minute);
  forged.forge({});
  expect((await stranger.open(`${publicUrl}/`)).status).toBe(200);
});

it('answers to logins that nobody began make nobody wait, and are noted twenty times', async () => {
  const at = await anotherGuarded();
  forged.forge({});
  const stranger = fresh(at);
  const statuses = new Set();
  for (let n = 0; n < 30; n += 1)
    statuses.add((await stranger.open(`${publicUrl}/access/callback?state=${n}&code=x`)).status);
  expect([...statuses]).toEqual([403]);
  expect(at.logged.filter((line) => 'why' in line && line.why === 'not-begun-here')).toHaveLength(20);
  expect((await stranger.open(`${publicUrl}/`)).status).toBe(200);
});

it('failures of the provider fill no log', async () => {
  const at = await anotherGuarded();
  forged.forge({ issuer: 'https://other.example' });
  const stranger = fresh(at);
  for (let n = 0; n < 30; n += 1) await stranger.open(`${publicUrl}/`);
  expect(at.logged.filter((line) => 'why' in line && line.why === 'other-issuer')).toHaveLength(20);
});

it('while the provider is away sessions go on, and logins say so', async () => {
  const at = await anotherGuarded();
  forged.forge({});
  const own = fresh(at);
  expect((await own.open(`${publicUrl}/`)).status).toBe(200);
  await forged.stop();
  expect((await own.open(`${publicUrl}/`)).status).toBe(200);
  const page = await fresh(await anotherGuarded()).open(`${publicUrl}/`);
  expect([page.status, page.body.includes('cannot be asked: ECONNREFUSED')]).toEqual([503, true]);
  expect(page.body).toContain('Whoever is logged in already stays so.');
});
