import { minute } from '#lib/domain/time/length.ts';
import { directory } from '../../fixtures/control-files.ts';
import { gitRepository, kustomization } from '../../fixtures/manifests.ts';
import type { Changes } from '../../harness/control-repository.ts';
import { clockOffBy } from '../../harness/faked-clock.ts';
import { shardLabel } from '../../harness/flux.ts';
import type { Manifest } from '../../harness/kube-client.ts';
import { startOnlooker } from '../../harness/onlooker.ts';
import { parseCheck, startPlumbline } from '../../harness/plumbline.ts';
import { commits, inTurn, kills, kustomizationAt, merges, notes, revives } from '../deeds.ts';
import { neverSeenBy, noMoreThanMain, seenBy } from '../checks/beside.ts';
import { began, lastPass, noted, offeredFor, onClockOff } from '../checks/began.ts';
import { clusterIs } from '../checks/places.ts';
import { says } from '../checks/says.ts';
import type { Chapter, Check, Stage } from '../situation.ts';
import { gitRepositoryOf, kustomizationOf, staysConverged } from '../subjects.ts';

const needs = ['faketime'] as const;
const tenMinutes = 10 * minute;
/** Whole seconds cannot tell less apart (ms). */
const exact = 1_000;

/** A Plumbline whose clock is off by so much (ms), and how its clusters' clocks are said to stand beside it. */
interface OffClock {
  readonly name: string;
  readonly off: number;
  readonly words: string;
}

const offClocks: readonly OffClock[] = [
  { name: '10 min ahead', off: tenMinutes, words: '10 min behind' },
  { name: '10 min behind', off: -tenMinutes, words: '10 min ahead of' },
];

/** Of shard1: the first stays there, the others are taken away from it. */
const apps = ['clock-shard', 'clock-passes', 'clock-daily'] as const;
const files = apps.reduce<Changes>((all, name) => ({ ...all, ...directory(name) }), {});
const appOf = (name: (typeof apps)[number]) => kustomizationOf('beta', name);
/** Without a pass: max(3 intervals of 20 s, interval + timeout of 10 s + 2 min), in ms. */
const passBound = 150_000;
const behindAfter = 90_000;

function byBoth(checks: (clock: OffClock) => readonly Check[]): readonly Check[] {
  return offClocks.flatMap((clock) => seenBy(clock.name, ...checks(clock)));
}

/** Looks for the error of a clock, which is measured to the second, and named in the summary of the fleet. */
function clockIs(cluster: string, { off, words }: OffClock): Check {
  const title = `the clock of ${cluster}`;
  return {
    expects: `${title}: ${-off} ms ahead of its own within 1 s, and named as ${words} it`,
    async find({ plumbline }) {
      const ahead = (await plumbline.cluster(cluster))?.clockAheadMs ?? null;
      const { partial } = await plumbline.summary();
      const fits = ahead !== null && Math.abs(ahead + off) <= exact;
      const named = partial.includes(`the clock of ${cluster} is ${words} Plumbline's`);
      return { fits: fits && named, got: `${title}: ${ahead} ms ahead; the summary says: ${partial.join('; ')}` };
    },
  };
}

/** One look by the command with that clock finds nothing worse than it is. */
const checked: Check = {
  expects: `plumbline check: ${apps.join(', ')} converged or unconfirmed`,
  async find({ plumbline }) {
    const config = await plumbline.configure('only-beta', ['beta']);
    const { stdout, stderr } = await plumbline.run('check', '--config', config, '--output', 'json');
    const found = apps.map((name) => {
      const one = parseCheck(stdout).find((object) => object.kind === 'Kustomization' && object.name === name);
      return { name, verdict: one?.verdict ?? 'not known' };
    });
    const fits = found.every(({ verdict }) => verdict === 'converged' || verdict === 'unconfirmed');
    const words = found.map(({ name, verdict }) => `${name} ${verdict}`).join(', ');
    return { fits, got: `plumbline check: ${words}${fits ? '' : `; ${stderr.trim()}`}` };
  },
};

function ofShard(name: string, key: string, interval: string): Manifest {
  const manifest = kustomization(name, 'clocks', { interval });
  return { ...manifest, metadata: { ...manifest.metadata, labels: { [shardLabel]: key } } };
}

async function offers({ bed }: Stage): Promise<void> {
  await bed.beta.admin.apply(gitRepository('clocks', bed.gitUrl('clocks')));
  for (const name of apps) await bed.beta.admin.apply(ofShard(name, 'shard1', name === 'clock-daily' ? '24h' : '20s'));
}

/** Node is linked dynamically, so its clock can be faked; the API servers are Go and tell this machine's. */
async function startBoth(stage: Stage): Promise<void> {
  for (const { name, off } of offClocks) {
    const plumbline = await startPlumbline(stage.bed, {
      name: `plumbline-${name.replaceAll(' ', '-')}`,
      env: clockOffBy(off),
    });
    stage.others.set(name, { plumbline, onlooker: startOnlooker(plumbline) });
  }
}

async function endBoth(stage: Stage): Promise<void> {
  for (const [name, { plumbline, onlooker }] of stage.others) {
    await onlooker.stop();
    const { took, left } = await plumbline.end('SIGTERM');
    if (took > 5_000 || left.length > 0) throw new Error(`${name}: ended in ${took} ms, ${left.length} processes left`);
    stage.others.delete(name);
  }
}

const moved = ['clock-passes', 'clock-daily'] as const;

function givesTo(key: string): (stage: Stage) => Promise<void> {
  return inTurn(
    ...moved.map((name) => merges('beta', kustomizationAt(name), { metadata: { labels: { [shardLabel]: key } } })),
  );
}

/** Plumbline's clock and the clusters' are not the same. */
export const clocks: Chapter = {
  name: 'clocks',
  title: "Plumbline's clock is 10 min ahead of the clusters', and 10 min behind",
  situations: [
    {
      name: 'two more Plumblines come, with clocks that are off: each cluster is named, and nothing is stale',
      needs,
      within: 180_000,
      act: inTurn(commits('clocks', 'clocks', 'Bring up the clocks', files), offers, startBoth),
      checks: [
        ...apps.map((name) => says(appOf(name), { verdict: 'converged', commit: 'clocks' })),
        ...byBoth((clock) => [
          clusterIs('alpha', ['live']),
          clusterIs('beta', ['live']),
          clockIs('alpha', clock),
          clockIs('beta', clock),
          ...apps.map((name) => says(appOf(name), { verdict: 'converged', commit: 'clocks', rootCause: null })),
        ]),
        ...offClocks.flatMap(({ name }) => [
          noMoreThanMain(name, ['converged', 'stale']),
          ...apps.map((app) => neverSeenBy(name, appOf(app), ['stale', 'behind', 'diverged', 'unobserved'])),
        ]),
      ],
    },
    {
      name: 'plumbline check by each of these clocks',
      needs,
      within: 120_000,
      checks: byBoth(() => [checked]),
    },
    {
      name: 'the controller of a shard is killed: stale at once, by any clock',
      needs,
      within: 60_000,
      act: inTurn(notes('shard1 killed'), kills('kustomize-controller-shard1-beta')),
      checks: byBoth(({ off }) => [
        says(appOf('clock-shard'), {
          verdict: 'stale',
          was: 'converged',
          rootCause: 'kustomize-controller-shard1',
          away: true,
        }),
        began(appOf('clock-shard'), onClockOff(off, noted('shard1 killed'))),
        says(kustomizationOf('beta', 'base'), { verdict: 'converged', rootCause: null }),
      ]),
      never: [staysConverged(kustomizationOf('beta', 'base'))],
    },
    {
      name: 'it is back: green once it has passed',
      needs,
      within: 150_000,
      act: revives('kustomize-controller-shard1-beta'),
      checks: byBoth(() => apps.map((name) => says(appOf(name), { verdict: 'converged', rootCause: null }))),
    },
    {
      name: 'objects are given to a shard that nobody serves, and a commit comes: no green outlives its proof',
      needs,
      within: passBound + 60_000,
      act: inTurn(
        givesTo('shard9'),
        commits('clocks', 'unserved', 'Commit that nobody takes', directory('clock-later')),
      ),
      checks: byBoth(({ off }) => [
        says(appOf('clock-passes'), { verdict: 'stale', was: 'converged', reason: 'NoPass', away: true }),
        began(appOf('clock-passes'), onClockOff(off, lastPass(passBound))),
        says(appOf('clock-daily'), { verdict: 'behind', away: true }),
        began(
          appOf('clock-daily'),
          onClockOff(off, offeredFor(gitRepositoryOf('beta', 'clocks'), 'unserved', behindAfter)),
        ),
        says(appOf('clock-shard'), { verdict: 'converged', commit: 'unserved' }),
      ]),
    },
    {
      name: 'they are given back, and the two end',
      needs,
      within: 90_000,
      act: inTurn(givesTo('shard1'), endBoth),
      checks: apps.map((name) => says(appOf(name), { verdict: 'converged', commit: 'unserved', rootCause: null })),
    },
  ],
};
