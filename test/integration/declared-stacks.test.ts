// What plumbline.yaml declares, from the file to the screen: by the collector's own fleet, recorder and store.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { startFleet, type Fleet } from '#server/collector/fleet.ts';
import { startRecorder, type Recorder } from '#server/collector/recorder/recorder.ts';
import { parseConfig } from '#server/config/load-config.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { startScreen, workDirectory, type Screen } from './running/running-fleet.ts';

const clock = systemClock;
const log = silentLog;
let directory: ReturnType<typeof workDirectory>;
let screen: Screen | null;
let running: { readonly fleet: Fleet; readonly recorder: Recorder } | null;

async function start(yaml: string, remembered: readonly string[] = []): Promise<Screen> {
  const loaded = parseConfig(yaml, directory.path);
  if (loaded.type === 'invalid') throw new Error(JSON.stringify(loaded.problems));
  const path = join(directory.path, 'plumbline.db');
  const recorder = await startRecorder({ path, holder: 'test', clock, log });
  if ('type' in recorder) throw new Error(recorder.type);
  const fleet = await startFleet({ config: loaded.config, clock, log, random: Math.random, recorder, remembered });
  running = { fleet, recorder };
  screen ??= startScreen(path, clock, log);
  return screen;
}

async function stop(): Promise<void> {
  await running?.fleet.stop();
  await running?.recorder.stop();
  running = null;
}

function stack(cluster: string, name: string): ObjectRef {
  return { cluster, group: 'declared', kind: 'Stack', namespace: '', name };
}

const soon = { timeout: 10_000, interval: 50 };

beforeEach(() => {
  directory = workDirectory();
  screen = null;
  running = null;
});

afterEach(async () => {
  await stop();
  await screen?.stop();
  directory.remove();
});

it('a stack stands on the screen as what nothing reports on, also on a cluster that nobody can reach', async () => {
  const shown = await start(`
clusters: [{ name: lost, kubeconfig: ./none.yaml }]
stacks:
  - { name: dns, tool: ansible, cluster: lost }
  - name: legacy-vpc
    tool: terraform
    labels: { environment: production }
    repository: https://u:canary@git.example.org/acme/legacy.git
    path: ./vpc/
    reason: applied from the release pipeline.
`);
  await vi.waitFor(() => expect(shown.objects()).toHaveLength(2), soon);
  expect(shown.object(stack('lost', 'dns'))).toMatchObject({
    verdict: 'unobserved',
    reason: 'NoLoop',
    sentence: 'No loop reports on this: Ansible runs only when somebody runs it.',
  });
  expect(shown.object(stack('not on a cluster', 'legacy-vpc'))).toMatchObject({
    verdict: 'unobserved',
    sentence: 'No loop reports on this: Terraform runs only when somebody runs it (applied from the release pipeline).',
    path: 'vpc',
    drift: 'not-measured',
    confirmation: 'none',
    awaySince: { bound: 'at-least' },
  });
  expect(shown.cluster('not on a cluster')).toMatchObject({
    state: 'declared',
    labels: { environment: 'production' },
  });
  const detail = await shown.follower.reader()?.detail(stack('not on a cluster', 'legacy-vpc'));
  expect(detail?.target?.url).toBe('https://git.example.org/acme/legacy.git');
  expect(JSON.stringify([detail, shown.objects()])).not.toContain('canary');
});

it('what the file says no longer is gone after a restart, and what it says anew is said; since when is kept', async () => {
  const shown = await start(`
stacks:
  - { name: gone, tool: cdk, row: office }
  - { name: kept, tool: cdk, row: office }
  - { name: alone, tool: cdk, row: attic }
`);
  await vi.waitFor(() => expect(shown.objects()).toHaveLength(3), soon);
  const since = shown.object(stack('office', 'kept'))?.awaySince?.time;
  await stop();
  await start('stacks: [{ name: kept, tool: cdk, row: office, reason: moved }]\n', ['office', 'attic']);
  await vi.waitFor(() => {
    expect(shown.objects().map(({ ref }) => ref.name)).toEqual(['kept']);
    expect(shown.object(stack('office', 'kept'))?.sentence).toContain('(moved)');
    expect(shown.cluster('attic')).toBeNull();
  }, soon);
  expect(shown.object(stack('office', 'kept'))?.awaySince?.time).toBe(since);
});
