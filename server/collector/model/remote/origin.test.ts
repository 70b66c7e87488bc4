import { expect, it } from 'vitest';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { refKey, type ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Track } from '#lib/domain/observation/track.ts';
import {
  bad,
  judged,
  managed,
  noon,
  observed,
  revisionA,
  revisionB,
  source,
  tracked,
} from '#lib/domain/testing/observed.ts';
import { createFeedTracker } from '../feeds/feed-tracker.ts';
import { newEntry } from '../objects/packed-entry.ts';
import type { Entry } from '../objects/entry.ts';
import { runningOrigin } from './origin.ts';
import { createRemoteApplierIndex } from './remote-applier-index.ts';

const a = 'a'.repeat(40);
const b = 'b'.repeat(40);
const url = 'https://git.example.org/acme/control.git';
const digest = `latest@sha256:${'c'.repeat(64)}`;
const none = { applied: null, attempted: null, artifact: null, origin: null };
const app = observed();

/** The reference of something of this kind, as sources are named. */
const named = (kind: string, name: string): ObjectRef => ({ ...source().ref, kind, name });
const git = (name: string, artifact: string | null = revisionA, repository = url): Observation =>
  source({
    ref: named('GitRepository', name),
    revisions: { ...none, artifact },
    target: { url: repository, reference: '', floating: true },
  });
const made = (kind: string, name: string, from: readonly ObjectRef[], part: Partial<Observation> = {}): Observation =>
  source({
    ref: named(kind, name),
    revisions: { ...none, artifact: digest },
    target: null,
    source: from[0] ?? null,
    otherSources: from.slice(1),
    ...part,
  });

interface Bed {
  readonly objects: readonly Observation[];
  readonly running?: string | null;
  readonly partly?: boolean;
  readonly tracks?: Readonly<Record<string, Partial<Track>>>;
  readonly lists?: boolean;
}

/** The reference of a composite that has no namespace, and one of it that is made in a namespace. */
const whole: ObjectRef = { cluster: 'c1', group: 'example.org', kind: 'XDatabase', namespace: '', name: 'db' };
const part: ObjectRef = { ...managed().ref, namespace: 'apps' };
const composite = (children: readonly ObjectRef[]): Observation =>
  observed({ ref: whole, role: 'composite', deliveredBy: app.ref, children, revisions: none, source: null });

/** The origin of the first of some objects of one cluster, each judged to run what it applied, but the first as is told. */
function originOf({ objects, running, partly = false, tracks = {}, lists = false }: Bed) {
  const entries = new Map<string, Entry>();
  for (const observation of objects) {
    const { ref } = observation;
    const entry = newEntry(ref, { ...tracked(observation), ...tracks[ref.name] }, true);
    const isFirst = observation === objects[0];
    const revision = isFirst && running !== undefined ? running : observation.revisions.applied;
    entry.change({ judgement: { ...judged('converged'), running: { revision, partly: isFirst && partly } } });
    entries.set(refKey(ref), entry);
  }
  const first = entries.get(refKey(objects[0]?.ref ?? app.ref));
  if (!first?.state.judgement) throw new Error('no object');
  const feeds = createFeedTracker('c1', {}, noon, null);
  const kinds = objects.map(({ ref: { group, kind } }) => ({
    group,
    kind,
    version: 'v1',
    resource: kind.toLowerCase(),
    namespaced: kind !== whole.kind,
    categories: [],
  }));
  feeds.take({ type: 'kinds', at: noon, kinds, absent: [] });
  const known = { entries, feeds, remotes: createRemoteApplierIndex(() => true), lists: () => lists };
  return runningOrigin(known, first, first.state.judgement);
}

const control = git('control');
const from = (one: Observation, part: Partial<Observation> = {}): Observation => observed({ source: one.ref, ...part });

it.each<[string, Bed, { commit: string | null; repository: string | null; differs: boolean }]>([
  [
    'an applier runs the commit that its source offers',
    { objects: [from(control), control] },
    { commit: a, repository: url, differs: false },
  ],
  [
    'or another one, of the same repository',
    { objects: [from(control), git('control', revisionB)] },
    { commit: a, repository: url, differs: true },
  ],
  [
    'of a repository that is not known where the source was turned to another one, and nobody has looked at that',
    { objects: [from(control), control], tracks: { control: { unobservedSpecSince: noon } } },
    { commit: a, repository: null, differs: false },
  ],
  [
    'a source runs what it offers, and differs from nothing',
    { objects: [control] },
    { commit: a, repository: url, differs: false },
  ],
  [
    'an applier whose source is not there',
    { objects: [from(control, { target: { url: 'x', reference: '', floating: true } })] },
    { commit: a, repository: 'x', differs: false },
  ],
  ['an applier without a source', { objects: [observed()] }, { commit: a, repository: null, differs: false }],
  [
    'an applier that has applied nothing',
    { objects: [from(control), control], running: null },
    { commit: null, repository: url, differs: false },
  ],
  [
    'an applier that has applied a part at first',
    { objects: [from(control, { revisions: none }), control], running: revisionA, partly: true },
    { commit: null, repository: url, differs: false },
  ],
  [
    'an applier that has applied a part of something later',
    { objects: [from(control), control], running: revisionB, partly: true },
    { commit: b, repository: url, differs: true },
  ],
])('%s', (_what, bed, expected) => {
  expect(originOf(bed)).toEqual(expected);
});

const ociOf = (part: Partial<Observation> = {}) => made('OCIRepository', 'oci', [], part);
const digests = { applied: digest, attempted: digest, artifact: null, origin: null };

it.each<[string, Bed, { commit: string | null; repository: string | null }]>([
  [
    'the annotated commit of an artifact, and its annotated repository',
    {
      objects: [
        from(ociOf(), { revisions: digests }),
        ociOf({ revisions: { ...none, artifact: digest, origin: revisionA }, originUrl: 'annotated' }),
      ],
    },
    { commit: a, repository: 'annotated' },
  ],
  [
    'what is annotated of what was applied, where another is offered',
    {
      objects: [
        from(ociOf(), { revisions: { ...digests, origin: revisionB } }),
        ociOf({ revisions: { ...none, artifact: 'x', origin: revisionA } }),
      ],
    },
    { commit: b, repository: null },
  ],
  [
    'not what is annotated of what was applied, where it runs another',
    { objects: [from(ociOf(), { revisions: { ...digests, origin: revisionB } }), ociOf()], running: 'sha256:ff' },
    { commit: null, repository: null },
  ],
  [
    'nothing where it runs another artifact than is offered',
    {
      objects: [
        from(ociOf(), { revisions: { ...digests, applied: 'latest@sha256:dd' } }),
        ociOf({ revisions: { ...none, artifact: digest, origin: revisionA } }),
      ],
    },
    { commit: null, repository: null },
  ],
  [
    'of a chart the commit that its version carries',
    {
      objects: [
        from(chart('1.0.0+aaaaaaaaaaaa'), { revisions: { ...none, applied: '1.0.0+aaaaaaaaaaaa' } }),
        chart('1.0.0+aaaaaaaaaaaa'),
        control,
      ],
    },
    { commit: a, repository: url },
  ],
  [
    'of a chart nothing where its version carries another',
    {
      objects: [
        from(chart('1.0.0+bbbbbbbbbbbb'), { revisions: { ...none, applied: '1.0.0+bbbbbbbbbbbb' } }),
        chart('1.0.0+bbbbbbbbbbbb'),
        control,
      ],
    },
    { commit: null, repository: url },
  ],
  [
    'of a chart nothing where its version carries none',
    { objects: [from(chart('1.0.0'), { revisions: { ...none, applied: '1.0.0' } }), chart('1.0.0'), control] },
    { commit: null, repository: url },
  ],
])('%s', (_what, bed, expected) => {
  expect(originOf(bed)).toMatchObject(expected);
});

/** A chart of this version that was packaged from the control repository. */
function chart(version: string): Observation {
  return made('HelmChart', 'chart', [control.ref], { revisions: { ...none, artifact: version, origin: revisionA } });
}

const external = (...sources: readonly Observation[]) =>
  made(
    'ExternalArtifact',
    'external',
    sources.map(({ ref }) => ref),
  );
const other = git('other', revisionA, 'https://git.example.org/acme/other.git');

it.each<[string, readonly Observation[], { commit: string | null; repository: string | null }]>([
  ['one source', [control], { commit: a, repository: url }],
  ['two of the same commit and repository', [control, git('same')], { commit: a, repository: url }],
  ['two of one repository and two commits', [control, git('same', revisionB)], { commit: null, repository: null }],
  ['two of two repositories and one commit', [control, other], { commit: null, repository: null }],
  ['none', [], { commit: null, repository: null }],
])('an artifact made of %s', (_what, sources, expected) => {
  expect(originOf({ objects: [external(...sources), ...sources] })).toMatchObject(expected);
});

it.each<[string, readonly Observation[], string | null]>([
  ['the only source, whatever it offers', [git('x', revisionB)], url],
  ['the one that offers the commit', [git('x', revisionB, 'x'), control], url],
  ['none where several offer others', [git('x', revisionB, 'x'), git('y', revisionB, 'y')], null],
  ['none where there is none', [], null],
])('the repository of an annotated commit is that of %s', (_what, sources, repository) => {
  const artifact = made(
    'ExternalArtifact',
    'external',
    sources.map(({ ref }) => ref),
    { revisions: { ...none, artifact: digest, origin: revisionA } },
  );
  expect(originOf({ objects: [artifact, ...sources] })).toMatchObject({ commit: a, repository });
});

const generator = (part: Partial<Observation> = {}) =>
  made('ArtifactGenerator', 'generator', [control.ref], { lastWriteAt: noon, ...part });

it.each<[string, Partial<Observation>, Bed['tracks'], string | null]>([
  ['written as its source was stored', {}, { control: { artifactSince: noon } }, a],
  ['written before that', { lastWriteAt: noon - 1 }, { control: { artifactSince: noon } }, null],
  ['of which no write is known', { lastWriteAt: null }, { control: { artifactSince: 1 } }, null],
  ['whose source was stored nobody knows when', {}, { control: { artifactSince: null } }, null],
  ['that works', {}, { control: { artifactSince: noon }, generator: { busySince: noon } }, null],
  ['that failed', { summary: bad('artifact', 'BuildFailed') }, { control: { artifactSince: noon } }, null],
])('a generator %s', (_what, part, tracks, commit) => {
  const tracked = { ...tracks, generator: { busySince: null, ...tracks?.['generator'] } };
  expect(originOf({ objects: [generator(part), control], tracks: tracked }).commit).toBe(commit);
});

it.each([
  [6, a],
  [7, null],
])('looks through %i artifacts at most', (count, commit) => {
  const chain = Array.from({ length: count }, (_, index) => index).map((index) =>
    made('ExternalArtifact', `e${index}`, [
      index + 1 < count ? named('ExternalArtifact', `e${index + 1}`) : control.ref,
    ]),
  );
  expect(originOf({ objects: [...chain, control] }).commit).toBe(commit);
});

/** The same object in a namespace in which others write than where its source lies. */
const away = <Part extends Observation>(one: Part): Part => ({ ...one, ref: { ...one.ref, namespace: 'payments' } });
const denied = bad('apply', 'AccessDenied');

it.each<[string, Observation, string | null]>([
  ['what it was given', from(control), url],
  ['nothing where it was refused it', from(control, { summary: denied }), null],
  ['nothing where nobody has looked', from(control, { generation: 2, observedGeneration: 1 }), null],
  [
    'what it names where it was switched off since',
    from(control, { generation: 2, observedGeneration: 1, suspended: { field: 'spec.suspend', by: null, at: null } }),
    url,
  ],
  ['nothing where it says nothing', from(control, { summary: { said: 'nothing' } }), null],
])('of a source in another namespace an applier has the repository of %s', (_what, observation, repository) => {
  expect(originOf({ objects: [away(observation), control] })).toMatchObject({ commit: a, repository });
  expect(originOf({ objects: [observation, control] })).toMatchObject({ commit: a, repository: url });
});

it.each<[string, Observation]>([
  ['an artifact that anybody made', made('ExternalArtifact', 'external', [control.ref])],
  ['a generator that was refused it', generator({ summary: denied })],
  ['one that nobody has looked at', generator({ generation: 2, observedGeneration: 1 })],
])('of a source in another namespace nothing is told to %s', (_what, observation) => {
  const tracks = { control: { artifactSince: noon }, generator: { busySince: null } };
  expect(originOf({ objects: [away(observation), control], tracks })).toMatchObject({ commit: null, repository: null });
});

it('a generator that nobody has looked at since is of nothing', () => {
  const tracks = {
    control: { artifactSince: noon },
    generator: { busySince: null, unobservedSpecSince: noon },
  };
  expect(originOf({ objects: [generator(), control], tracks }).commit).toBeNull();
});

const release = observed({
  ref: { ...app.ref, kind: 'HelmRelease', name: 'release' },
  reconciler: 'helm',
  deliveredBy: app.ref,
  revisions: { ...none, applied: revisionB },
});
const applier = from(control);

it.each<[string, Bed, { commit: string | null; repository: string | null; differs: boolean }]>([
  [
    'a release is of the commit of who applied it, whatever its chart is of',
    { objects: [{ ...release, source: control.ref }, applier, control], lists: true },
    { commit: a, repository: url, differs: false },
  ],
  [
    'a release that nobody delivers is of its own',
    { objects: [{ ...release, deliveredBy: null }, applier, control] },
    { commit: b, repository: null, differs: false },
  ],
  [
    'a managed resource is of the commit of who applied it',
    { objects: [managed({ deliveredBy: app.ref }), applier, control], lists: true },
    { commit: a, repository: url, differs: false },
  ],
  [
    'one that only bears the labels of an applier is of none: anybody may copy them',
    { objects: [managed({ deliveredBy: app.ref }), applier, control] },
    { commit: null, repository: null, differs: false },
  ],
  [
    'and so is a source that bears them',
    {
      objects: [{ ...git('copied', null), ref: { ...control.ref, namespace: 'apps' }, deliveredBy: app.ref }, applier],
    },
    { commit: null, repository: null, differs: false },
  ],
  [
    'a composed one of that of its composite',
    { objects: [managed({ parent: app.ref, ownerUid: 'uid-1' }), applier, control] },
    { commit: a, repository: url, differs: false },
  ],
  [
    'and so in a namespace, where its composite has none and names it',
    {
      objects: [managed({ ref: part, parent: whole, ownerUid: 'uid-1' }), composite([part]), applier, control],
      lists: true,
    },
    { commit: a, repository: url, differs: false },
  ],
  [
    'one of a composite that is gone is of none, whatever has its name now',
    {
      objects: [managed({ ref: part, parent: whole, ownerUid: 'uid-0' }), composite([part]), applier, control],
      lists: true,
    },
    { commit: null, repository: null, differs: false },
  ],
  [
    'one that only says so is of none: anybody who writes there may name its owner',
    {
      objects: [managed({ ref: part, parent: whole, ownerUid: 'uid-1' }), composite([]), applier, control],
      lists: true,
    },
    { commit: null, repository: null, differs: false },
  ],
  [
    'an applier is of its own before that of who applied it',
    {
      objects: [
        observed({
          ref: { ...app.ref, name: 'child' },
          deliveredBy: app.ref,
          revisions: { ...none, applied: revisionB },
        }),
        applier,
        control,
      ],
    },
    { commit: b, repository: null, differs: false },
  ],
])('%s', (_what, bed, expected) => {
  expect(originOf(bed)).toEqual(expected);
});

it.each([
  [6, a],
  [7, null],
])('looks through %i deliveries at most', (count, commit) => {
  const name = (index: number): ObjectRef => ({ ...managed().ref, name: `m${index}` });
  const chain = Array.from({ length: count }, (_, index) =>
    managed({ ref: name(index), deliveredBy: index + 1 < count ? name(index + 1) : app.ref }),
  );
  expect(originOf({ objects: [...chain, applier, control], lists: true }).commit).toBe(commit);
});
