import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { refuseCrumbs } from '#server/runtime/bytes/crumbs.ts';
import { gatherBytes } from '#server/runtime/bytes/gathered-bytes.ts';

/** The body of an answer, or why there is none, a sentence. */
export type Gathered =
  | { readonly type: 'ok'; readonly text: string }
  | { readonly type: 'too-large' }
  | { readonly type: 'failed'; readonly reason: string };

class TooLarge extends Error {}

/** Reads the body of an answer: at most `most` bytes, as they arrive and decompressed. Never rejects. */
export async function gather(response: IncomingMessage, most: number): Promise<Gathered> {
  const encoding = (response.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding !== 'identity' && encoding !== 'gzip')
    return { type: 'failed', reason: 'Its answer is compressed in a way that was not asked for.' };
  const gathered = gatherBytes();
  let areCrumbs = false;
  refuseCrumbs(response, () => {
    areCrumbs = true;
    response.destroy();
  });
  async function keep(parts: AsyncIterable<Buffer>): Promise<void> {
    for await (const part of counted(parts, most)) gathered.add(part);
  }
  try {
    if (encoding === 'gzip')
      await pipeline(response, (parts: AsyncIterable<Buffer>) => counted(parts, most), createGunzip(), keep);
    else await pipeline(response, keep);
    return { type: 'ok', text: gathered.take().toString('utf8') };
  } catch (error) {
    if (error instanceof TooLarge) return { type: 'too-large' };
    if (areCrumbs) return { type: 'failed', reason: 'Its answer comes in pieces of a few bytes.' };
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = code.startsWith('Z_') ? 'Its answer cannot be decompressed.' : 'Its answer breaks off.';
    return { type: 'failed', reason };
  }
}

async function* counted(parts: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const part of parts) {
    bytes += part.length;
    if (bytes > most) throw new TooLarge();
    yield part;
  }
}
