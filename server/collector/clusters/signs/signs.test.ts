import { expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { fakeTransport } from '../testing/fake-transport.ts';
import { settled } from '../testing/until.ts';
import { defaultTuning } from '../tuning.ts';
import { startSigns } from './signs.ts';
import { createBoundary } from '../boundary.ts';
import { silentLog } from '#server/runtime/log.ts';

it('looks for Argo CD once its Applications are served, and not for other kinds', async () => {
  const transport = fakeTransport();
  const on = (): void => undefined;
  const signs = startSigns({
    transport,
    clock: fakeClock(),
    random: () => 0,
    tuning: defaultTuning,
    boundary: createBoundary(silentLog),
    on,
  });
  const searches = async (...kinds: (readonly [group: string, kind: string])[]): Promise<number> => {
    signs.onKinds(kinds.map(([group, kind]) => ({ group, kind })));
    await settled();
    return transport.gets.filter(({ path }) => path.includes('/statefulsets')).length;
  };
  expect(await searches(['argoproj.io', 'ApplicationSet'], ['app.k8s.io', 'Application'])).toBe(0);
  expect(await searches(['apps', 'Deployment'], ['argoproj.io', 'Application'])).toBe(1);
  expect(await searches(['argoproj.io', 'Application'])).toBe(1);
  for (let round = 0; round < 3; round += 1) {
    for (const get of transport.gets) get.ok({ items: [] });
    await settled();
  }
  await signs.stop();
});
