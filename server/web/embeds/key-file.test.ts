import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { keyOf, keyRing, makeFirstKey, newKey, readKeyFile, signingKey, writeKeyFile } from './key-file.ts';

const now = Date.UTC(2026, 10, 21, 2);
let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-keys-'));
  path = join(folder, 'embed-keys.yaml');
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

describe('a file of keys', () => {
  it('is written for its owner alone, whole, and read as it was written', async () => {
    const keys = [newKey(now), { ...newKey(now - 1), revoked: true }];
    await writeKeyFile(path, keys);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['embed-keys.yaml']);
    expect(await readKeyFile(path)).toEqual({ type: 'keys', keys });
  });

  it.runIf(process.platform !== 'win32')(
    'that is a pipe, a folder or has no end is read by nobody, and nobody waits for it',
    async () => {
      execFileSync('mkfifo', ['-m', '600', path]);
      expect(await readKeyFile(path)).toEqual({ type: 'unusable', why: 'unreadable' });
      await rm(path);
      await mkdir(path, { mode: 0o700 });
      expect(await readKeyFile(path)).toEqual({ type: 'unusable', why: 'unreadable' });
      await rm(path, { recursive: true });
      await writeFile(path, '#'.repeat(2_000_000), { mode: 0o600 });
      expect(await readKeyFile(path)).toEqual({ type: 'unusable', why: 'malformed' });
    },
  );

  it('is made once, and never made anew', async () => {
    await makeFirstKey(path, now);
    const first = await readKeyFile(path);
    expect(first).toMatchObject({ type: 'keys', keys: [{ revoked: false }] });
    await makeFirstKey(path, now);
    expect(await readKeyFile(path)).toEqual(first);
    await chmod(path, 0o644);
    await makeFirstKey(path, now);
    expect(await readKeyFile(path)).toEqual({ type: 'unusable', why: 'exposed' });
  });

  it('every key is another one', () => {
    const keys = Array.from({ length: 50 }, () => newKey(now));
    expect(new Set(keys.map(({ id }) => id)).size).toBe(50);
    expect(new Set(keys.map(({ secret }) => secret.toString('hex'))).size).toBe(50);
    expect(keys.every(({ secret }) => secret.length === 32)).toBe(true);
  });

  it.each([
    [0o600, 'keys'],
    [0o400, 'keys'],
    [0o440, 'keys'],
    [0o640, 'keys'],
    [0o660, 'exposed'],
    [0o644, 'exposed'],
    [0o604, 'exposed'],
    [0o602, 'exposed'],
  ])('of mode %o is %s', async (mode, came) => {
    await writeKeyFile(path, [newKey(now)]);
    await chmod(path, mode);
    const read = await readKeyFile(path);
    expect(read.type === 'keys' ? 'keys' : read.why).toBe(came);
  });

  it.each([
    ['nothing', ''],
    ['no YAML', 'keys: ['],
    ['a short secret', 'keys:\n  - { id: abcd, secret: c2hvcnQ, created: 2026-11-21T02:00:00Z }\n'],
    [
      'an unknown word',
      `keys:\n  - { id: abcd, secret: ${'A'.repeat(43)}, created: 2026-11-21T02:00:00Z, revokd: true }\n`,
    ],
    [
      'one name twice',
      `keys:\n${`  - { id: abcd, secret: ${'A'.repeat(43)}, created: 2026-11-21T02:00:00Z }\n`.repeat(2)}`,
    ],
  ])('with %s is malformed, and no key of it signs', async (_what, text) => {
    await writeFile(path, text, { mode: 0o600 });
    expect(await readKeyFile(path)).toEqual({ type: 'unusable', why: 'malformed' });
  });

  it('says of a key when it was made, by any clock, and that it was not revoked where it says nothing', async () => {
    const created = '2026-11-21T07:45:00+05:45';
    await writeFile(path, `keys:\n  - { id: abcd, secret: ${'A'.repeat(43)}, created: ${created} }\n`, { mode: 0o600 });
    expect(await readKeyFile(path)).toEqual({
      type: 'keys',
      keys: [{ id: 'abcd', secret: Buffer.alloc(32), created, revoked: false }],
    });
  });

  it('that is a folder cannot be read', async () => {
    expect(await readKeyFile(folder)).toEqual({ type: 'unusable', why: 'unreadable' });
  });

  it('is not asked for its mode on Windows', async () => {
    const platform = process.platform;
    onTestFinished(() => void Object.defineProperty(process, 'platform', { value: platform }));
    Object.defineProperty(process, 'platform', { value: 'win32' });
    await writeFile(path, 'keys: []', { mode: 0o644 });
    expect(await readKeyFile(path)).toEqual({ type: 'keys', keys: [] });
  });

  it('that cannot be written leaves nothing behind, and says what was in the way', async () => {
    await expect(writeKeyFile(join(folder, 'none', 'keys.yaml'), [])).rejects.toMatchObject({ syscall: 'open' });
    await mkdir(path);
    await expect(writeKeyFile(path, [])).rejects.toMatchObject({ syscall: 'rename' });
    expect(await readdir(folder)).toEqual(['embed-keys.yaml']);
  });

  it('is signed with by its first key that is not revoked', () => {
    const [first, second] = [{ ...newKey(now), revoked: true }, newKey(now)];
    expect(signingKey([first, second])).toBe(second);
    expect(signingKey([first])).toBeNull();
    expect(signingKey([])).toBeNull();
  });
});

describe('a ring of keys', () => {
  it('is none where no file is named, and says so where there is no file', async () => {
    expect(await keyRing(null).current()).toEqual({ type: 'not-configured' });
    expect(await keyRing(path).current()).toEqual({ type: 'unusable', why: 'missing' });
  });

  it('sees what is changed, replaced, revoked by hand and taken away without being opened again', async () => {
    const ring = keyRing(path);
    expect((await ring.current()).type).toBe('unusable');
    const first = newKey(now);
    await writeKeyFile(path, [first]);
    expect(keyOf(await ring.current(), first.id)).toEqual(first);
    expect(keyOf(await ring.current(), 'other')).toBeNull();

    const second = newKey(now);
    await writeKeyFile(path, [second, first]);
    expect(keyOf(await ring.current(), second.id)).toEqual(second);

    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replaceAll('revoked: false', 'revoked: true'));
    expect(keyOf(await ring.current(), first.id)?.revoked).toBe(true);

    await writeFile(path, (await readFile(path, 'utf8')).replace(first.id, 'ffffffff'));
    expect(keyOf(await ring.current(), first.id)).toBeNull();
    expect(await ring.current()).toBe(await ring.current());

    await chmod(path, 0o644);
    expect(await ring.current()).toEqual({ type: 'unusable', why: 'exposed' });
    await rename(path, `${path}.away`);
    expect(await ring.current()).toEqual({ type: 'unusable', why: 'missing' });
  });
});
