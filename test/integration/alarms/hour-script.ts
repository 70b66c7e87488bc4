// An hour of outages on three clusters, written by hand: who is called for each, how late, how often, and when nobody could know. Times in ms.
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { hour, minute, second } from '#lib/domain/time/length.ts';
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { callsFor, callWith, callWithoutOutage, type Caller, type Manner } from '#server/simulator/past/alarm-calls.ts';
import type { Inventory, PastObject } from '#server/simulator/past/inventory.ts';
import { asKnown } from '#server/simulator/past/known-calls.ts';
import type { CallPast, Episode, ObjectPast, Script, Stage } from '#server/simulator/past/script.ts';

/** One outage of the hour. */
interface Plan {
  readonly what: string;
  readonly cluster: string;
  /** Minutes from the hour's beginning. */
  readonly from: number;
  /** null: it lasts. */
  readonly to: number | null;
  readonly manner: Manner;
  readonly verdict?: Verdict;
  readonly waitsFor?: 'first' | 'controller';
}

const once = (after: number): Manner => ({ is: 'once', after: after * minute });
const never: Manner = { is: 'never' };
const spoken = ['us-east-1', 'us-east-2'] as const;
const [one, two] = spoken;

/** Of the deadline of 15 min: in time, late, never, twice, not known, and as it may go. */
export const plans: readonly Plan[] = [
  { what: 'in time', cluster: one, from: 0, to: 40, manner: once(5) },
  { what: 'late', cluster: one, from: 2, to: 55, manner: once(30) },
  { what: 'never', cluster: one, from: 4, to: 44, manner: never },
  {
    what: 'twice',
    cluster: one,
    from: 1,
    to: 50,
    manner: { is: 'twice', after: 5 * minute, lasts: 20 * minute, pause: 8 * minute },
  },
  { what: 'over before its alarm', cluster: one, from: 20, to: 26, manner: once(9) },
  { what: 'called, and lasts', cluster: one, from: 30, to: null, manner: once(6) },
  { what: 'never, and lasts', cluster: one, from: 33, to: null, manner: never, verdict: 'stale' },
  { what: 'waits for the first, which is called for', cluster: one, from: 3, to: 38, manner: never, waitsFor: 'first' },
  { what: 'waits for a controller', cluster: one, from: 6, to: 58, manner: never, waitsFor: 'controller' },
  { what: 'in the gap of the source, alone', cluster: two, from: 0, to: 35, manner: never },
  { what: 'called in the gap of the source', cluster: two, from: 1, to: 52, manner: once(20) },
  { what: 'late for sure, as the gap of the source begins', cluster: two, from: -6, to: 53, manner: once(20) },
  { what: 'called once the source was read again', cluster: two, from: 5, to: 57, manner: once(35) },
  { what: 'called before the gap of the source', cluster: two, from: 2, to: 36, manner: once(4) },
  { what: 'while an alert named nobody', cluster: two, from: 36, to: 59, manner: never },
  { what: 'no source speaks for it', cluster: 'sbx-1', from: 5, to: 45, manner: never },
];

const source = 'monitoring';

function caller(alert: string): Caller {
  return { source, address: 'https://alertmanager.acme.example', receiver: 'oncall', alert };
}

/** The script of the hour that begins at `start`: quiet for three hours before it, and for one after. */
export function hourScript(
  inventory: Inventory,
  start: number,
): { readonly script: Script; readonly refs: readonly ObjectRef[] } {
  const to = start + 2 * hour;
  const at = (minutes: number): number => start + minutes * minute;
  const pages = pagesOf(inventory);
  const refs = pages.map(({ object }) => object.ref);
  const [first] = refs;
  const spans = (object: PastObject) => [
    {
      uid: object.uid,
      at: start - 3 * hour,
      bound: 'at-least' as const,
      noticedAt: start - 3 * hour + 2 * second,
      goneAt: null,
    },
  ];
  const objects = inventory.objects.map((object): ObjectPast => {
    const page = pages.find((each) => each.object === object);
    const episodes = page === undefined ? [] : [episodeOf(page.plan, at, first ?? object.ref, pages.indexOf(page))];
    return { object, spans: spans(object), episodes, corrections: [], landings: [], runs: [] };
  });
  const own = pages.flatMap(({ plan, object: { ref } }): readonly CallPast[] => {
    const outage = { ref, from: at(plan.from), to: plan.to === null ? null : at(plan.to) };
    return callsFor(caller('FluxObjectNotReady'), outage, plan.manner).map((call) => ({ names: ref, call }));
  });
  const times = { since: start - 2 * hour, unread: [{ from: at(10), to: at(34) }], to };
  // The gap is of the second cluster: what is read of the first is another source.
  const alarms = spoken.map((cluster) => ({
    name: cluster === one ? source : `${source}-of-${cluster}`,
    clusters: [cluster],
    since: times.since,
    unread: cluster === one ? [] : times.unread,
    calls: asKnown(
      [...own, ...othersOf(inventory, at)]
        .filter(({ call }) => call.cluster === cluster)
        .map(({ names, call }) => ({
          names,
          call: { ...call, source: cluster === one ? source : `${source}-of-${cluster}` },
        })),
      cluster === one ? { ...times, unread: [] } : times,
    ),
  }));
  const clusters = inventory.clusters.map(({ name }) => name);
  const blindness = [
    {
      cluster: one,
      kind: null,
      from: at(46),
      to: at(49),
      state: 'unreachable',
      reason: 'timed out',
      cause: 'a short loss',
    },
  ];
  return {
    script: { from: start - 3 * hour, to, clusters, objects, blindness, planned: [], changes: [], alarms },
    refs,
  };
}

function pagesOf({ objects }: Inventory): readonly { readonly plan: Plan; readonly object: PastObject }[] {
  const free = new Map(
    [...Map.groupBy(objects, ({ ref }) => ref.cluster)].map(([cluster, of]) => [
      cluster,
      of.filter(({ role, ref }) => role === 'applier' && ref.kind === 'Kustomization'),
    ]),
  );
  return plans.map((plan) => {
    const object = free.get(plan.cluster)?.shift();
    if (object === undefined) throw new Error(`${plan.cluster} has too few appliers`);
    return { plan, object };
  });
}

/** Calls that are for no outage of an object alone: of the controller, of nobody in particular, and of what is in order. */
function othersOf(inventory: Inventory, at: (minutes: number) => number): readonly CallPast[] {
  const controller = { cluster: one, namespace: 'flux-system', deployment: 'kustomize-controller' };
  const down = { alertname: 'FluxControllerNotAvailable', ...controller, severity: 'page' };
  const many = { alertname: 'ManyNotReady', cluster: two, severity: 'page' };
  const needless = [one, two].flatMap((cluster) =>
    inventory.objects.filter(({ ref }) => ref.cluster === cluster && ref.kind === 'HelmRelease').slice(0, 1),
  );
  return [
    {
      names: {
        cluster: one,
        group: 'apps',
        kind: 'Deployment',
        namespace: 'flux-system',
        name: 'kustomize-controller',
      },
      call: callWith(caller('FluxControllerNotAvailable'), { cluster: one, labels: down }, at(30), at(57)),
    },
    { names: null, call: callWith(caller('ManyNotReady'), { cluster: two, labels: many }, at(54), at(56)) },
    ...needless.map(({ ref }, index) => ({
      names: ref,
      call: callWithoutOutage(caller('HelmReleaseDrifted'), ref, at(35 + index), 8 * minute),
    })),
  ];
}

function episodeOf(
  { from, to, verdict = 'diverged', waitsFor }: Plan,
  at: (minutes: number) => number,
  first: ObjectRef,
  place: number,
): Episode {
  const controller: Cause = {
    type: 'controller',
    cluster: one,
    namespace: 'flux-system',
    name: 'kustomize-controller',
  };
  const causes = { first: { type: 'object', ref: first } as const, controller };
  const stage = (minutes: number, of: Pick<Stage, 'verdict' | 'reason' | 'rootCause' | 'cause'>): Stage => ({
    ...of,
    at: at(minutes),
    bound: 'exact',
    noticedAt: at(minutes) + second,
    message: '',
    attempted: null,
    commit: null,
    seemsAlone: false,
  });
  const away = {
    verdict: waitsFor === undefined ? verdict : 'waiting',
    reason: `Fault${place}`,
    rootCause: waitsFor === undefined ? null : causes[waitsFor],
    cause: `fault ${place}`,
  } as const;
  const well = { verdict: 'converged', reason: 'ReconciliationSucceeded', rootCause: null, cause: null } as const;
  return { stages: [stage(from, away)], home: to === null ? null : stage(to, well) };
}
