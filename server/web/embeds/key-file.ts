import { randomBytes, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { parse, stringify } from 'yaml';
import { z } from 'zod';

/** One key that signs links, or did. */
export interface SigningKey {
  readonly id: string;
  /** 32 bytes. */
  readonly secret: Buffer;
  /** RFC 3339. */
  readonly created: string;
  /** True if links that it has signed open nothing any more. */
  readonly revoked: boolean;
}

/** The keys of a file, or why it cannot be used. */
export type ReadKeys =
  | { readonly type: 'keys'; readonly keys: readonly SigningKey[] }
  | { readonly type: 'unusable'; readonly why: 'missing' | 'exposed' | 'unreadable' | 'malformed' };

/** Comment above the keys that sign links. */
const headOfLinks = `# The keys that sign links to embeds and badges. Whoever reads them can make links: keep this file to its owner (0600).
# The first key that is not revoked signs. "revoked: true" closes every link that a key has signed, at once.
`;

const fileShape = z.strictObject({
  keys: z.array(
    z.strictObject({
      id: z.string().regex(/^[a-z0-9]{4,32}$/),
      secret: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
      created: z.iso.datetime({ offset: true }),
      revoked: z.boolean().default(false),
    }),
  ),
});

/** Others may not touch it, and its group not change it; that the group may read is how Kubernetes mounts a Secret. */
const EXPOSED = 0o037;

/** Bytes: a key takes some 150. */
const largest = 1_000_000;

/** Reads a file of keys. On Windows, where a mode says nothing, it is not checked. */
export async function readKeyFile(path: string): Promise<ReadKeys> {
  let text: string;
  try {
    // The opening of a pipe would wait for a writer.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = await file.stat();
    if (!found.isFile()) return { type: 'unusable', why: 'unreadable' };
    if (found.size > largest) return { type: 'unusable', why: 'malformed' };
    const { mode } = found;
    if (process.platform !== 'win32' && (mode & EXPOSED) !== 0) return { type: 'unusable', why: 'exposed' };
    text = await file.readFile('utf8');
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return { type: 'unusable', why: missing ? 'missing' : 'unreadable' };
  }
  return keysOf(text);
}

function keysOf(text: string): ReadKeys {
  let content: unknown;
  try {
    content = parse(text);
  } catch {
    return { type: 'unusable', why: 'malformed' };
  }
  const read = fileShape.safeParse(content);
  if (!read.success) return { type: 'unusable', why: 'malformed' };
  const keys = read.data.keys.map((key) => ({ ...key, secret: Buffer.from(key.secret, 'base64url') }));
  // Of two keys of one name nobody could say which one is revoked.
  return new Set(keys.map(({ id }) => id)).size === keys.length
    ? { type: 'keys', keys }
    : { type: 'unusable', why: 'malformed' };
}

/** The key that signs now; null where every one is revoked. */
export function signingKey(keys: readonly SigningKey[]): SigningKey | null {
  return keys.find((key) => !key.revoked) ?? null;
}

/** A new key, made at `now` (ms). */
export function newKey(now: number): SigningKey {
  const id = randomBytes(4).toString('hex');
  return { id, secret: randomBytes(32), created: new Date(now).toISOString(), revoked: false };
}

/** Makes a file with one key, made at `now` (ms), where there is none; what is there stays as it is. */
export async function makeFirstKey(path: string, now: number, head = headOfLinks): Promise<void> {
  const read = await readKeyFile(path);
  if (read.type === 'unusable' && read.why === 'missing') await writeKeyFile(path, [newKey(now)], head);
}

/**
 * Writes keys in place of what was there, for the owner's eyes only, under `head`, a comment; a reader finds the old file or the new one.
 * Rejects where it cannot be written.
 */
export async function writeKeyFile(path: string, keys: readonly SigningKey[], head = headOfLinks): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  const content = keys.map(({ secret, ...key }) => ({ ...key, secret: secret.toString('base64url') }));
  try {
    await using file = await open(temporary, 'wx', 0o600);
    await file.writeFile(`${head}${stringify({ keys: content })}`);
    // Node's permission model, under which the pages make the first key of sessions, knows no fsync.
    if (!isHeldByPermissions()) await file.sync();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function isHeldByPermissions(): boolean {
  return Reflect.get(process, 'permission') !== undefined;
}

/** The keys that links are signed with, as their file has them now. */
export interface KeyRing {
  /** Never rejects: a file that cannot be used opens no link. */
  current(): Promise<RingState>;
}

/** The keys of the ring, or why there are none. */
export type RingState = ReadKeys | { readonly type: 'not-configured' };

/** Opens the file of keys; null where none is configured. It is read anew whenever it was changed or replaced. */
export function keyRing(path: string | null): KeyRing {
  if (path === null) return { current: () => Promise.resolve({ type: 'not-configured' }) };
  let kept: { readonly identity: string | null; readonly state: ReadKeys } | null = null;

  async function identityOf(file: string): Promise<string | null> {
    try {
      const { dev, ino, mode, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
      return [dev, ino, mode, size, mtimeNs, ctimeNs].join();
    } catch {
      return null;
    }
  }

  return {
    async current() {
      const identity = await identityOf(path);
      if (identity !== null && kept?.identity === identity) return kept.state;
      const state = await readKeyFile(path);
      kept = { identity, state };
      return state;
    },
  };
}

/** The key of this id; null where there is none. */
export function keyOf(state: RingState, id: string): SigningKey | null {
  return state.type === 'keys' ? (state.keys.find((key) => key.id === id) ?? null) : null;
}
