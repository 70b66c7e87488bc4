// Links that a link-maker of a part signs: who has one is shown nothing that its maker is not.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WireLink } from '#lib/api/embed.ts';
import { canaryObjects } from './canary/canary-fleet.ts';
import { type CanaryWeb, canaryWeb, leaksIn, partial } from './canary/canary-web.ts';
import { here } from './canary/canary-words.ts';

let folder = '';
let running: CanaryWeb;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-canary-links-'));
  running = await canaryWeb({ keys: join(folder, 'keys.yaml') });
});
afterAll(async () => {
  await running.stop();
  await rm(folder, { recursive: true, force: true });
});

const objects = canaryObjects.map(
  ({ ref: { cluster, group, kind, namespace, name } }) => `object:${[cluster, group, kind, namespace, name].join('/')}`,
);
const scopes = [
  'fleet',
  `cluster:${here}`,
  'label:environment=production',
  `column:Kustomization/root`,
  ...objects,
  ...['converged', 'incidents', 'alarms'].map((figure) => `figure:${figure}/last-30-days/cluster:${here}`),
];

it('show nothing of what lies outside of the view of who has signed them', { timeout: 60_000 }, async () => {
  const leaks: string[] = [];
  const signed: string[] = [];
  for (const name of partial)
    for (const scope of scopes) {
      const query = new URLSearchParams({ scope }).toString();
      const answer = await running.ask(name, `/api/v1/link?${query}`, { 'plumbline-link': 'sign' });
      leaks.push(...leaksIn(name, `/api/v1/link?${query}`, answer.body));
      const link = answer.status === 200 ? WireLink.parse(JSON.parse(answer.body)) : null;
      if (link?.type !== 'signed') continue;
      signed.push(`${name} ${scope}`);
      for (const path of [link.embed, link.badge]) {
        const shown = await running.ask('whole', path);
        expect([path, shown.status]).toEqual([path, 200]);
        leaks.push(...leaksIn(name, `${scope} as signed by ${name}`, shown.body));
      }
    }
  expect(leaks).toEqual([]);
  expect(signed.length).toBeGreaterThan(10);
});
