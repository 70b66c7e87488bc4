import { streamApi } from '#lib/api/stream.ts';
import { z } from 'zod';
import { startChild } from '../child.ts';
import type { BenchFleet } from '../fleet.ts';
import type { BenchWeb } from '../web.ts';

/** Delay of frames to many browsers at once (ms), measured on those that say when they were made. */
export const StreamClientsResult = z.object({
  type: z.literal('streams'),
  clients: z.number(),
  framesPerClientSecond: z.number(),
  p50: z.number(),
  p99: z.number(),
  samples: z.number(),
});
export type StreamClientsResult = z.infer<typeof StreamClientsResult>;

/** Lets `clients` browsers look at the matrix for `seconds` while something changes `changesPerSecond` times a second. */
export async function measureStreams(
  fleet: BenchFleet,
  web: BenchWeb,
  clients: number,
  seconds: number,
  directory: string,
): Promise<StreamClientsResult & { readonly webCores: number }> {
  const args = [`${web.url}${streamApi.path}?topic=fleet`, String(clients), String(seconds)];
  const child = startChild({ program: 'test/bench/stream-clients.ts', args, directory });
  // Twenty changes a second: more than there can be frames, so every turn of the stream has something to say.
  const changing = setInterval(() => {
    const next = fleet.nextChange();
    next.write().catch(() => clearInterval(changing));
  }, 50);
  try {
    await child.receive('open', 120_000);
    const before = { cpu: web.child.usage().cpu, at: performance.now() };
    const result = StreamClientsResult.parse(await child.receive('streams', seconds * 1_000 + 60_000));
    const webCores = (web.child.usage().cpu - before.cpu) / ((performance.now() - before.at) / 1_000);
    return { ...result, webCores };
  } finally {
    clearInterval(changing);
    await child.stop();
  }
}
