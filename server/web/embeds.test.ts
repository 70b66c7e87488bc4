import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { WireLink } from '#lib/api/embed.ts';
import { type EmbedForm, parseScope } from '#lib/domain/matrix/embed-scope.ts';
import { day } from '#lib/domain/time/length.ts';
import { badgeRefusal } from '#lib/draw/embed/badge.ts';
import { newKey, writeKeyFile } from './embeds/key-file.ts';
import { linkList, linkListFile } from './embeds/link-list.ts';
import type { SigningKey } from './embeds/key-file.ts';
import { signedLink } from './embeds/signed-link.ts';
import { memoryStore } from './testing/memory-reader.ts';
import type { RunningWeb } from './testing/running-web.ts';
import { runningWeb } from './testing/running-web.ts';
import { sampleCluster, sampleDiverged, sampleNow, sampleObject, sampleSource } from './testing/sample.ts';

const checkout = 'object:eu-west-3/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/checkout';
const hostile = `<img src=x onerror="alert('canary')">&`;

let web: RunningWeb;
let folder: string;
let path: string;
let key: SigningKey;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-embeds-'));
  path = join(folder, 'keys.yaml');
  key = newKey(sampleNow);
  await writeKeyFile(path, [key]);
  web = await runningWeb(null, { keys: path, frameAncestors: ['https://wiki.example.org'] });
});

/** The list in which the running process keeps what it signs. */
const list = () => linkList(join(web.dataDirectory, linkListFile));

afterEach(async () => {
  await web.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Two clusters in production, of which one has an object away with nobody called, and one elsewhere. */
async function fill(): Promise<void> {
  for (const name of ['eu-west-3', 'us-east-1']) {
    web.store.cluster(sampleCluster(name, { labels: { environment: 'production', team: 'a,b' } }));
    web.store.object(sampleSource(name));
    web.store.object(sampleObject({ cluster: name, name: 'payments' }));
  }
  web.store.object(
    sampleDiverged({ name: 'checkout' }, { message: 'token=secret-in-a-message', sentence: 'secret-in-a-sentence' }),
  );
  web.store.object(sampleObject({ cluster: 'us-east-1', name: 'checkout' }));
  web.store.cluster(sampleCluster('secret-cluster', { labels: { environment: 'lab' } }));
  web.store.object(sampleDiverged({ cluster: 'secret-cluster', name: 'lurking', namespace: 'lab' }));
  web.store.object(sampleObject({ cluster: 'secret-cluster', name: 'checkout' }));
  await web.advance(500);
}

const asReader = { headers: { 'Plumbline-Link': 'sign' } };

async function links(scope: string, more = ''): Promise<Extract<WireLink, { type: 'signed' }>> {
  const response = await web.get(`/api/v1/link?scope=${encodeURIComponent(scope)}${more}`, asReader);
  const link = WireLink.parse(await response.json());
  if (link.type !== 'signed') throw new Error(link.why);
  return link;
}

async function embed(scope: string): Promise<string> {
  return (await web.get((await links(scope)).embed)).text();
}

/** A link that whoever holds the key signed, to what may have gone since. */
function signed(text: string, form: EmbedForm): string {
  const scope = parseScope(text);
  if (scope === null) throw new Error(`${text} is no scope`);
  return signedLink({ scope, form, theme: 'auto', expires: sampleNow + day, id: null }, key);
}

/** Text that a reader reads: no style, no script, no tags. */
function words(html: string): string {
  return html
    .replaceAll(/<(style|script|title)>[^]*?<\/\1>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

describe('an embed says', () => {
  beforeEach(fill);

  it.each([
    ['fleet', 'Not so on 2 of 3 clusters: nobody is being called for 2 diverged.'],
    ['label:environment=production', 'Not so on 1 of 2 clusters: nobody is being called for 1 diverged.'],
    ['cluster:us-east-1', 'So it is: 3 objects.'],
    ['column:Kustomization/checkout', 'Not so on 1 of 3 clusters: nobody is being called for 1 diverged.'],
    [
      checkout,
      'Diverged since 21 Nov 01:00 UTC (BuildFailed), and nobody is being called: no rule reads it. The reconciler cannot make it so. Running, last applied 2d81a0c.',
    ],
    ['label:environment=nowhere', 'No cluster has the label environment=nowhere.'],
    ['cluster:nowhere', 'There is no cluster nowhere.'],
    ['column:Kustomization/nothing', 'No cluster has anything in the column nothing.'],
    [checkout.replace('checkout', 'nothing'), 'There is no Kustomization flux-system/nothing on eu-west-3.'],
  ])('of %s: %s', async (scope, sentence) => {
    expect(words(await (await web.get(signed(scope, 'embed'))).text())).toContain(sentence);
  });

  it('what it counts: verdicts, and the sentence counted', async () => {
    const said = words(await embed('label:environment=production'));
    expect(said).toContain('1 diverged 5 converged');
    expect(said).toContain('In order or alarmed: 5; nobody is being called: 1');
    expect(said).toContain('made 21 Nov 02:00 UTC , valid to 02:05 UTC');
    expect(said).toContain('Plumbline, simulated fleet');
  });

  it('the matrix of a label as a table with heads, each cell in words', async () => {
    const html = await embed('label:environment=production');
    expect(html.match(/<th scope="col">/g)).toHaveLength(4);
    expect(html.match(/<th scope="row">/g)).toHaveLength(2);
    expect(html).toContain('Diverged, since 21 Nov 01:00 UTC, nobody is being called');
    expect(html.indexOf('eu-west-3')).toBeLessThan(html.indexOf('us-east-1'));
  });

  it('nothing that lies outside of its scope, in words, counts or links', async () => {
    const { badge } = await links('label:environment=production');
    const all = [
      await embed('label:environment=production'),
      await (await web.get(badge)).text(),
      await embed('cluster:us-east-1'),
      await embed(checkout),
    ];
    for (const html of all) {
      expect(html).not.toMatch(/secret|lurking/);
      for (const [, href = ''] of html.matchAll(/<a href="([^"]*)"/g))
        expect(href).toMatch(/^\/(?:clusters\/(?:eu-west-3|us-east-1)|\?label=)/);
    }
    expect(all[2]).not.toContain('eu-west-3');
    expect(all[3]).not.toMatch(/payments|us-east-1/);
  });

  it('no message and no sentence of a reconciler: who frames it may show it to anybody', async () => {
    for (const scope of ['fleet', 'cluster:eu-west-3', checkout, 'column:Kustomization/checkout'])
      expect(await embed(scope)).not.toMatch(/secret-in-a/);
  });

  it('every name as text, however it is written', async () => {
    web.store.cluster(sampleCluster('eu-west-3', { labels: { environment: hostile } }));
    web.store.object(sampleDiverged({ name: hostile }, { reason: hostile, message: hostile, sentence: hostile }));
    await web.advance(500);
    for (const scope of [
      'fleet',
      'cluster:eu-west-3',
      `label:environment=${hostile}`,
      `column:Kustomization/${hostile}`,
    ]) {
      const { embed: page, badge } = await links(scope);
      for (const one of [page, badge]) expect(await (await web.get(one)).text()).not.toMatch(/<img|onerror="/);
    }
    expect(words(await embed('cluster:eu-west-3'))).toContain('Kustomization flux-system/&lt;img');
  });

  it('nothing as good when nobody vouches for it any more', async () => {
    const { embed: page, badge } = await links('cluster:us-east-1');
    await web.advance(61_000);
    const said = words(await (await web.get(page)).text());
    expect(said).toContain('That cannot be said: the cluster has not been seen');
    expect(said).not.toContain('converged');
    expect(await (await web.get(badge)).text()).toContain('not seen');
  });

  it('of a column what lies in it now: what came, what was mended, what went, and a cluster that came', async () => {
    async function said(): Promise<string> {
      await web.advance(6_000);
      return words(await embed('column:Kustomization/checkout'));
    }
    expect(await said()).toContain('1 diverged 2 converged');
    web.store.object(sampleObject({ name: 'checkout' }));
    web.store.cluster(sampleCluster('ap-south-1'));
    web.store.object(sampleObject({ cluster: 'ap-south-1', name: 'checkout' }));
    expect(await said()).toContain('4 converged');
    web.store.write({ type: 'removed', ref: sampleObject({ name: 'checkout' }).ref });
    web.store.write({ type: 'cluster-removed', cluster: 'ap-south-1' });
    expect(await said()).toContain('2 converged');
  });

  it('what is so now, however lately another was told, and when it was made', async () => {
    const { embed: page } = await links('cluster:eu-west-3');
    const said = async (): Promise<string> => words(await (await web.get(page)).text());
    expect(await said()).toContain('1 diverged');
    web.store.object(sampleObject({ name: 'checkout' }));
    await web.advance(500);
    expect(await said()).not.toContain('diverged');
    expect(await said()).toContain('made 21 Nov 02:00 UTC');
    await web.advance(59_000);
    expect(await said()).toContain('made 21 Nov 02:01 UTC');
  });

  it('of a cluster that is lost since when, not what its address is', async () => {
    web.store.cluster(
      sampleCluster('us-east-1', { state: 'unreachable', reason: 'connect ECONNREFUSED 10.1.2.3:6443' }),
    );
    await web.advance(500);
    for (const scope of ['fleet', 'cluster:us-east-1', 'column:Kustomization/checkout'])
      expect(await embed(scope)).not.toContain('10.1.2.3');
    expect(words(await embed('fleet'))).toContain('us-east-1 not seen since 21 Nov 00:00 UTC');
  });
});

describe('a badge says', () => {
  beforeEach(fill);

  it.each([
    ['fleet', 'Fleet: 2 silent'],
    ['cluster:us-east-1', 'us-east-1: as in git'],
    ['column:Kustomization/payments', 'payments: as in git'],
    [checkout, 'checkout on eu-west-3: diverged, silent'],
    ['cluster:nowhere', 'nowhere: not there'],
  ])('of %s: %s', async (scope, said) => {
    const response = await web.get(signed(scope, 'badge'));
    expect(response.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(await response.text()).toContain(`aria-label="${said}, 21 Nov 02:00 UTC"`);
  });
});

describe('what is only declared', () => {
  const row = 'not on a cluster';

  beforeEach(async () => {
    web.store.cluster(sampleCluster('eu-west-3', { labels: { environment: 'production' } }));
    web.store.cluster(sampleCluster(row, { state: 'declared', feeds: [] }));
    web.store.object(sampleObject({ name: 'payments' }));
    for (const [cluster, name] of [
      ['eu-west-3', 'legacy-vpc'],
      [row, 'dns'],
    ] as const) {
      const ref = { cluster, group: 'declared', kind: 'Stack', namespace: '', name };
      web.store.object(
        sampleObject(ref, { verdict: 'unobserved', role: 'declared', reconciler: 'none', validUntil: null }),
      );
    }
    await web.advance(500);
  });

  it.each([
    ['fleet', 'Fleet: as in git'],
    ['label:environment=production', 'environment=production: as in git'],
    ['cluster:eu-west-3', 'eu-west-3: as in git'],
    [`cluster:${row}`, `${row}: cannot be said`],
  ])('turns no badge: %s', async (scope, said) => {
    expect(await (await web.get((await links(scope)).badge)).text()).toContain(`aria-label="${said}, `);
  });

  it('is counted apart in an embed, and puts no cluster out of order', async () => {
    const text = words(await embed('fleet'));
    expect(text).toContain('never observed: 2');
    expect(text).not.toContain('unobserved');
    expect(text).not.toContain(row);
  });

  it('is no line of what is not converged on its cluster', async () => {
    const text = words(await embed('cluster:eu-west-3'));
    expect(text).toContain('never observed: 1');
    expect(text).not.toContain('legacy-vpc');
    expect(text).not.toContain('not converged');
  });
});

describe('before the store was read', () => {
  it('nothing is said of a fleet that is not known yet', async () => {
    const store = memoryStore();
    store.fail('the disk is away');
    const blind = await runningWeb(null, { keys: path, frameAncestors: [] }, store);
    try {
      const { embed: page } = await links('fleet');
      const response = await blind.get(page);
      const text = await response.text();
      expect(response.status).toBe(503);
      expect(words(text)).toContain('That cannot be said yet: Plumbline is reading its record.');
      expect(text).not.toContain('disk');
      expect(text).toContain('<a href="/" target="_blank" rel="noopener">Plumbline</a>');
      expect(text).toMatch(/<span class="words">That cannot be said yet: Plumbline is reading its record\.</);
      expect(await (await blind.get((await links('fleet')).badge)).text()).toContain(
        'aria-label="Plumbline: cannot be said yet, 21 Nov 02:00 UTC"',
      );
    } finally {
      await blind.stop();
    }
  });
});

describe('a link', () => {
  beforeEach(fill);

  it('opens for the sites that are named, without cookies, and is kept by nobody', async () => {
    const response = await web.get((await links('fleet')).embed);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("frame-ancestors 'self' https://wiki.example.org");
    expect(policy).toContain("default-src 'none'");
    expect(policy.split('; ').map((rule) => rule.split(' ')[0])).toEqual([
      ...['default-src', 'base-uri', 'form-action', 'style-src', 'script-src', 'connect-src', 'object-src'],
      ...['frame-src', 'frame-ancestors'],
    ]);
    expect(policy).not.toContain('unsafe');
    expect(response.headers.get('x-frame-options')).toBeNull();
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('opens nothing else: pages and API stay framed by nobody', async () => {
    for (const other of ['/api/v1/fleet', '/api/v1/link?scope=fleet', '/embedded', '/']) {
      const response = await web.get(other);
      expect([other, response.headers.get('x-frame-options')]).toEqual([other, 'DENY']);
      expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
  });

  it.each([
    ['/embed', 403],
    ['/embed/fleet', 403],
    ['/badge/fleet.svg', 403],
    ['/embed/clusters/secret-cluster', 403],
    ['/embed/clusters/nowhere', 403],
    ['/badge/clusters/secret-cluster.svg?expires=9999999999&key=00000000&signature=x', 403],
  ])('that nobody signed opens nothing, and tells nothing: %s', async (bad, status) => {
    const response = await web.get(bad);
    expect(response.status).toBe(status);
    const text = await response.text();
    expect(text.replace(bad, '')).not.toMatch(/secret|nowhere|eu-west|objects?\b.*away/);
    expect(text).toMatch(/This link opens nothing|no such link/);
  });

  it('renews itself by its script, and without scripts by a copy of itself that is laid over it', async () => {
    const { embed: page } = await links('fleet');
    const response = await web.get(page);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const whole = await response.text();
    expect(whole).toContain(`<object type="text/html" data="${page.replaceAll('&', '&amp;')}&amp;within=1"`);
    expect(whole).not.toContain('http-equiv="refresh"');
    const copy = await (await web.get(`${page}&within=1`)).text();
    expect(copy).toContain('<meta http-equiv="refresh"');
    expect(copy).not.toContain('<object');
    expect(words(copy)).toBe(words(whole));
  });

  it('that was changed, has ended or was withdrawn says so, as page and as picture', async () => {
    const { embed: page, badge } = await links('fleet');
    async function came(link: string): Promise<readonly [number, string]> {
      const response = await web.get(link);
      return [response.status, words(await response.text())];
    }
    expect(await came(page.replace('/embed/fleet', '/embed/clusters/us-east-1'))).toEqual([
      403,
      'This link opens nothing: it is not signed, or not as it was signed.',
    ]);
    const second = newKey(sampleNow);
    await writeKeyFile(path, [second, { ...key, revoked: true }]);
    expect(await came(page)).toEqual([
      403,
      'This link was withdrawn. Ask whoever looks after Plumbline for another one.',
    ]);
    expect(await (await web.get(badge)).text()).toBe(badgeRefusal('link withdrawn'));
    expect((await links('fleet')).key).toBe(second.id);

    await writeKeyFile(path, [second]);
    expect((await came(page))[0]).toBe(403);
    await writeKeyFile(path, [key]);
    expect((await came(page))[0]).toBe(200);
    const past = { scope: { type: 'fleet' }, theme: 'auto', expires: web.clock.now(), id: null } as const;
    expect(await came(signedLink({ ...past, form: 'embed' }, key))).toEqual([
      410,
      'This link has ended. Ask whoever looks after Plumbline for another one.',
    ]);
    const ended = await web.get(signedLink({ ...past, form: 'badge' }, key));
    expect([ended.status, await ended.text()]).toEqual([410, badgeRefusal('link ended')]);
    const unsigned = await web.get('/badge/fleet.svg');
    expect([unsigned.status, await unsigned.text()]).toEqual([403, badgeRefusal('no such link')]);
  });

  it('that is revoked opens nothing from then on, as page and as picture; others of the same key stay', async () => {
    const [one, other] = [await links('fleet'), await links('cluster:us-east-1')];
    const status = async (link: string): Promise<number> => (await web.get(link)).status;
    expect(await Promise.all([one.embed, one.badge, other.embed].map(status))).toEqual([200, 200, 200]);
    expect(list().revoke([one.id], web.clock.now())).toEqual({ type: 'revoked', others: [] });
    const page = await web.get(one.embed);
    expect([page.status, words(await page.text())]).toEqual([
      403,
      'This link was withdrawn. Ask whoever looks after Plumbline for another one.',
    ]);
    for (const again of [one.badge, `${one.embed}&within=1`, one.embed.replace('&theme=', '&theme=dark')])
      expect(await status(again)).toBe(403);
    expect(await (await web.get(one.badge)).text()).toBe(badgeRefusal('link withdrawn'));
    expect(await status(other.embed)).toBe(200);
    expect((await links('fleet')).id).not.toBe(one.id);
  });

  it('without an id, as it was signed before, opens until its end or until its key is revoked', async () => {
    const before = {
      scope: { type: 'fleet' },
      form: 'embed',
      theme: 'auto',
      expires: sampleNow + day,
      id: null,
    } as const;
    expect((await web.get(signedLink(before, key))).status).toBe(200);
    const { embed: page, id } = await links('fleet');
    list().revoke([id], web.clock.now());
    const bare = page.replace(`&id=${id}`, '');
    expect(words(await (await web.get(bare)).text())).toBe(
      'This link opens nothing: it is not signed, or not as it was signed.',
    );
  });

  it('opens nothing while the list of the revoked ones cannot be read', async () => {
    const { embed: page, badge } = await links('fleet');
    await writeFile(join(web.dataDirectory, linkListFile), 'no list');
    const response = await web.get(page);
    expect([response.status, words(await response.text())]).toEqual([
      503,
      'That cannot be said now: Plumbline cannot read which links were withdrawn.',
    ]);
    expect((await web.get(badge)).status).toBe(503);
    expect(WireLink.parse(await (await web.get('/api/v1/link?scope=fleet', asReader)).json())).toEqual({
      type: 'not-signed',
      why: 'not-kept',
    });
  });

  it('is listed and revoked by no route of HTTP', async () => {
    const { id } = await links('fleet');
    for (const path of ['links', `links/${id}`, `link/${id}`, `link?revoke=${id}`, `link?scope=fleet&revoke=${id}`])
      for (const method of ['GET', 'POST', 'DELETE'])
        expect((await web.get(`/api/v1/${path}`, { method })).status, `${method} ${path}`).toBeGreaterThanOrEqual(400);
    expect(list().standing(id)).toBe('open');
  });

  it('is only read', async () => {
    const { embed: page } = await links('fleet');
    expect((await web.get(page, { method: 'POST' })).status).toBe(405);
    const head = await web.get(page, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

describe('signing from a page', () => {
  it('gives both links, until when, by which key, what they show and who may frame', async () => {
    await fill();
    expect(await links('cluster:us-east-1', '&days=30&theme=dark')).toMatchObject({
      scope: 'cluster:us-east-1',
      title: 'us-east-1',
      page: '/clusters/us-east-1',
      embed: expect.stringMatching(
        /^\/embed\/clusters\/us-east-1\?expires=\d+&key=[0-9a-f]{8}&id=[0-9a-f]{16}&signature=[\w-]{43}&theme=dark$/,
      ),
      badge: expect.stringMatching(/^\/badge\/clusters\/us-east-1\.svg\?/),
      expires: new Date(sampleNow + 30 * day + 500).toISOString(),
      key: key.id,
      frameAncestors: ['https://wiki.example.org'],
    });
  });

  it.each([
    ['a scope that is none', 'scope=everything'],
    ['no scope', ''],
    ['for ever', 'scope=fleet&days=9999'],
    ['another theme', 'scope=fleet&theme=purple'],
    ['what it does not know', 'scope=fleet&verdict=stale'],
  ])('refuses %s', async (_what, query) => {
    const response = await web.get(`/api/v1/link?${query}`, asReader);
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
  });

  it('signs nothing for what is not there, nor before the store was read', async () => {
    const none = await web.get('/api/v1/link?scope=label:x=junk1', asReader);
    expect([none.status, await none.json()]).toMatchObject([
      404,
      { detail: 'There is no label:x=junk1 now, and links are signed to what is there.' },
    ]);
    const store = memoryStore();
    store.fail('the disk is away');
    const blind = await runningWeb(null, { keys: path }, store);
    onTestFinished(blind.stop);
    expect((await blind.get('/api/v1/link?scope=fleet', asReader)).status).toBe(503);
    expect(list().read(sampleNow)).toEqual({ type: 'links', links: [], others: [] });
  });

  it('says why there is nothing to sign with', async () => {
    async function why(): Promise<unknown> {
      return WireLink.parse(await (await web.get('/api/v1/link?scope=fleet', asReader)).json());
    }
    await writeKeyFile(path, [{ ...key, revoked: true }]);
    expect(await why()).toEqual({ type: 'not-signed', why: 'all-revoked' });
    await rm(path);
    expect(await why()).toEqual({ type: 'not-signed', why: 'missing' });
    const bare = await runningWeb();
    try {
      expect(await (await bare.get('/api/v1/link?scope=fleet', asReader)).json()).toEqual({
        type: 'not-signed',
        why: 'not-configured',
      });
    } finally {
      await bare.stop();
    }
  });
});
