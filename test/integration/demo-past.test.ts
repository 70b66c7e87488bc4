// The seam between the demo's simulated past and the present that a collector finds.
import { afterEach, expect, it } from 'vitest';
import type { Transition } from '#lib/domain/record/current.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { refKey, type RefKey } from '#lib/domain/observation/ref.ts';
import { until } from '#server/collector/clusters/testing/until.ts';
import { writePast } from '#server/cli/serving/demo-past.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { startSimulator } from '#server/simulator/main.ts';
import { isMeantToCall } from '#server/simulator/monitoring/demo-intention.ts';
import { inventoryOf } from '#server/simulator/past/inventory-of.ts';
import type { Script } from '#server/simulator/past/script.ts';
import { incidentsOf } from './ninety-days/true-incidents.ts';
import { notAsTrue } from './running/oracle.ts';
import { bookmarkInterval, configOf, startCollector, startScreen, workDirectory } from './running/running-fleet.ts';

const endings: (() => Promise<unknown> | void)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

function named({ ref, from, to, reason }: Transition): string {
  return `${refKey(ref)}: ${from} -> ${to} ${reason}`;
}

/** Verdict in which the past leaves each object. */
function lastWords(script: Script): ReadonlyMap<RefKey, Verdict> {
  return new Map(
    script.objects
      .filter(({ spans }) => spans.at(-1)?.goneAt === null)
      .map(({ object, episodes }) => {
        const last = episodes.at(-1);
        const verdict = last && last.home === null ? last.stages.at(-1)?.verdict : undefined;
        return [refKey(object.ref), verdict ?? 'converged'];
      }),
  );
}

/** On a busy machine a kind may be listed late: until then nobody sees its objects, which is no other word on them. */
function saysMore({ from, to }: Transition): boolean {
  return from !== 'unobserved' && to !== 'unobserved';
}

/** The objects that the past leaves away from git, with when they left it. */
function awayIn(script: Script): ReadonlyMap<RefKey, number> {
  const open = script.objects.flatMap(({ object, spans, episodes }) => {
    const last = episodes.at(-1);
    return last && last.home === null && spans.at(-1)?.goneAt === null
      ? [[refKey(object.ref), last.stages[0].at] as const]
      : [];
  });
  return new Map(open);
}

it('the present continues the past: nothing is recorded at the seam that never was, no time away is cut', async () => {
  const directory = workDirectory();
  endings.push(directory.remove);
  const shared = { clock: systemClock, log: silentLog, directory: directory.path };
  const simulator = await startSimulator({ ...shared, story: 'opening', bookmarkInterval });
  endings.push(simulator.stop);
  if (!simulator.demo) throw new Error('no demo');
  const inventory = inventoryOf(simulator.demo, Date.now());
  const path = `${directory.path}/plumbline.db`;
  const target = { path, log: silentLog, ending: new AbortController().signal };
  const past = await writePast(inventory, target);
  if (past.type !== 'written') throw new Error(past.type);
  const { script } = past;
  expect(await writePast(inventory, target), 'a store with a record').toEqual({ type: 'kept' });

  const collector = await startCollector({ ...shared, config: await configOf(simulator) });
  endings.push(collector.stop);
  const screen = startScreen(path, systemClock, silentLog);
  endings.push(screen.stop);
  const controllers = () => screen.cluster('stg-edge')?.controllers ?? [];
  await until(
    'the present to be known, dead controllers included',
    () =>
      notAsTrue(screen, simulator.truth(Date.now())).length === 0 &&
      controllers().some(({ name, state }) => name === 'kustomize-controller' && state === 'dead') &&
      script.clusters.every((name) => (screen.cluster(name)?.lastWordAt ?? 0) > inventory.at),
    90_000,
  );

  const reader = screen.follower.reader();
  const range = { from: 0, to: Date.now() + 1, limit: 100_000 };
  const since = ((await reader?.recent(range)) ?? []).filter(({ noticedAt }) => noticedAt > script.to);
  const scripted = new Set(script.objects.map(({ object }) => refKey(object.ref)));
  expect(
    since.filter((one) => scripted.has(refKey(one.ref)) && saysMore(one)).map(named),
    'of what the past tells of',
  ).toEqual([]);
  const others = since.filter(({ ref }) => !scripted.has(refKey(ref)) && ref.group !== 'declared');
  const young = inventory.objects.filter(({ createdAt }) => createdAt >= script.to);
  expect(others.filter(({ from }) => from === null)).toHaveLength(young.length);
  const changes = (await reader?.changes({ ...range, from: script.to })) ?? [];
  expect(changes.map(({ ref, fact }) => `${ref?.name} ${fact.type}`).toSorted(), 'made after the past').toEqual(
    young.map(({ ref }) => `${ref.name} created`).toSorted(),
  );
  const away = awayIn(script);
  expect(away.size).toBeGreaterThan(30);
  const shown = screen.objects().filter(({ ref }) => scripted.has(refKey(ref)));
  expect(new Map(shown.map(({ ref, verdict }) => [refKey(ref), verdict]))).toEqual(lastWords(script));
  const left = shown.flatMap(({ ref, awaySince }) => (awaySince ? [[refKey(ref), awaySince.time] as const] : []));
  expect(new Map(left), 'since when objects are away').toEqual(away);
  const silent = new Set(
    shown.flatMap(({ ref, verdict }) =>
      verdict !== 'converged' && away.has(refKey(ref)) && !isMeantToCall(ref, verdict) ? [refKey(ref)] : [],
    ),
  );
  expect(silent.size).toBeGreaterThan(10);
  const lastCalls = script.alarms.flatMap(({ calls }) =>
    calls.filter(
      ({ names, call }) => names !== null && silent.has(refKey(names)) && call.from >= (away.get(refKey(names)) ?? 0),
    ),
  );
  expect(lastCalls, 'called for what nobody is called for now').toEqual([]);

  const known = { scope: { clusters: null }, at: range.to - 1, order: 'newest' } as const;
  const page = { cursor: null, limit: 1000 };
  const lasting = await reader?.record.incidents({ ...known, period: { from: script.to, to: range.to } }, page);
  const scriptedCauses = incidentsOf(script, script.to).filter(({ closedAt }) => closedAt === Infinity);
  const told = (lasting?.items ?? []).map(({ openedAt, closedAt, members }) => [openedAt, closedAt, members].join(' '));
  expect(told.toSorted(), 'what fails, cause by cause').toEqual(
    scriptedCauses.map(({ openedAt, members }) => [openedAt, null, members.length].join(' ')).toSorted(),
  );
}, 180_000);
