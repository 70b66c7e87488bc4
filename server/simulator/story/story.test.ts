import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { at, listAt, numberAt, parseForeign, textAt } from '#lib/foreign.ts';
import type { ForeignObject } from '#lib/foreign.ts';
import { fakeClock } from '../../runtime/fake-clock.ts';
import type { FakeClock } from '../../runtime/fake-clock.ts';
import { silentLog } from '../../runtime/log.ts';
import { groupResource } from '../api/kinds.ts';
import { objectKey } from '../api/kube-object.ts';
import { startSimulator } from '../main.ts';
import type { Simulator } from '../main.ts';
import type { Expected } from '../truth.ts';

const running: { readonly simulator: Simulator; readonly directory: string }[] = [];

afterEach(async () => {
  for (const { simulator, directory } of running.splice(0)) {
    await simulator.stop();
    rmSync(directory, { recursive: true, force: true });
  }
});

async function start(seed: number): Promise<{ simulator: Simulator; clock: FakeClock }> {
  const clock = fakeClock();
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-story-'));
  const simulator = await startSimulator({ clock, log: silentLog, directory, seed });
  running.push({ simulator, directory });
  return { simulator, clock };
}

const parsed = new WeakMap<object, ForeignObject | null>();

function objectOf(simulator: Simulator, { ref }: Expected): ForeignObject | null {
  const store = simulator.fleet.get(ref.cluster)?.store;
  const kind = store?.kinds().find((one) => one.group === ref.group && one.kind === ref.kind);
  const stored = kind && store?.store(groupResource(kind))?.get(objectKey(ref.namespace, ref.name));
  if (!stored) return null;
  const known = parsed.get(stored);
  if (known !== undefined) return known;
  const object = parseForeign(stored.json().toString());
  parsed.set(stored, object);
  return object;
}

function condition(object: ForeignObject | null, type: string): string | null {
  return textAt(
    listAt(object, 'status', 'conditions').find((one) => textAt(one, 'type') === type),
    'reason',
  );
}

function isBad(object: ForeignObject | null): boolean {
  return listAt(object, 'status', 'conditions').some((one) => {
    const type = textAt(one, 'type');
    return (
      (type === 'Ready' || type === 'Synced') &&
      textAt(one, 'status') === 'False' &&
      textAt(one, 'reason') !== 'DependencyNotReady'
    );
  });
}

// Hundreds of simulated seconds of a whole fleet, beside every other test.
describe('the story', { timeout: 90_000 }, () => {
  it('begins with several faults, and with every verdict that a fleet knows', async () => {
    const { simulator, clock } = await start(1);
    const truth = simulator.truth(clock.now());
    const counts: { [verdict: string]: number } = {};
    for (const { verdict } of truth) counts[verdict] = (counts[verdict] ?? 0) + 1;
    expect(truth.length).toBeGreaterThan(1100);
    expect(counts).toMatchObject({
      diverged: 3,
      drifted: 1,
      unhealthy: 1,
      suspended: 1,
      behind: 2,
      waiting: 1,
      progressing: 2,
    });
    expect(counts['stale']).toBeGreaterThan(13);
    expect(truth.every((one) => objectOf(simulator, one) !== null)).toBe(true);
    clock.advance(17_000);
    expect(simulator.fleet.get('ap-northeast-1')?.server.gate.reach).toBe('refused');
    clock.advance(60_000);
    const lost = simulator.truth(clock.now()).filter((one) => one.ref.cluster === 'ap-northeast-1');
    expect(new Set(lost.map((one) => one.verdict))).toEqual(new Set(['unobserved']));
  });

  it('is told by real commits, whose shas the clusters name', async () => {
    const { simulator, clock } = await start(1);
    clock.advance(100_000);
    const shas = new Set(simulator.demo?.repository.commits().map((commit) => commit.sha));
    const named = [...(simulator.demo?.clusters.values() ?? [])].flatMap((one) =>
      [...one.kustomizations.values()].map((handle) => handle.object.status.lastAppliedRevision ?? ''),
    );
    const fromGit = named.filter((revision) => revision.startsWith('main@sha1:'));
    expect(fromGit.length).toBeGreaterThan(100);
    expect(fromGit.filter((revision) => !shas.has(revision.slice('main@sha1:'.length)))).toEqual([]);
    expect(new Set(fromGit).size).toBeGreaterThan(1);
  });

  it('tells the truth: what it calls converged has no bad word, what it calls otherwise shows it', async () => {
    const { simulator, clock } = await start(5);
    const lies: string[] = [];
    // The first act and the faults of the second, looked at every ten seconds.
    for (let second = 0; second < 680; second += 10) {
      clock.advance(10_000);
      for (const expected of simulator.truth(clock.now())) {
        if (!expected.settled) continue;
        const object = objectOf(simulator, expected);
        const { verdict, ref } = expected;
        const wrong =
          (verdict === 'converged' && (isBad(object) || at(object, 'spec', 'suspend') === true)) ||
          (verdict === 'suspended' && at(object, 'spec', 'suspend') !== true) ||
          (verdict === 'drifted' && condition(object, 'Drifted') !== 'DriftDetected') ||
          (verdict === 'waiting' && condition(object, 'Ready') !== 'DependencyNotReady') ||
          (verdict === 'diverged' && condition(object, 'Ready') === 'ReconciliationSucceeded') ||
          (verdict === 'unhealthy' && condition(object, 'Ready') === 'ReconciliationSucceeded') ||
          (verdict === 'behind' && numberAt(object, 'status', 'observedGeneration') === -1);
        if (wrong) lies.push(`${clock.now()} ${ref.cluster}/${ref.kind}/${ref.name} is called ${verdict}`);
      }
    }
    expect(lies.slice(0, 10)).toEqual([]);
    expect(simulator.story?.played().length).toBeGreaterThan(30);
  });

  it('upgrades a controller once in each act: another image, another leader, and nothing breaks by it', async () => {
    const { simulator, clock } = await start(1);
    const held = (kind: string, ...path: string[]) => {
      const name =
        kind === 'leases.coordination.k8s.io' ? 'kustomize-controller-leader-election' : 'kustomize-controller';
      const found = simulator.fleet.get('stg-us')?.store.store(kind)?.get(objectKey('flux-system', name));
      return JSON.stringify(at(parseForeign(found?.json().toString() ?? ''), ...path));
    };
    const image = () => held('deployments.apps', 'spec', 'template', 'spec', 'containers');
    const leader = () => held('leases.coordination.k8s.io', 'spec', 'holderIdentity');
    clock.advance(80_000);
    const before = leader();
    expect(image()).toContain('kustomize-controller:v1.9.4');
    clock.advance(12_000);
    expect(image()).toContain('kustomize-controller:v1.9.5');
    expect(leader()).not.toBe(before);
    clock.advance(420_000);
    expect(image()).toContain('kustomize-controller:v1.9.6');
  });

  it('mends: there is a moment in which all is well', async () => {
    const { simulator, clock } = await start(2);
    let quiet = 0;
    for (let second = 0; second < 480; second += 5) {
      clock.advance(5000);
      if (simulator.truth(clock.now()).every((one) => one.verdict === 'converged' && one.settled)) quiet++;
    }
    expect(quiet).toBeGreaterThan(2);
  });

  it('is the same for the same seed, to the last byte, and another for another', async () => {
    const telling = async (seed: number): Promise<string[]> => {
      const { simulator, clock } = await start(seed);
      clock.advance(200_000);
      const played = simulator.story?.played().map((beat) => `${beat.at} ${beat.title}`) ?? [];
      const commits = simulator.demo?.repository.commits().map((commit) => commit.sha) ?? [];
      const truth = simulator
        .truth(clock.now())
        .map((one) => `${one.ref.cluster} ${one.ref.kind} ${one.ref.name} ${one.verdict}`);
      const objects = [...simulator.fleet.values()].flatMap((cluster) =>
        ['kustomizations.kustomize.toolkit.fluxcd.io', 'leases.coordination.k8s.io', 'events'].flatMap((kind) =>
          (cluster.store.store(kind)?.sorted() ?? []).map((object) => object.json().toString()),
        ),
      );
      return [...played, ...commits, ...truth, ...objects];
    };
    const first = await telling(9);
    expect(await telling(9)).toEqual(first);
    expect(await telling(10)).not.toEqual(first);
  });
});
