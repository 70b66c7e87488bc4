import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { day } from '#lib/domain/time/length.ts';
import { keyRing } from '../web/embeds/key-file.ts';
import { linkList, linkListFile } from '../web/embeds/link-list.ts';
import { openLink } from '../web/embeds/signed-link.ts';
import type { LinkOptions } from './link.ts';
import { link } from './link.ts';

const now = Date.UTC(2026, 10, 21, 2);
let config: string;
let keys: string;
let data: string;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-link-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  data = folder;
  config = join(folder, 'plumbline.yaml');
  keys = join(folder, 'embed-keys.yaml');
  await writeFile(config, 'embeds:\n  keys: ./embed-keys.yaml\n  frameAncestors: [https://wiki.example.org]\n');
});

async function run(options: LinkOptions) {
  const out: string[] = [];
  const said: string[] = [];
  const output = { out: (line: string) => out.push(line), say: (line: string) => said.push(line) };
  const code = await link({ config, data, ...options }, {}, now, output);
  return { code, out, said: said.join('\n') };
}

async function opens(url: string, at = now): Promise<string> {
  const opened = openLink(url.replace(/^https?:\/\/[^/]+/, ''), await keyRing(keys).current(), at);
  return opened.type === 'open' ? 'open' : opened.why;
}

describe('plumbline link', () => {
  it('makes a key for its owner alone, and signs with it', async () => {
    const made = await run({ newKey: true });
    expect(made.code).toBe(0);
    expect((await stat(keys)).mode & 0o777).toBe(0o600);
    const { code, out, said } = await run({
      scope: 'cluster:eu-west-3',
      expires: '30d',
      url: 'https://plumbline.example.org/',
    });
    expect(code).toBe(0);
    const [url = '', frame] = out;
    expect(url).toMatch(/^https:\/\/plumbline\.example\.org\/embed\/clusters\/eu-west-3\?/);
    expect(frame).toContain(`<iframe src="${url.replaceAll('&', '&amp;')}"`);
    expect(said).toMatch(
      /^Opens until 21 Dec 02:00:00 UTC, or until it is revoked: plumbline links --revoke [0-9a-f]{16}$/,
    );
    expect(await opens(url)).toBe('open');
    expect(await opens(url, now + 30 * day)).toBe('expired');
  });

  it('signs badges, as an address, Markdown and HTML', async () => {
    await run({ newKey: true });
    const { out } = await run({ scope: 'label:environment=production', badge: true, theme: 'dark' });
    const [url = '', markdown, html] = out;
    expect(url).toMatch(/^http:\/\/localhost:3000\/badge\/labels\/environment\/production\.svg\?.*&theme=dark$/);
    expect(markdown).toBe(
      `\n[![label:environment=production](${url})](http://localhost:3000/?label=environment%3Dproduction)`,
    );
    expect(html).toContain('<img src=');
    expect(await opens(url)).toBe('open');
  });

  it('a newer key signs, older ones go on to open; a revoked one closes its links alone', async () => {
    await run({ newKey: true });
    const first = (await run({ scope: 'fleet' })).out[0] ?? '';
    expect((await run({ newKey: true })).said).toContain('goes on to open until its key is revoked');
    const second = (await run({ scope: 'fleet' })).out[0] ?? '';
    const id = /key=([0-9a-f]+)/.exec(first)?.[1];
    expect(second).not.toContain(`key=${id}`);
    expect([await opens(first), await opens(second)]).toEqual(['open', 'open']);
    expect((await run({ revoke: id })).code).toBe(0);
    expect([await opens(first), await opens(second)]).toEqual(['revoked', 'open']);
    const last = await run({ revoke: /key=([0-9a-f]+)/.exec(second)?.[1] });
    expect(last.said).toContain('No key is left that signs');
    expect((await run({ scope: 'fleet' })).code).toBe(78);
  });

  it('keeps each link that it signs in the data directory, and makes none that it cannot keep', async () => {
    await run({ newKey: true });
    const url = (await run({ scope: 'cluster:eu-west-3', expires: '30d' })).out[0] ?? '';
    const read = linkList(join(data, linkListFile)).read(now);
    const [id, key] = [/&id=(\w+)/.exec(url)?.[1], /&key=(\w+)/.exec(url)?.[1]];
    const kept = {
      id,
      scope: 'cluster:eu-west-3',
      key,
      by: 'command',
      madeAt: now,
      endsAt: now + 30 * day,
      revokedAt: null,
    };
    expect(read).toEqual({ type: 'links', links: [kept], others: [] });
    await writeFile(join(data, linkListFile), 'something else');
    const none = await run({ scope: 'fleet' });
    expect(none).toMatchObject({ code: 69, out: [], said: expect.stringContaining('No link was made') });
  });

  it('signs where Plumbline does not run, too: with an id by which it can be revoked there, and says that it is kept nowhere', async () => {
    await run({ newKey: true });
    const { code, out, said } = await run({ scope: 'fleet', data: join(data, 'none') });
    expect([code, out[0]]).toEqual([0, expect.stringMatching(/&id=[0-9a-f]{16}&/)]);
    expect(said).toContain('the link is in no list');
    expect(await opens(out[0] ?? '')).toBe('open');
  });

  it('tells who would revoke one link from who would revoke a key', async () => {
    await run({ newKey: true });
    expect((await run({ revoke: '0123456789abcdef' })).said).toContain('plumbline links --revoke 0123456789abcdef');
  });

  it('says that no site may frame what it signed', async () => {
    await writeFile(config, 'embeds: { keys: ./embed-keys.yaml }\n');
    await run({ newKey: true });
    expect((await run({ scope: 'fleet' })).said).toContain('No site may frame it yet');
    expect((await run({ scope: 'fleet', badge: true })).said).not.toContain('frame');
  });

  it.each([
    [{}, 64, 'Say one of --scope, --new-key and --revoke.'],
    [{ scope: 'fleet', newKey: true }, 64, 'Say one of'],
    [{ scope: 'everything' }, 64, '"everything" is no scope. It is one of fleet, label:KEY=VALUE'],
    [{ scope: 'fleet', expires: '90' }, 64, '"90" is no time to open for'],
    [{ scope: 'fleet', expires: '0d' }, 64, '"0d" is no time'],
    [{ scope: 'fleet', expires: '1000d' }, 64, 'at most 400d'],
    [{ scope: 'fleet', theme: 'purple' }, 64, '"purple" is no theme'],
    [{ scope: 'fleet', url: 'plumbline.example.org' }, 64, 'is not where pages are served'],
    [{ scope: 'fleet', url: 'https://x.example/path' }, 64, 'is not where pages are served'],
    [{ scope: 'fleet', url: 'javascript:alert(1)' }, 64, 'is not where pages are served'],
    [{ scope: 'fleet' }, 78, 'has no key that signs: plumbline link --new-key makes one.'],
    [{ revoke: 'abcd' }, 64, 'has no key abcd. It has: none.'],
    [{ config: '/nowhere/plumbline.yaml', scope: 'fleet' }, 78, 'the file does not exist'],
  ])('refuses %j', async (options: LinkOptions, code, words) => {
    const came = await run(options);
    expect(came.code).toBe(code);
    expect(came.said).toContain(words);
    expect(came.out).toEqual([]);
  });

  it('says what to write where no file of keys is named', async () => {
    await writeFile(config, 'clusters: []\n');
    const { code, said } = await run({ newKey: true });
    expect(code).toBe(78);
    expect(said).toContain('embeds:\n  keys: ./embed-keys.yaml');
  });

  it('touches no file that others may read, nor one that is none of keys', async () => {
    await run({ newKey: true });
    await chmod(keys, 0o644);
    expect(await run({ scope: 'fleet' })).toMatchObject({ code: 78, said: expect.stringContaining('chmod 600') });
    await writeFile(keys, 'something else\n');
    await chmod(keys, 0o600);
    expect(await run({ newKey: true })).toMatchObject({
      code: 78,
      said: expect.stringContaining('is no file of keys'),
    });
    expect(await readFile(keys, 'utf8')).toBe('something else\n');
  });
});
