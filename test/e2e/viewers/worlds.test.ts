// Every page, as viewers of a part are sent it: nothing of what lies outside of a view is in its bytes.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { hour } from '#lib/domain/time/length.ts';
import { momentText } from '#lib/format/moment.ts';
import { mountNext } from '#server/web/next-mount.ts';
import { fakeSha } from '#server/web/testing/fake-git.ts';
import { sampleNow } from '#server/web/testing/sample.ts';
import { roots, waiting } from '#test/integration/worlds/canary/canary-fleet.ts';
import {
  canaryWeb,
  type CanaryWeb,
  leaksIn,
  partial,
  type ViewerName,
} from '#test/integration/worlds/canary/canary-web.ts';
import { canaries, digitsOf, here } from '#test/integration/worlds/canary/canary-words.ts';

const root = join(import.meta.dirname, '..', '..', '..');
let running: CanaryWeb;
beforeAll(async () => {
  running = await canaryWeb({ pages: await mountNext({ dir: root, hostname: '127.0.0.1', port: 0 }) });
});
afterAll(() => running?.stop());

/** Addresses of every page that there is: a new one is among them by itself. */
async function addresses(name: ViewerName): Promise<readonly string[]> {
  const { body } = await running.ask(name, '/api/v1/incidents');
  const { rows } = z.object({ rows: z.array(z.object({ id: z.string() })) }).parse(JSON.parse(body));
  const seen = name === 'otherNamespace' ? roots[canaries.beside] : waiting;
  const sha = fakeSha(digitsOf[name === 'otherNamespace' ? canaries.beside : canaries.home][2]);
  const values: Readonly<Record<string, string>> = { ...seen, id: rows[0]?.id ?? 'none', sha };
  const routes = globSync('app/**/page.tsx', { cwd: root }).map((file) =>
    file.slice('app'.length, -'/page.tsx'.length),
  );
  return routes.flatMap((route) => {
    const filled = route.replaceAll(/\[(?:\.\.\.)?(\w+)\]/g, (_whole, part: string) => values[part] ?? part);
    const path = filled === '' ? '/' : filled;
    return [
      path,
      `${path}?at=${momentText(sampleNow - hour)}`,
      `${path}?cluster=${here}`,
      `${path}?view=wall&tab=conflicts&causes=all&table=1&last=7d&period=last-30-days`,
      `${path}?alertname=x&kind=Kustomization&name=root`,
    ];
  });
}

it.each(partial)('no page tells what lies outside of the view by %s', { timeout: 480_000 }, async (name) => {
  const leaks: string[] = [];
  let shown = 0;
  for (const address of await addresses(name)) {
    const { status, body } = await running.ask(name, address);
    if (status === 200) shown += 1;
    leaks.push(...leaksIn(name, address, body));
  }
  expect(leaks).toEqual([]);
  expect(shown).toBeGreaterThan(40);
});

it('who sees everything is told of it', async () => {
  const { body } = await running.ask('whole', '/');
  for (const canary of [canaries.elsewhere, canaries.beside]) expect(body).toContain(canary);
});
