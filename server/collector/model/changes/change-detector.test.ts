import { describe, expect, it } from 'vitest';
import type { NotedChange } from '#lib/domain/record/change.ts';
import type { ForeignObject } from '#lib/foreign.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import { day, minute } from '#lib/domain/time/length.ts';
import type { StoredClusterState, WriteBatch } from '#server/store/port/port.ts';
import type { ObservedDeployment, ObservedLease } from '../../clusters/cluster-event.ts';
import { startBed, type Bed } from '../testing/bed.ts';
import { kinds, kustomizationSpec, offering, passedWell, revision, rfc3339 } from '../testing/objects.ts';

const from = Date.UTC(2026, 10, 21, 12, 0, 0);

function written(manager: string, at: number): object {
  return { manager, operation: 'Update', time: rfc3339(at), fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': {} } };
}

const byGit = written('kustomize-controller', from - day);
const quiet = { spec: kustomizationSpec('control'), managedFields: [byGit] };

function app(bed: Bed, part: object = {}): ForeignObject {
  return bed.object(kinds.kustomization, 'app', {
    ...quiet,
    status: passedWell(bed.clock.now() - 10_000, revision('a')),
    ...part,
  });
}

function control(bed: Bed, digit = 'a'): ForeignObject {
  return bed.object(kinds.gitRepository, 'control', offering(bed.clock.now(), revision(digit)));
}

function changesOf(batches: readonly WriteBatch[]): readonly NotedChange[] {
  return batches.flatMap((batch) => batch.changes);
}

/** "Kustomization/app spec-edited -60..-60": what, and between when and when, in seconds after the beginning. */
function words(changes: readonly NotedChange[]): readonly string[] {
  const seconds = (time: number) => Math.round((time - from) / 1000);
  return changes.map(({ ref, fact, at, notBefore }) => {
    const what = ref ? `${ref.kind}/${ref.name} ${fact.type}` : fact.type;
    return at === notBefore ? `${what} ${seconds(at)}` : `${what} ${seconds(notBefore)}..${seconds(at)}`;
  });
}

function opened(restored: StoredClusterState | null = null, start = from): Bed {
  const bed = startBed(restored, start);
  bed.open([
    [kinds.kustomization, app(bed)],
    [kinds.gitRepository, control(bed)],
  ]);
  return bed;
}

/** State that a store holds after these batches. */
function storedAfter(batches: readonly WriteBatch[]): StoredClusterState {
  const objects = new Map<string, WriteBatch['objects'][number]>();
  let cluster: StoredClusterState['cluster'] = null;
  for (const batch of batches) {
    cluster = batch.cluster ?? cluster;
    for (const { ref } of batch.removed) objects.delete(refKey(ref));
    for (const written of batch.objects) objects.set(refKey(written.object.ref), written);
  }
  return { cluster, objects: [...objects.values()], resume: [] };
}

const edit = { generation: 2, managedFields: [byGit, written('kubectl-edit', from + 30_000)] };

describe('while it is watched', () => {
  it('what is merely seen, and what passes quietly, is no change', () => {
    const bed = opened();
    for (let pass = 0; pass < 3; pass += 1) {
      bed.pass(minute);
      bed.write(kinds.kustomization, app(bed));
    }
    bed.pass(minute);
    bed.list(kinds.kustomization, app(bed));
    bed.pass(minute);
    expect(changesOf(bed.batches)).toEqual([]);
  });

  it('an edit is told once, through the writes of the pass that follows and another list', () => {
    const bed = opened();
    bed.pass(30_000);
    const busy = { conditions: [{ type: 'Ready', status: 'Unknown', reason: 'Progressing', message: '' }] };
    bed.write(kinds.kustomization, app(bed, edit));
    bed.clock.advance(20);
    bed.write(kinds.kustomization, app(bed, { ...edit, status: busy }));
    bed.pass(minute);
    bed.write(kinds.kustomization, app(bed, edit));
    bed.pass(minute);
    bed.list(kinds.kustomization, app(bed, edit));
    bed.pass(minute);
    expect(changesOf(bed.batches)).toMatchObject([
      {
        cluster: 'c1',
        ref: { kind: 'Kustomization', name: 'app' },
        at: from + 30_000,
        notBefore: from + 30_000,
        fact: { type: 'spec-edited', by: 'kubectl-edit', from: 1, generation: 2 },
      },
    ]);
  });

  it('a suspension in the middle of a pass is told although the pass never comes to its end', () => {
    const bed = opened();
    bed.pass(30_000);
    const status = { conditions: [{ type: 'Ready', status: 'Unknown', reason: 'Progressing', message: '' }] };
    bed.write(kinds.kustomization, app(bed, { status }));
    bed.clock.advance(5_000);
    bed.write(
      kinds.kustomization,
      app(bed, { ...edit, status, spec: kustomizationSpec('control', { suspend: true }) }),
    );
    bed.clock.advance(1_000);
    expect(words(changesOf(bed.batches))).toEqual([
      'Kustomization/app spec-edited 30',
      'Kustomization/app suspended 41',
    ]);
  });

  it('a source that offers another revision tells it, and none of its appliers does', () => {
    const bed = opened();
    bed.pass(minute);
    bed.write(kinds.gitRepository, control(bed, 'b'));
    bed.write(kinds.kustomization, app(bed, { status: passedWell(bed.clock.now(), revision('b')) }));
    bed.pass(minute);
    expect(changesOf(bed.batches).map(({ ref, fact }) => [ref?.name, fact])).toEqual([
      ['control', { type: 'revision', from: revision('a'), to: revision('b') }],
    ]);
  });

  it('an object that is made, deleted and made again', () => {
    const bed = opened();
    bed.pass(minute);
    const made = { ...quiet, createdAt: bed.clock.now() - 400 };
    bed.write(kinds.kustomization, bed.object(kinds.kustomization, 'new', made));
    bed.pass(minute);
    const asked = { ...made, generation: 2, deletedAt: bed.clock.now() };
    bed.write(kinds.kustomization, bed.object(kinds.kustomization, 'new', asked));
    bed.pass(minute);
    bed.remove(kinds.kustomization, bed.object(kinds.kustomization, 'new', asked));
    bed.write(kinds.kustomization, bed.object(kinds.kustomization, 'new', { ...made, uid: 'again' }));
    bed.pass(minute);
    expect(changesOf(bed.batches).map(({ fact }) => fact.type)).toEqual([
      'created',
      'deletion-asked',
      'deleted',
      'created',
    ]);
  });
});

describe('the end of an object', () => {
  const again = { uid: 'again', createdAt: from - 5 * minute };

  it.each<readonly [string, string, (bed: Bed) => void]>([
    ['is dated by the watch', '36', (bed) => bed.remove(kinds.kustomization, app(bed))],
    ['is dated by another in its place', '36', (bed) => bed.write(kinds.kustomization, app(bed, again))],
    [
      'that a list shows came since the kind was heard last',
      '0..41',
      (bed) => {
        bed.model.take({ type: 'sync-start', at: bed.clock.now(), kind: kinds.kustomization });
        bed.clock.advance(5_000);
        const at = bed.clock.now();
        bed.model.take({ type: 'sync-end', at, kind: kinds.kustomization, resourceVersion: '9' });
      },
    ],
    [
      'that another in a list shows did so too',
      '0..41',
      (bed) => {
        const at = bed.clock.now();
        bed.model.take({ type: 'sync-start', at, kind: kinds.kustomization });
        bed.clock.advance(5_000);
        const object = app(bed, again);
        bed.model.take({ type: 'applied', at: at + 5_000, kind: kinds.kustomization, initial: true, object });
      },
    ],
    [
      'whose kind is gone came since that was heard last',
      '0..36',
      (bed) => bed.feed(kinds.kustomization, { state: 'absent' }),
    ],
  ])('%s', (_what, when, end) => {
    const bed = opened();
    bed.pass(30_000);
    end(bed);
    bed.pass(10_000);
    const deleted = changesOf(bed.batches).filter(({ fact }) => fact.type === 'deleted');
    expect(words(deleted)).toEqual([`Kustomization/app deleted ${when}`]);
  });

  it('is none of an object without a name', () => {
    const bed = opened();
    bed.remove(kinds.kustomization, {});
    bed.pass(10_000);
    expect(changesOf(bed.batches)).toEqual([]);
  });
});

describe('controllers and Kubernetes', () => {
  it('another version of a controller is dated between two looks at its Deployment', () => {
    const bed = opened();
    const namespace = 'flux-system';
    const deployment = (version: string): ObservedDeployment => ({
      namespace,
      name: 'kustomize-controller',
      runs: { type: 'controller', name: 'kustomize-controller' },
      state: 'available',
      version,
      selector: '',
      ownNamespaceOnly: false,
      elects: true,
      downSince: null,
      statusAt: null,
    });
    for (const [seconds, version] of [
      [20, 'v1.9.4'],
      [50, 'v1.9.5'],
    ] as const) {
      bed.clock.set(from + seconds * 1000);
      bed.model.take({ type: 'deployments', at: bed.clock.now(), namespace, deployments: [deployment(version)] });
      bed.clock.advance(10_000);
      bed.renew();
    }
    bed.clock.advance(1_000);
    expect(words(changesOf(bed.batches))).toEqual(['controller-version 20..50']);
  });

  function lease(holder: string, transitions: number, at: number): ObservedLease {
    return {
      namespace: 'flux-system',
      name: 'kustomize-controller-leader-election',
      holder,
      durationSeconds: 35,
      renewTime: at,
      transitions,
    };
  }

  it('a lease that changes hands is dated between two looks, and told with the record of the cluster', () => {
    const bed = opened();
    const at = (seconds: number) => bed.clock.set(from + seconds * 1000);
    at(20);
    bed.renew(lease('pod-a', 3, bed.clock.now()));
    at(35);
    bed.renew(lease('pod-a', 3, bed.clock.now()));
    at(50);
    bed.renew(lease('pod-b', 4, bed.clock.now()));
    bed.clock.advance(1_000);
    const batch = bed.batches.findLast(({ changes }) => changes.length > 0);
    expect(words(batch?.changes ?? [])).toEqual(['controller-restarted 35..50']);
    expect(batch?.cluster?.controllers).toContainEqual(expect.objectContaining({ holder: 'pod-b', transitions: 4 }));
  });

  it('another version of Kubernetes shows on the next connection', () => {
    const bed = opened();
    bed.pass(minute);
    const at = bed.clock.now();
    bed.model.take({ type: 'disconnected', at, fault: { type: 'unreachable', message: 'refused' } });
    bed.clock.advance(3 * minute);
    bed.model.take({ type: 'connected', at: bed.clock.now(), protocol: 'h2', version: 'v1.35.0' });
    bed.pass(30_000);
    const [change] = changesOf(bed.batches);
    expect(change).toMatchObject({
      ref: null,
      at: bed.clock.now() - 30_050,
      fact: { type: 'kubernetes-version', from: 'v1.34.3', to: 'v1.35.0' },
    });
    expect(change?.notBefore).toBeLessThanOrEqual(at);
  });
});

describe('packages', () => {
  it('a provider is upgraded: its former revision rests, another is active', () => {
    const bed = startBed(null, from);
    const revisionOf = (name: string, tag: string, desiredState: string) =>
      bed.object(kinds.providerRevision, name, {
        spec: { image: `xpkg.upbound.io/upbound/provider-aws-rds:${tag}`, desiredState },
        createdAt: name === 'aws-1' ? from - day : bed.clock.now() - 1_000,
      });
    bed.open([[kinds.providerRevision, revisionOf('aws-1', 'v1.2.0', 'Active')]]);
    bed.pass(minute);
    bed.write(kinds.providerRevision, revisionOf('aws-1', 'v1.2.0', 'Inactive'));
    bed.write(kinds.providerRevision, revisionOf('aws-2', 'v1.3.0', 'Active'));
    bed.pass(minute);
    expect(changesOf(bed.batches)).toContainEqual(
      expect.objectContaining({
        ref: null,
        fact: {
          type: 'package-revision',
          package: 'xpkg.upbound.io/upbound/provider-aws-rds',
          kind: 'ProviderRevision',
          name: 'aws-2',
          from: 'v1.2.0',
          to: 'v1.3.0',
        },
      }),
    );
  });
});

describe('after a restart of the collector', () => {
  const later = from + 30 * minute;

  /** A first collector until `from` + 1 min; a second one from `later` on, which finds `now` listed. */
  function restarted(now: (bed: Bed) => readonly ForeignObject[]): Bed {
    const first = opened();
    first.pass(minute);
    const at = first.clock.now();
    first.model.take({ type: 'bookmark', at, kind: kinds.kustomization, resourceVersion: '9' });
    first.pass(20_000);
    first.model.stop();
    const second = startBed(storedAfter(first.batches), later);
    second.open([
      [kinds.kustomization, ...now(second)],
      [kinds.gitRepository, control(second)],
    ]);
    second.pass(minute);
    return second;
  }

  it('nothing is invented', () => {
    expect(changesOf(restarted((bed) => [app(bed)]).batches)).toEqual([]);
  });

  it('an edit is dated by managedFields', () => {
    expect(words(changesOf(restarted((bed) => [app(bed, edit)]).batches))).toEqual([
      'Kustomization/app spec-edited 30',
    ]);
  });

  it('what is not dated happened between the last word that the former collector heard of the kind and the first of this one', () => {
    const bed = restarted((second) => [app(second, { generation: 2 })]);
    const [change] = changesOf(bed.batches);
    expect(change?.at).toBe(later);
    expect(Math.round(((change?.notBefore ?? 0) - from) / 1000)).toBe(66);
  });

  it('what was deleted and what was made meanwhile is told; what is older was only found', () => {
    const bed = restarted((second) => [
      second.object(kinds.kustomization, 'new', { ...quiet, createdAt: later - 5 * minute }),
      second.object(kinds.kustomization, 'old', { ...quiet, createdAt: from - 5 * minute }),
    ]);
    expect(words(changesOf(bed.batches)).map((text) => text.replace(/ [\d.-]+$/, ''))).toEqual([
      'Kustomization/app deleted',
      'Kustomization/new created',
    ]);
  });

  it('what its predecessor wrote is not told again, wherever that was killed', () => {
    const first = opened();
    first.pass(30_000);
    const status = { conditions: [{ type: 'Ready', status: 'Unknown', reason: 'Progressing', message: '' }] };
    const off = { generation: 3, spec: kustomizationSpec('control', { suspend: true, prune: false }) };
    first.write(kinds.kustomization, app(first, { ...edit, status }));
    first.clock.advance(3_000);
    first.write(kinds.gitRepository, control(first, 'b'));
    first.clock.advance(30);
    first.write(kinds.kustomization, app(first, { ...edit, ...off, status }));
    first.pass(minute);
    for (let kept = 3; kept <= first.batches.length; kept += 1) {
      const survived = first.batches.slice(0, kept);
      if (!survived.some((batch) => batch.objects.length > 0)) continue;
      const second = startBed(storedAfter(survived), first.clock.now() + minute);
      second.open([
        [kinds.kustomization, app(second, { ...edit, ...off, status })],
        [kinds.gitRepository, control(second, 'b')],
      ]);
      second.pass(minute);
      const facts = [...changesOf(survived), ...changesOf(second.batches)].map(({ fact }) => fact);
      const edits = facts.map((fact) => (fact.type === 'spec-edited' ? fact.generation - fact.from : 0));
      const others = facts.map(({ type }) => type).filter((type) => type !== 'spec-edited');
      expect([edits.reduce((sum, one) => sum + one, 0), ...others.toSorted()], `killed after ${kept} batches`).toEqual([
        2,
        'exemption-added',
        'revision',
        'suspended',
      ]);
    }
  });
});
