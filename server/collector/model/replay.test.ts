// The recorded timelines of real controllers, through adapters, model and judge, with their own timestamps as the clock.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { NotedChange } from '#lib/domain/record/change.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { listAt, numberAt, objectAt, parseForeign, textAt, timeAt, type ForeignObject } from '#lib/foreign.ts';
import { outline } from '#test/outline.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import type { ObservedEvent, ObservedLease, WatchedKind } from '../clusters/cluster-event.ts';
import type { StoredClusterState } from '#server/store/port/port.ts';
import { createUnpackedCache } from './objects/unpacked-cache.ts';
import { createWritten } from './changes/written.ts';
import { startClusterModel } from './cluster-model.ts';

interface Line {
  readonly t: number;
  readonly path: string;
  readonly type: string;
  readonly object: ForeignObject;
}

const cluster = 'bed';
const root = new URL('../../../test/fixtures/timeline/', import.meta.url);

function lines(file: string): readonly Line[] {
  const text = gunzipSync(readFileSync(new URL(file, root))).toString('utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => parseForeign(line) ?? {})
    .map((line) => ({
      t: numberAt(line, 't') ?? 0,
      path: textAt(line, 'path') ?? '',
      type: textAt(line, 'type') ?? '',
      object: objectAt(line, 'object'),
    }));
}

function steps(file: string): readonly { readonly t: number; readonly step: string; readonly sha: string | null }[] {
  return readFileSync(new URL(file, root), 'utf8')
    .trim()
    .split('\n')
    .map((line) => parseForeign(line) ?? {})
    .map((line) => ({ t: numberAt(line, 't') ?? 0, step: textAt(line, 'step') ?? '', sha: textAt(line, 'sha') }));
}

const kindNames: Readonly<Record<string, readonly [string, boolean, readonly string[]]>> = {
  kustomizations: ['Kustomization', true, []],
  gitrepositories: ['GitRepository', true, []],
  helmreleases: ['HelmRelease', true, []],
  helmcharts: ['HelmChart', true, []],
  clusternopresources: ['ClusterNopResource', false, ['crossplane', 'managed', 'nop']],
  nopresources: ['NopResource', true, ['crossplane', 'managed', 'nop']],
  buckets: ['Bucket', true, ['composite']],
  compositeresourcedefinitions: ['CompositeResourceDefinition', false, ['crossplane']],
};

function kindOf(path: string): WatchedKind | null {
  const [, , group = '', version = '', resource = ''] = path.split('/');
  const known = kindNames[resource];
  return known ? { group, version, resource, kind: known[0], namespaced: known[1], categories: known[2] } : null;
}

function leaseOf(object: ForeignObject): ObservedLease {
  return {
    namespace: textAt(object, 'metadata', 'namespace') ?? '',
    name: textAt(object, 'metadata', 'name') ?? '',
    holder: textAt(object, 'spec', 'holderIdentity'),
    durationSeconds: numberAt(object, 'spec', 'leaseDurationSeconds'),
    renewTime: timeAt(object, 'spec', 'renewTime'),
    transitions: numberAt(object, 'spec', 'leaseTransitions'),
  };
}

function eventOf(object: ForeignObject): ObservedEvent {
  const annotations: Record<string, string> = {};
  for (const [key, value] of Object.entries(objectAt(object, 'metadata', 'annotations')))
    if (typeof value === 'string') annotations[key] = value;
  const api = textAt(object, 'involvedObject', 'apiVersion') ?? '';
  return {
    uid: textAt(object, 'metadata', 'uid') ?? '',
    about: {
      group: api.includes('/') ? (api.split('/')[0] ?? '') : '',
      kind: textAt(object, 'involvedObject', 'kind') ?? '',
      namespace: textAt(object, 'involvedObject', 'namespace') ?? '',
      name: textAt(object, 'involvedObject', 'name') ?? '',
    },
    type: textAt(object, 'type') ?? '',
    reason: textAt(object, 'reason') ?? '',
    message: textAt(object, 'message') ?? '',
    count: numberAt(object, 'count') ?? 1,
    firstAt: timeAt(object, 'firstTimestamp'),
    lastAt: timeAt(object, 'lastTimestamp'),
    annotations,
    component: textAt(object, 'source', 'component') ?? '',
  };
}

interface Replay {
  /** The record of an object as it stood at a time (ms). */
  at(name: string, time: number): CurrentObject;
  /** Every verdict of an object that was recorded in a span of time, in order, each with its time. */
  verdicts(name: string, from?: number, to?: number): readonly (readonly [number, Verdict])[];
  corrections(name: string): number;
  /** Changes, in the order in which they were noticed. */
  readonly changes: readonly NotedChange[];
  /** Conflicts of ownership at the end, as "kind: owners: name". */
  readonly conflicts: readonly string[];
  /** All that was noted on the way, a line each, and the record as it stood at the end. */
  readonly log: string;
  /** Corrections of an object that are kept at the end, by how sure they are. */
  certainties(name: string): readonly string[];
}

function replay(file: string, options: { readonly sourceLease: boolean }): Replay {
  const all = lines(file);
  const first = all[0]?.t ?? 0;
  const clock = fakeClock(first);
  const written = createWritten();
  const records = new Map<string, { readonly at: number; readonly object: CurrentObject }[]>();
  const transitions = new Map<string, (readonly [number, Verdict])[]>();
  const changes: NotedChange[] = [];
  const noted: string[] = [];
  const model = startClusterModel({
    cluster,
    labels: {},
    policy: defaultPolicy,
    clock,
    restored: null,
    keepMessages: true,
    unpackedCache: createUnpackedCache(undefined, 1),
    write(batch) {
      written.take(batch);
      changes.push(...batch.changes);
      const { transitions: verdicts, corrections, earlier, arrivals, coverage, removed } = batch;
      for (const [what, facts] of Object.entries({ verdicts, corrections, earlier, arrivals, coverage, removed }))
        for (const fact of facts) noted.push(`${clock.now() - first} ${what} ${JSON.stringify(fact)}`);
      for (const change of batch.changes) noted.push(`${clock.now() - first} changes ${JSON.stringify(change)}`);
      for (const { object } of batch.objects) {
        const list = records.get(object.ref.name) ?? [];
        list.push({ at: clock.now(), object });
        records.set(object.ref.name, list);
      }
      for (const transition of batch.transitions) {
        if (transition.to === null) continue;
        const list = transitions.get(transition.ref.name) ?? [];
        list.push([transition.at, transition.to]);
        transitions.set(transition.ref.name, list);
      }
    },
  });
  const leases = new Map<string, ObservedLease>();
  const kinds = [...new Set(all.map((line) => line.path))].map(kindOf).filter((kind) => kind !== null);
  const helmTimeline = options.sourceLease;
  model.take({ type: 'connected', at: first, protocol: 'h2', version: 'v1.34.3' });
  model.take({ type: 'kinds', at: first, kinds, absent: [] });
  let nextReading = first;
  function listLeases(at: number): void {
    // The recording of the Helm bed holds no leases, though its controllers held them; they are supplied here.
    const beating = ['source-controller', 'helm-controller', 'crossplane'].map((name) => ({
      namespace: 'flux-system',
      name: `${name}-leader-election`,
      holder: 'x',
      durationSeconds: 35,
      renewTime: at - 1_000,
      transitions: 0,
    }));
    model.take({
      type: 'leases',
      at,
      namespace: 'flux-system',
      leases: helmTimeline ? beating : [...leases.values()].filter((lease) => lease.namespace === 'flux-system'),
    });
  }
  for (const line of all) {
    while (nextReading <= line.t) {
      clock.set(Math.max(nextReading, clock.now()));
      listLeases(clock.now());
      nextReading += nextReading === first ? 6_000 : 15_000;
    }
    clock.set(Math.max(line.t, clock.now()));
    const at = clock.now();
    const kind = kindOf(line.path);
    if (line.path.endsWith('/leases')) {
      const items = line.type === 'LIST' ? listAt(line.object, 'items') : [line.object];
      for (const item of items) {
        const lease = leaseOf(objectAt({ item }, 'item'));
        if (lease.name) leases.set(`${lease.namespace}/${lease.name}`, lease);
      }
    } else if (line.path.endsWith('/events')) {
      if (line.type === 'ADDED' || line.type === 'MODIFIED')
        model.take({ type: 'event', at, event: eventOf(line.object) });
    } else if (kind) {
      const resourceVersion = textAt(line.object, 'metadata', 'resourceVersion') ?? '';
      if (line.type === 'LIST') {
        model.take({ type: 'sync-start', at, kind });
        for (const item of listAt(line.object, 'items'))
          model.take({ type: 'applied', at, kind, initial: true, object: objectAt({ item }, 'item') });
        model.take({ type: 'sync-end', at, kind, resourceVersion });
        model.take({ type: 'feed', at, kind, feed: { state: 'live' } });
      } else if (line.type === 'DELETED') model.take({ type: 'deleted', at, kind, object: line.object });
      else if (line.type === 'BOOKMARK') model.take({ type: 'bookmark', at, kind, resourceVersion });
      else model.take({ type: 'applied', at, kind, initial: false, object: line.object });
    }
  }
  clock.advance(5_000);
  const final = written.state().objects;
  const known = model.cluster();
  const { conflicts } = known;
  model.stop();
  return {
    at(name, time) {
      const list = records.get(name) ?? [];
      const found = list.findLast((record) => record.at <= time);
      if (!found) throw new Error(`${name} is not recorded at ${time}`);
      return found.object;
    },
    verdicts: (name, from = 0, to = Number.POSITIVE_INFINITY) =>
      (transitions.get(name) ?? []).filter(([at]) => at >= from && at <= to),
    conflicts: conflicts.map(
      ({ kind, owners, resource }) => `${kind}: ${owners.map((owner) => owner.name).join(' + ')}: ${resource.name}`,
    ),
    certainties: (name) =>
      (final.find(({ object }) => object.ref.name === name)?.detail.corrections ?? []).map(
        ({ certainty }) => certainty,
      ),
    corrections: (name) => final.find(({ object }) => object.ref.name === name)?.detail.corrections.length ?? 0,
    changes,
    log: `${noted.join('\n')}\n${outline({ cluster: known, objects: Object.fromEntries(final.map(ended)) }, { once: true })}`,
  };
}

/** An object as it stood at the end; its observation is that of `kept/readings`, its memory the collector's own. */
function ended({ object, detail }: StoredClusterState['objects'][number]): readonly [string, object] {
  const { observation: _read, memory: _own, ...rest } = detail;
  return [`${object.ref.kind}/${object.ref.name}`, { ...object, detail: rest }];
}

/** A change that is meant is written with `vitest run -u` and read in the diff. */
function keeps(name: string, { log }: Replay): void {
  it('all that is noted is what is kept', async () => {
    await expect(log).toMatchFileSnapshot(`../../../test/fixtures/kept/replays/${name}.txt`);
  });
}

/** "12:30:05 Kustomization/base spec-edited by kubectl-patch": what was changed, in the order of the cluster's own clock. */
function textsOf(changes: readonly NotedChange[]): readonly string[] {
  return changes
    .toSorted((a, b) => a.at - b.at)
    .map(({ ref, at, fact }) => {
      const by = 'by' in fact && fact.by !== null ? ` by ${fact.by}` : '';
      const to = fact.type === 'revision' ? ` to ${(fact.to ?? '').replace(/^main@sha1:/, '').slice(0, 7)}` : '';
      const what = ref ? `${ref.kind}/${ref.name} ` : '';
      return `${new Date(at).toISOString().slice(11, 19)} ${what}${fact.type}${to}${by}`;
    });
}

describe('nine minutes of Flux', () => {
  const all = steps('flux.steps.jsonl');
  const bed = replay('flux.jsonl.gz', { sourceLease: false });

  keeps('flux', bed);

  function step(name: string): { readonly t: number; readonly sha: string | null } {
    const found = all.find((one) => one.step === name);
    if (!found) throw new Error(name);
    return found;
  }
  const started = step('start').t;
  const killed = step('kustomize-controller killed').t;
  const back = step('kc back').t;
  const end = step('end').t;

  it.each([
    ['base', 'converged', null],
    ['badbuild', 'diverged', null],
    ['badapply', 'diverged', null],
    ['unhealthy', 'unhealthy', null],
    ['waits', 'waiting', 'badbuild'],
    ['nosource', 'diverged', 'absent'],
    ['source-broken', 'waiting', 'missing-repo'],
  ] as const)('at the start %s is %s', (name, verdict, cause) => {
    const record = bed.at(name, started + 20_000);
    expect(record.verdict).toBe(verdict);
    expect(record.rootCause?.type === 'object' ? record.rootCause.ref.name : null).toBe(cause);
  });

  it('what was suspended keeps what is beneath', () => {
    expect(bed.verdicts('nopath').map(([, verdict]) => verdict)).toEqual(['suspended']);
    expect(bed.at('nopath', end)).toMatchObject({ verdict: 'suspended', was: 'diverged' });
    expect(bed.at('suspended-good', end)).toMatchObject({ verdict: 'suspended', was: 'converged' });
  });

  it('a commit arrives without a flash', () => {
    const commit = step('commit');
    expect(bed.at('good', commit.t + 60_000)).toMatchObject({ verdict: 'converged', commit: commit.sha });
    expect(bed.verdicts('good', started + 20_000, step('bad commit').t)).toEqual([]);
  });

  it.each(['base', 'contested', 'drifty', 'prune-off'])('%s does not flash in any of its quiet passes', (name) => {
    expect(bed.verdicts(name, started + 20_000, killed)).toEqual([]);
    expect(bed.at(name, killed).verdict).toBe('converged');
  });

  it.each(['badbuild', 'badapply', 'unhealthy', 'nosource', 'waits'])(
    '%s does not flash while it is retried',
    (name) => {
      expect(bed.verdicts(name, started + 20_000, killed)).toEqual([]);
    },
  );

  it('a drift undone by hand is one correction', () => {
    expect(bed.at('drifty', killed)).toMatchObject({ verdict: 'converged', drift: 'corrected' });
    expect(bed.corrections('drifty')).toBe(1);
  });

  it('a source that breaks is diverged, and what depends on it stale once it has failed for 5 min', () => {
    const broken = step('source breaks under a Ready applier').t;
    const [[divergedAt, verdict] = [0, null]] = bed.verdicts('other', broken);
    expect(verdict).toBe('diverged');
    expect(Math.abs(divergedAt - broken)).toBeLessThan(5_000);
    expect(bed.at('on-other', killed).verdict).toBe('converged');
    expect(bed.verdicts('on-other', broken, killed)).toEqual([]);
    expect(bed.at('on-other', end)).toMatchObject({
      verdict: 'stale',
      rootCause: { type: 'object', ref: { name: 'other' } },
    });
  });

  it('a bad commit diverges, and the cluster still runs the former', () => {
    const badCommit = step('bad commit');
    const mend = step('mend');
    const record = bed.at('good', mend.t);
    expect(record).toMatchObject({
      verdict: 'diverged',
      reason: 'BuildFailed',
      commit: step('commit').sha,
      commitDiffers: 'yes',
    });
    expect(record.revision.attempted).toContain(badCommit.sha);
    expect(record.onset.bound).toBe('exact');
    expect(bed.at('waits', mend.t)).toMatchObject({ verdict: 'waiting', rootCause: { ref: { name: 'badbuild' } } });
    expect(bed.at('good', killed)).toMatchObject({ verdict: 'converged', commit: mend.sha });
    expect(bed.verdicts('good', badCommit.t, killed).map(([, verdict]) => verdict)).toEqual(['diverged', 'converged']);
  });

  it('a fight is contested, an opt-out stops corrections', () => {
    expect(bed.at('contested', end).drift).toBe('contested');
    expect(bed.at('prune-off', end).exemptions.map((exemption) => exemption.kind)).toContain('prune-disabled');
  });

  it('Kustomizations that apply one path are a conflict and no drift; a hand that edits again and again is a fight', () => {
    expect(bed.conflicts).toEqual([
      'two-inventories: base + on-other + suspended-good: base',
      'contested-correction: contested + somebody who is not seen: contested',
    ]);
    for (const name of ['base', 'on-other']) expect(new Set(bed.certainties(name))).toEqual(new Set(['contested']));
    expect(bed.certainties('drifty')).toEqual(['confirmed']);
  });

  it('a dead controller makes every Kustomization stale, and no GitRepository', () => {
    const dead = killed + 35_000 + 15_000 + 16_000;
    for (const name of ['base', 'good', 'badbuild', 'contested']) {
      expect(bed.at(name, dead)).toMatchObject({
        verdict: 'stale',
        rootCause: { type: 'controller', name: 'kustomize-controller' },
      });
      // The spec of base was edited meanwhile: first nobody has looked at it, then nobody can.
      const seen = bed.verdicts(name, killed, back).map(([, verdict]) => verdict);
      expect(seen).toEqual(name === 'base' ? ['progressing', 'stale'] : ['stale']);
    }
    expect(bed.at('control', dead).verdict).toBe('converged');
  });

  it('all is well again when the controller is back', () => {
    // By then the Helm bed had pushed one commit more than the one made while the controller was dead.
    const { revision, ...record } = bed.at('good', end);
    expect(record).toMatchObject({ verdict: 'converged', commitDiffers: 'no' });
    expect(revision.applied).toBe(revision.offered);
    expect(revision.applied).not.toContain(step('mend').sha);
    expect(bed.at('base', end).verdict).toBe('converged');
    expect(bed.verdicts('good', back, end).map(([, verdict]) => verdict)).toEqual(['converged']);
  });

  it('nothing is green in the record that is not confirmed', () => {
    for (const name of ['base', 'good', 'drifty', 'control']) expect(bed.at(name, end).confirmation).not.toBe('none');
  });

  it('what was changed is what was done, and nothing else: passes, drift and failures change nothing', () => {
    expect(textsOf(bed.changes)).toEqual([
      '07:34:35 GitRepository/other revision to ab00a32',
      '07:34:35 GitRepository/control revision to ab00a32',
      '07:34:59 GitRepository/other spec-edited by kubectl-patch',
      '07:36:06 GitRepository/control revision to 05761e3',
      '07:38:06 GitRepository/control revision to 6e56a6e',
      '07:39:06 GitRepository/control revision to 2726989',
      '07:39:08 Kustomization/base spec-edited by kubectl-patch',
      '07:40:06 GitRepository/control revision to 74b7b9c',
      '07:41:26 controller-restarted',
    ]);
  });
});

describe('five minutes of Helm and Crossplane', () => {
  const all = steps('helm-crossplane.steps.jsonl');
  const bed = replay('helm-crossplane.jsonl.gz', { sourceLease: true });

  keeps('helm-crossplane', bed);

  function step(name: string): number {
    return all.find((one) => one.step === name)?.t ?? 0;
  }

  it.each([
    ['hr-warn', 'drifted', 'found'],
    ['hr-fails', 'diverged', 'not-measured'],
  ] as const)('after hand edits %s is %s', (name, verdict, drift) => {
    expect(bed.at(name, step('upgrade fails') - 1_000)).toMatchObject({ verdict, drift });
  });

  it('a release without drift detection says that it is not measured', () => {
    expect(bed.at('hr-plain', step('upgrade fails')).drift).toBe('not-measured');
  });

  it('drift that helm-controller undoes never shows as a verdict', () => {
    expect(bed.verdicts('hr-fix', step('hand edits in three releases')).map(([, verdict]) => verdict)).toEqual([]);
  });

  it('a failing upgrade is diverged, and does not flash while it is retried', () => {
    expect(bed.verdicts('hr-breaks', step('upgrade fails')).map(([, verdict]) => verdict)).toEqual(['diverged']);
  });

  it('suspending keeps the drift beneath', () => {
    expect(bed.at('hr-warn', step('end'))).toMatchObject({ verdict: 'suspended', was: 'drifted' });
  });

  it('a managed resource without any heartbeat is unconfirmed, paused is suspended, and back', () => {
    const verdicts = bed.verdicts('mr-good', step('suspend while drifted')).map(([, verdict]) => verdict);
    expect(bed.at('mr-good', step('resume mr-good') - 1_000)).toMatchObject({
      verdict: 'suspended',
      was: 'unconfirmed',
    });
    expect(verdicts.slice(0, 2)).toEqual(['suspended', 'unconfirmed']);
    expect(bed.at('mr-good', step('end')).verdict).not.toBe('converged');
  });

  it('a composite without a composition is diverged', () => {
    expect(bed.at('media', step('end')).verdict).toBe('diverged');
  });

  it('what was changed: born, edited, suspended, paused by an annotation, deleted', () => {
    const changes = textsOf(bed.changes).filter((line) => !line.includes('HelmChart/'));
    expect(changes).toEqual([
      '07:39:43 HelmRelease/hr-plain created',
      '07:39:43 HelmRelease/hr-warn created',
      '07:39:43 HelmRelease/hr-fix created',
      '07:39:44 HelmRelease/hr-fails created',
      '07:39:44 HelmRelease/hr-breaks created',
      '07:41:59 HelmRelease/hr-breaks spec-edited by kubectl-patch',
      '07:42:44 HelmRelease/hr-warn spec-edited by kubectl-patch',
      '07:42:44 HelmRelease/hr-warn suspended by kubectl-patch',
      '07:42:44 ClusterNopResource/mr-good suspended by kubectl-annotate',
      '07:43:09 ClusterNopResource/mr-good resumed',
      '07:43:54 ClusterNopResource/mr-good spec-edited by kubectl-patch',
      '07:44:09 ClusterNopResource/mr-paused deleted',
    ]);
  });
});

describe('eighteen minutes in which four Kustomizations hold one object and two another', () => {
  const bed = replay('conflicts.jsonl.gz', { sourceLease: true });

  keeps('conflicts', bed);

  it('conflicts, all fought', () => {
    expect(bed.conflicts).toEqual([
      'two-inventories: on-pinned + on-semver + on-slash + on-tag: beta',
      'two-inventories: shared1 + shared2: shared',
    ]);
  });
});
