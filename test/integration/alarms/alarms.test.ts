// The demo's monitoring, read over HTTP, against what its script means: for every object that is away, is somebody called, and if not, why?
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { WireAlarms } from '#lib/api/alarm/alarms.ts';
import { WireNotified } from '#lib/api/alarm/chain.ts';
import { WireAlarm } from '#lib/api/object.ts';
import { refKey, type ObjectRef } from '#lib/domain/observation/ref.ts';
import { minute, second } from '#lib/domain/time/length.ts';
import { intendedNotification } from '#server/simulator/fleet/true-notification.ts';
import { mistakes } from '#server/simulator/monitoring/demo-intention.ts';
import type { ExpectedAlarm, TrueAlarm } from '#server/simulator/truth.ts';
import { startPlayedDemo, type PlayedDemo } from '../story/played-demo.ts';

const checkEvery = 23 * second;
const played = 12 * minute;

const SaidPage = z.object({
  objects: z.array(
    z.object({
      cluster: z.string(),
      group: z.string(),
      kind: z.string(),
      namespace: z.string(),
      name: z.string(),
      verdict: z.string(),
      alarm: WireAlarm,
      awaySince: z.object({ bound: z.string() }).nullable(),
    }),
  ),
  nextCursor: z.string().nullable(),
});
type Said = z.infer<typeof SaidPage>['objects'][number];

let demo: PlayedDemo;
beforeAll(async () => {
  demo = await startPlayedDemo(1, { alarms: true });
}, 60_000);
afterAll(() => demo.stop(), 60_000);

async function allSaid(): Promise<ReadonlyMap<string, Said>> {
  const found = new Map<string, Said>();
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: z.infer<typeof SaidPage> = SaidPage.parse(await demo.ask('objects', { limit: '1000', cursor }));
    for (const object of page.objects) found.set(refKey(object), object);
    cursor = page.nextCursor;
  }
  return found;
}

const FindingPage = WireAlarms.pick({ findings: true });

function words({ state, broken, by, why }: WireAlarm): string {
  return [state, broken ?? by ?? why].filter((word) => word !== null).join(' ');
}

function meant(alarm: TrueAlarm): string {
  switch (alarm.state) {
    case 'sounding':
      return `sounding ${alarm.by}`;
    case 'pending':
    case 'silent':
      return `${alarm.state} ${alarm.broken}`;
    case 'not-due':
      return alarm.state;
    case 'unknown':
      return `unknown ${alarm.why}`;
  }
}

/** Alarms that are told otherwise than the script means, of all that has settled. */
function lies(said: ReadonlyMap<string, Said>, truth: readonly ExpectedAlarm[]): readonly string[] {
  return truth.flatMap(({ ref, alarm, alsoRight, settled }) => {
    const object = said.get(refKey(ref));
    if (!settled || object === undefined) return [];
    // What was away before Plumbline looked has been so for at least as long as it has: its deadline may come later than the script's.
    const late = object.awaySince?.bound === 'at-least' ? [alarm, ...alsoRight].filter(isSilent).map(asPending) : [];
    const right = [alarm, ...alsoRight, ...late].map(meant);
    return right.includes(words(object.alarm))
      ? []
      : [`${name(ref)} is ${words(object.alarm)}, and not ${right.join(' or ')}`];
  });
}

function isSilent(alarm: TrueAlarm): alarm is Extract<TrueAlarm, { broken: unknown }> {
  return alarm.state === 'silent';
}

function asPending({ broken }: Extract<TrueAlarm, { broken: unknown }>): TrueAlarm {
  return { state: 'pending', broken };
}

function name({ cluster, kind, name: called }: ObjectRef): string {
  return `${cluster}/${kind}/${called}`;
}

const SaidNotified = z.object({ object: z.object({ verdict: z.string() }), notified: WireNotified.nullable() });
/** Clusters with an Alert. */
const notifying = ['eu-west-3', 'ap-south-1', 'us-east-2', 'stg-us'] as const;

/** Notifications that are told otherwise than the script means, and what it means, of all that has settled. */
async function notificationLies(): Promise<{ readonly lies: readonly string[]; readonly meant: readonly string[] }> {
  const lies: string[] = [];
  const said: string[] = [];
  for (const one of demo.fleet.ledger.statedAt(demo.now())) {
    const { ref, verdict, settled, alsoRight } = one.expected;
    if (!notifying.some((cluster) => cluster === ref.cluster) || !settled || alsoRight.length > 0) continue;
    const right = intendedNotification(one);
    if (right === null) continue;
    const { cluster, group, kind, namespace, name: called } = ref;
    const asked = await demo.ask('object', { cluster, group, kind, namespace, name: called });
    const { object, notified } = SaidNotified.parse(asked);
    // What else is told of the object is another test's affair.
    if (object.verdict !== verdict) continue;
    const found =
      notified === null ? 'nothing' : [notified.state, notified.link].filter((word) => word !== null).join(' ');
    said.push(right);
    if (found !== right) lies.push(`${name(ref)}, ${verdict}, is ${found}, and not ${right}`);
  }
  return { lies, meant: said };
}

it('says of every object what the script means, through two acts', async () => {
  const wrong = new Map<string, number>();
  const states = new Set<string>();
  const told = new Set<string>();
  await demo.play(90 * second);
  for (let at = 90 * second; at < played; at += checkEvery) {
    await demo.play(checkEvery);
    const said = await allSaid();
    for (const { alarm } of said.values()) states.add(words(alarm));
    const notifications = await notificationLies();
    for (const one of notifications.meant) told.add(one);
    for (const lie of [...lies(said, demo.alarms()), ...notifications.lies]) wrong.set(lie, (wrong.get(lie) ?? 0) + 1);
  }
  expect(Object.fromEntries(wrong)).toEqual({});
  expect([...told].toSorted()).toEqual(['not-told event', 'not-told messages', 'not-told provider', 'told']);
  const links = new Set([...states].map((state) => state.replace(/^(?:silent|pending) /, '')));
  expect([...links]).toEqual(
    expect.arrayContaining([
      ...['sounding own', 'sounding cause', 'not-due', 'silence', 'inhibition', 'receiver', 'hold', 'rule'],
      ...['evaluation', 'condition', 'delivery', 'series'],
    ]),
  );
}, 240_000);

it('names the rule that a cluster declares and nobody has loaded, and no other', async () => {
  const { findings } = FindingPage.parse(await demo.ask('alarms', { finding: 'not-loaded' }));
  const { cluster, namespace, name: called, alert } = mistakes.notLoaded;
  expect(findings).toEqual([
    {
      ...{ type: 'not-loaded', total: 1, lines: 1 },
      findings: [
        expect.objectContaining({
          ...{ source: 'monitoring', title: `PrometheusRule ${namespace}/${called}`, rule: alert },
          text: `On ${cluster} it declares ${alert}, and monitoring has loaded nothing of it.`,
          mend: expect.stringContaining('Its labels are prometheus=edge.'),
        }),
      ],
    },
  ]);
});
