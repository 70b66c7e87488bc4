import { expect, it } from 'vitest';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { sampleMoment } from '../testing/moment.ts';
import { sampleRef } from '../testing/sample.ts';
import { openTopics } from './open-topic.ts';

it.each([
  [1, 8],
  [100, 64],
])('%i topics keep %i MB of frames together at most', (count, megabytes) => {
  const topics = openTopics(sampleMoment(createFleetCache()), 500);
  const open = Array.from({ length: count }, (_, n) =>
    topics.open({ type: 'object', ref: sampleRef({ name: `o${n}` }) }, 0, 0),
  );
  const bytes = Buffer.alloc(256 * 1024);
  for (let number = 1; number <= 64; number += 1) for (const topic of open) topic?.push({ number, at: number, bytes });
  const kept = open.map((topic) => Array.from({ length: 64 }, (_, n) => topic?.after(n)?.length ?? 0));
  const frames = kept.reduce((sum, counts) => sum + Math.max(...counts), 0);
  expect((frames * bytes.length) / 1024 / 1024).toBeLessThanOrEqual(megabytes);
  expect(frames).toBeGreaterThan(count);
});
