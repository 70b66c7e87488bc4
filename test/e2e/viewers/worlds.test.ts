// Every page, as two viewers are sent it: nothing of what lies outside of a view is in its bytes.
import { globSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { wholeScope, type ViewScope } from '#lib/domain/access/scope.ts';
import { anybody, type Viewer } from '#lib/domain/access/viewer.ts';
import { hour } from '#lib/domain/time/length.ts';
import { momentText } from '#lib/format/moment.ts';
import { mountNext } from '#server/web/next-mount.ts';
import { memoryStore } from '#server/web/testing/memory-reader.ts';
import { accessOfViewers, runningWeb, type RunningWeb } from '#server/web/testing/running-web.ts';
import { kustomizeGroup, sampleNow } from '#server/web/testing/sample.ts';
import { apps, canaries, fillWithCanaries, here } from '#server/web/worlds/testing/canary-fleet.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const grants = (namespaces: readonly string[] | null): ViewScope => ({
  type: 'grants',
  grants: [{ clusters: [here], labels: {}, namespaces }],
});
const viewers = { whole: wholeScope, cluster: grants(null), namespace: grants([apps]) } as const;
type Name = keyof typeof viewers;
const outside: Readonly<Record<Exclude<Name, 'whole'>, readonly string[]>> = {
  cluster: [canaries.elsewhere],
  namespace: [canaries.elsewhere, canaries.beside],
};

function viewerOf({ headers }: IncomingMessage): Viewer {
  const name = (['whole', 'cluster', 'namespace'] as const).find((one) => one === headers['x-viewer']);
  return { ...anybody, scope: viewers[name ?? 'whole'] };
}

let web: RunningWeb;
beforeAll(async () => {
  const store = memoryStore();
  fillWithCanaries(store);
  const pages = await mountNext({ dir: root, hostname: '127.0.0.1', port: 0 });
  web = await runningWeb(pages, {}, store, null, accessOfViewers(viewerOf));
  await web.advance(5_000);
});
afterAll(() => web?.stop());

async function page(name: Name, path: string): Promise<{ readonly status: number; readonly body: string }> {
  const answer = await web.get(path, { headers: { 'x-viewer': name } });
  return { status: answer.status, body: await answer.text() };
}

/** Addresses of every page that there is: a new one is among them by itself. */
async function addresses(name: Name): Promise<readonly string[]> {
  const answer = await web.get('/api/v1/incidents', { headers: { 'x-viewer': name } });
  const { rows } = z.object({ rows: z.array(z.object({ id: z.string() })) }).parse(await answer.json());
  const values: Readonly<Record<string, string>> = {
    ...{ cluster: here, group: kustomizeGroup, kind: 'Kustomization', namespace: apps, name: 'by-near' },
    id: rows[0]?.id ?? 'none',
    sha: 'f'.repeat(40),
  };
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

it.each(['cluster', 'namespace'] as const)(
  'no page tells what lies outside of the view by %s',
  { timeout: 240_000 },
  async (name) => {
    const leaks: string[] = [];
    let shown = 0;
    for (const address of await addresses(name)) {
      const { status, body } = await page(name, address);
      if (status === 200) shown += 1;
      for (const canary of outside[name]) {
        const at = body.indexOf(canary);
        if (at >= 0) leaks.push(`${address}: ${body.slice(Math.max(0, at - 120), at + 60)}`);
      }
    }
    expect(leaks).toEqual([]);
    expect(shown).toBeGreaterThan(40);
  },
);

it('who sees everything is told of it', async () => {
  const { body } = await page('whole', '/');
  expect(body).toContain(canaries.elsewhere);
  expect(body).toContain(canaries.beside);
});
