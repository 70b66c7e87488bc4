import { expect, it } from 'vitest';
import { defaultPolicy } from '../guarantee/guarantee.ts';
import type { Heartbeat, LivenessSign } from '../heartbeat/controller-liveness.ts';
import type { Fault, Observation, StatusSummary } from '../observation/observation.ts';
import { refKey, type ObjectRef } from '../observation/ref.ts';
import { receive, settle, type Track } from '../observation/track.ts';
import {
  around,
  bad,
  good,
  judged,
  lease,
  managed,
  noon,
  observed,
  revisionB,
  source,
  standing,
  tracked,
} from '../testing/observed.ts';
import { minute } from '../time/length.ts';
import { judge } from './judge.ts';
import type { RelatedObject, Surroundings } from './subject.ts';
import { verdicts } from './verdict.ts';

interface Case {
  readonly name: string;
  readonly track: Track;
  readonly around: Surroundings;
}

const faults: readonly Fault[] = ['apply', 'health', 'observe', 'dependency', 'artifact', 'fetch', 'approval'];

const hourAgo = noon - 60 * minute;

const selves = {
  applier: observed({ source: source().ref }),
  release: observed({ ref: { ...observed().ref, kind: 'HelmRelease' }, controller: 'helm-controller' }),
  source: source(),
  chart: source({ ref: { ...source().ref, kind: 'HelmChart', name: 'web' } }),
  managed: managed(),
  package: managed({ ref: { ...managed().ref, kind: 'ProviderRevision', name: 'aws' }, role: 'package' }),
};

/** Everything that an object can say of itself. */
function summaries(): readonly StatusSummary[] {
  const failing = faults.map((fault) => bad(fault, 'Reason', 'why it fails'));
  return [
    good,
    ...failing,
    { said: 'bad', fault: 'apply', reason: 'Stalled', message: 'gave up', terminal: true },
    { said: 'busy', reason: 'Progressing', message: 'at it', before: null },
    { said: 'busy', reason: 'Progressing', message: 'at it', before: good },
    { said: 'nothing' },
    { said: 'static' },
    { said: 'unrecognised', why: 'two of one condition' },
    { said: 'unreported', why: 'it is in a list' },
  ];
}

const signs: readonly [LivenessSign, Heartbeat['state']][] = [
  ['lease-moves', 'alive'],
  ['pod-available', 'alive'],
  ['pod-doubted', 'unknown'],
  ['lease-stands', 'dead'],
  ['stuck', 'dead'],
  ['no-pod', 'dead'],
  ['scaled-to-zero', 'dead'],
  ['lease-unmoved', 'unknown'],
  ['not-known', 'unknown'],
  ['which-one', 'unknown'],
  ['nobody', 'unknown'],
];

/** Something that an object stands on, in each state and with each verdict. */
function related(observation: Observation, away: readonly (number | null)[]): readonly [string, RelatedObject][] {
  const states = ['missing', 'unseen'] as const;
  return away.flatMap((awaySince) => [
    ...states.map((state): [string, RelatedObject] => [
      `${state} since ${at(awaySince)}`,
      standing(observation, 'converged', { state, judgement: null, awaySince }),
    ]),
    ...verdicts.map((verdict): [string, RelatedObject] => [
      `${verdict} since ${at(awaySince)}`,
      standing(observation, verdict, { awaySince }),
    ]),
  ]);
}

function at(time: number | null): string {
  return time === null ? 'never' : `${(time - noon) / 1000} s`;
}

function byRelation(): readonly Case[] {
  const other = (observation: Observation): Observation => ({
    ...observation,
    ref: { ...observation.ref, name: 'other', cluster: 'c2' },
    revisions: { ...observation.revisions, artifact: observation.revisions.artifact && revisionB },
  });
  const { applier, source: repository, managed: resource } = selves;
  return Object.entries({ applier, repository, resource }).flatMap(([self, observation]) => {
    const of = (relation: string, from: Observation, put: (one: RelatedObject) => Partial<Surroundings>): Case[] =>
      related(from, relation.includes('source') ? [null, hourAgo] : [hourAgo]).map(([name, one]) => ({
        name: `${self}, ${relation} ${name}`,
        track: tracked(observation),
        around: around(put(one)),
      }));
    return [
      ...of('source', other(source()), (one) => ({ source: one })),
      ...of('second source', other(source()), (one) => ({ otherSources: [one] })),
      ...of('source without artifact', source({ hasArtifact: false }), (one) => ({ source: one })),
      ...of('delivery', other(observed()), (one) => ({ delivery: one })),
      ...of('composer', other(managed()), (one) => ({ composer: one })),
      ...of('part', other(managed()), (one) => ({ children: [one] })),
      ...of('provider', other(managed()), (one) => ({ provider: one, heartbeat: null })),
    ];
  });
}

function bySummary(): readonly Case[] {
  const near = standing(observed({ ref: { ...observed().ref, name: 'base' } }), 'converged');
  const lost = standing(source(), 'stale', { judgement: judged('stale') });
  const sides: readonly [string, Partial<Surroundings>][] = [
    ['alone', {}],
    ['on a dependency', { dependencies: [near] }],
    ['on one that fails', { dependencies: [{ ...near, judgement: judged('diverged') }] }],
    ['on one that is gone', { dependencies: [{ ...near, state: 'missing', judgement: null }] }],
    ['from a stale source', { source: lost }],
    ['of a shared error', { sharedError: 'access denied' }],
  ];
  return Object.entries(selves).flatMap(([self, observation]) =>
    summaries().flatMap((summary) =>
      sides.map(([side, part]) => ({
        name: `${self} says ${'fault' in summary ? `${summary.fault} ${summary.reason}` : summary.said}, ${side}`,
        track: tracked({ ...observation, summary, providerConfig: managed().ref }),
        around: around(part),
      })),
    ),
  );
}

function byLoop(): readonly Case[] {
  return Object.entries(selves).flatMap(([self, observation]) =>
    signs.flatMap(([sign, state]) =>
      [null, noon - 10 * minute].map((awaitedSince) => {
        const heartbeat: Heartbeat = { ...lease(state), sign, awaitedSince };
        const provider = standing(managed(), 'converged');
        return {
          name: `${self}, ${sign}, awaited since ${at(awaitedSince)}`,
          track: tracked(observation),
          around:
            self === 'managed'
              ? around({ heartbeat: null, runtime: heartbeat, provider })
              : around({ heartbeat, runtime: heartbeat }),
        };
      }),
    ),
  );
}

/** Passes that a sign of the controller dates to before, at or after it, by an interval of its own or an assumed one. */
function byPass(): readonly Case[] {
  const { interval } = selves.applier.cadence;
  const cadences = [selves.applier.cadence, { interval, retryInterval: null, timeout: null, assumed: true } as const];
  return cadences.flatMap((cadence) =>
    signs.flatMap(([sign, state]) =>
      [1, 0, -1, -2 * minute, -2 * minute - 1].flatMap((apart) =>
        [noon - minute, noon - 9 * 60 * minute].map((last) => {
          const own: Heartbeat = { ...lease(state), sign, at: last + apart, awaitedSince: last + apart };
          const track = tracked({ ...selves.applier, cadence });
          return {
            name: `${cadence.assumed ? 'assumed' : 'own'} interval, ${sign}, passed at ${at(last)}, sign ${apart} ms after`,
            track: { ...track, lastPassAt: last },
            around: around({ heartbeat: own }),
          };
        }),
      ),
    ),
  );
}

function byField(): readonly Case[] {
  const fields: Readonly<Record<string, Partial<Observation>>> = {
    suspended: { suspended: { field: 'spec.suspend', by: 'kubectl', at: noon - minute } },
    'suspended by nobody': { suspended: { field: 'spec.suspend', by: null, at: null } },
    deleted: { deletedAt: noon - minute },
    'deleted and held': { deletedAt: noon - minute, finalizers: ['a', 'b'] },
    'drift left': { drift: { drift: 'found', message: 'changed by hand', left: true } },
    'drift being undone': { drift: { drift: 'found', message: 'changed by hand', left: false } },
    'drift not measured': { drift: { drift: 'not-measured', why: 'off' } },
    'new generation': { generation: 2, observedGeneration: 1 },
    young: { createdAt: noon - 1_000 },
    reconciling: { reconciling: true },
    'applied nothing': { revisions: { applied: null, attempted: revisionB, artifact: null, origin: null } },
    'no interval': { cadence: { interval: null, retryInterval: null, timeout: null } },
    'assumed interval': { cadence: { interval: minute, retryInterval: null, timeout: null, assumed: true } },
    'no pass': { passes: { seenBy: 'history', last: null, total: null } },
    'passes not seen': { passes: { seenBy: 'none', last: null, total: null } },
    'pass long ago': { passes: { seenBy: 'history', last: noon - 9 * 60 * minute, total: 3 } },
  };
  return Object.entries(selves).flatMap(([self, observation]) =>
    Object.entries(fields).flatMap(([field, part]) =>
      [good, bad('artifact', 'ArtifactFailed'), bad('fetch', 'Failed')].map((summary) => {
        const first = tracked({ ...observation, createdAt: noon - 30 * minute });
        return {
          name: `${self} ${field}, ${summary.reason}`,
          track: settle(receive(first, { ...observation, ...part, summary, resourceVersion: '2' }, noon), noon),
          around: around(),
        };
      }),
    ),
  );
}

function byDependency(): readonly Case[] {
  const other = observed({ ref: { ...observed().ref, name: 'other' }, source: source().ref });
  const waits = bad('dependency', 'DependencyNotReady', "dependency 'flux-system/other' is not ready");
  const unready = bad('dependency', 'DependencyNotReady', 'not ready according to readyExpr');
  const before: readonly Track['beforeWait'][] = [
    null,
    good,
    bad('apply', 'Failed'),
    bad('health', 'Failed'),
    bad('fetch', 'Failed'),
  ];
  const passed = [null, noon - 61_000, noon - minute, noon - 1_001];
  return [waits, unready].flatMap((summary) =>
    before.flatMap((beforeWait) => [
      ...related(other, [hourAgo]).map(([name, one]) => ({
        name: `${summary.message}, after ${beforeWait?.reason ?? 'nothing'}, on one that is ${name}`,
        track: { ...tracked({ ...selves.applier, summary }, noon - minute), beforeWait },
        around: around({ dependencies: [one] }),
      })),
      ...passed.map((lastPassAt) => ({
        name: `${summary.message}, after ${beforeWait?.reason ?? 'nothing'}, on one that passed at ${at(lastPassAt)}`,
        track: { ...tracked({ ...selves.applier, summary }, noon - minute), beforeWait },
        around: around({
          source: standing(source(), 'converged'),
          dependencies: [
            standing(other, 'converged', { lastPassAt, judgement: { ...judged('converged'), offered: revisionB } }),
            standing(observed({ ref: { ...other.ref, name: 'second' } }), 'converged', { busySince: noon - minute }),
          ],
        }),
      })),
    ]),
  );
}

function byTrack(): readonly Case[] {
  const tracks: Readonly<Record<string, Partial<Track>>> = {
    'switched on again': { awakeSince: noon - 30_000 },
    'switched on again with its last pass': { awakeSince: noon - minute },
    'busy for long': { busySince: noon - 29 * minute },
    'with a spec that is not looked at': { unobservedSpecSince: noon - 9_999 },
    'with drift that is being undone': { undoingSince: noon - 29_999 },
    'with drift that is not undone': { undoingSince: noon - 30_000 },
    'never settled': { settled: null },
    'with a new spec': { specSince: noon - 5 * minute },
  };
  const missing = [noon - minute, hourAgo].map((since) => [
    { ref: { ...managed().ref, name: 'gone', namespace: 'apps' }, since },
    { ref: { ...managed().ref, name: 'lost' }, since: since - 1 },
  ]);
  const candidates = [observed().ref, { ...observed().ref, cluster: 'c2' }];
  const sides: readonly [string, Partial<Surroundings>][] = [
    ['alone', {}],
    [
      'from a newer source',
      { source: standing(source({ revisions: { ...source().revisions, artifact: revisionB } }), 'converged') },
    ],
    ['without what it applied', { missing: missing[0] ?? [] }],
    ['without what it applied for long', { missing: missing[1] ?? [] }],
    ['said to be delivered by one', { claimed: { by: observed().ref, since: hourAgo, contested: false } }],
    [
      'said just now to be delivered by one',
      { claimed: { by: observed().ref, since: noon - 1_000, contested: false } },
    ],
    ['perhaps delivered by two', { couldDeliver: candidates }],
    ['delivered, without a controller', { heartbeat: null, delivery: standing(observed(), 'converged') }],
    ['without a controller', { heartbeat: null }],
  ];
  const conditions = ['Ready', 'Synced', 'Drifted', 'FetchFailed', 'Stalled', 'Healthy', 'Installed', 'Other'].map(
    (type) => ({
      type,
      status: 'True' as const,
      reason: type === 'Synced' ? '' : 'Reason',
      message: '',
      lastTransitionTime: noon - minute,
      observedGeneration: null,
    }),
  );
  const timeout = { interval: null, retryInterval: null, timeout: 45 * minute };
  const parts: Readonly<Record<string, Partial<Observation>>> = {
    'as it is': {},
    'with conditions': { conditions },
    'with a long timeout': { cadence: timeout },
    young: { createdAt: noon - 1_000, summary: bad('artifact', 'ArtifactFailed') },
    'young, cannot fetch': { createdAt: noon - 1_000, summary: bad('fetch', 'Failed') },
    static: { summary: { said: 'static' } },
    busy: { summary: { said: 'busy', reason: 'Progressing', message: 'at it', before: null }, cadence: timeout },
    waits: { summary: bad('approval', 'Planned') },
  };
  const { applier, chart, managed: resource } = selves;
  return Object.entries({ applier, chart, resource }).flatMap(([self, observation]) =>
    Object.entries(parts).flatMap(([how, part]) => {
      const track = tracked({ ...observation, ...part });
      return [
        ...Object.entries(tracks).map(([name, other]) => ({
          name: `${self} ${how}, ${name}`,
          track: { ...track, ...other },
          around: around(),
        })),
        ...sides.map(([name, side]) => ({ name: `${self} ${how}, ${name}`, track, around: around(side) })),
      ];
    }),
  );
}

/** Evidence with the keys of what it names. */
function shortEvidence({ evidence }: ReturnType<typeof judge>): readonly object[] | undefined {
  const short = evidence.map(({ names, ...one }) => ({ ...one, ...(names ? { names: names.map(refKey) } : {}) }));
  return short.length === 0 ? undefined : short;
}

/** A judgement but for what says nothing, its times in seconds from noon. */
function told(judgement: ReturnType<typeof judge>): string {
  return JSON.stringify({ ...judgement, names: judgement.names.map(refKey) }, (key, value: unknown) => {
    if (key === 'evidence') return shortEvidence(judgement);
    if (typeof value === 'number' && Math.abs(value - noon) < 30 * 24 * 60 * minute) return at(value);
    return value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0)
      ? undefined
      : value;
  }).replaceAll(/([ab])\1{39}/g, '$1');
}

/** Other objects that an object stands on, or that its own words list. */
function others({ track, around: surroundings }: Case): readonly ObjectRef[] {
  const { source: first, otherSources, dependencies, delivery, couldDeliver } = surroundings;
  const { claimed, composer, children, provider, missing } = surroundings;
  const related = [first, ...otherSources, ...dependencies, delivery, composer, ...children, provider];
  const { deliveredBy } = track.latest;
  const refs = [...related, ...missing].flatMap((one) => one?.ref ?? []);
  const all = [...refs, ...couldDeliver, ...(claimed ? [claimed.by] : []), ...(deliveredBy ? [deliveredBy] : [])];
  return all.filter(({ name }) => name !== track.latest.ref.name && name !== track.settled?.observation.ref.name);
}

/** A case at noon, and a millisecond before and at each time at which it says to look again. */
function lines({ name, track, around: surroundings }: Case): readonly [said: string, name: string][] {
  const found: [string, string][] = [];
  let now = noon;
  for (let look = 0; look < 3; look += 1) {
    const judgement = judge({ track }, surroundings, defaultPolicy, now);
    found.push([told(judgement), look === 0 ? name : `${name} at ${at(now)}`]);
    if (judgement.reviewAt === null) break;
    const early = judge({ track }, surroundings, defaultPolicy, judgement.reviewAt - 1);
    if (told(early) !== told(judgement)) found.push([told(early), `${name} before ${at(judgement.reviewAt)}`]);
    now = judgement.reviewAt;
  }
  return found;
}

const kinds: readonly [string, () => readonly Case[]][] = [
  ['relations', byRelation],
  ['summaries', bySummary],
  ['loops', byLoop],
  ['fields', byField],
  ['passes', byPass],
  ['dependencies', byDependency],
  ['tracks', byTrack],
];

it.each(kinds)('the judgements by %s are those that are kept', async (kind, cases) => {
  const found = new Map<string, string[]>();
  for (const [said, name] of cases().flatMap(lines)) found.set(said, [...(found.get(said) ?? []), name]);
  const text = [...found].map(([said, names]) => `${said}\n  ${names.join('; ')}\n`).join('');
  await expect(text).toMatchFileSnapshot(`../../../test/fixtures/kept/verdicts/${kind}.txt`);
});

/** Texts of a judgement at noon that name another object and do not say so. */
function untold(one: Case): readonly string[] {
  const { sentence, names, evidence } = judge({ track: one.track }, one.around, defaultPolicy, noon);
  const texts = [{ text: sentence, names }, ...evidence];
  return others(one).flatMap(({ name }) => {
    // Its own address may hold the name of a source.
    const named = new RegExp(`(?<!/)\\b${name}\\b`);
    const untold = texts.filter(
      ({ text, names: said = [] }) => named.test(text) && !said.some((ref) => ref.name === name),
    );
    return untold.map(({ text }) => `${one.name}: ${text}`);
  });
}

it.each(kinds)('by %s say every other object that they name', (_kind, cases) => {
  expect(cases().flatMap(untold)).toEqual([]);
});
