import { describe, expect, it } from 'vitest';
import type { ChangeFact } from '#lib/domain/record/change.ts';
import type { Exemption } from '#lib/domain/exemption/exemption.ts';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { noon, observed, revisionA, revisionB } from '#lib/domain/testing/observed.ts';
import { minute, second } from '#lib/domain/time/length.ts';
import { objectChanges, type Received } from './object-changes.ts';

type Part = Partial<Observation>;

/** Heard as it was written. */
const live: Received = { at: noon, notBefore: noon };
/** Heard after half an hour in which nobody listened. */
const late: Received = { at: noon, notBefore: noon - 30 * minute };

function editor(manager: string, at: number | null): Part {
  return { specEditedBy: { manager, at } };
}

function weakening(part: Partial<Exemption> = {}): Exemption {
  return {
    kind: 'prune-disabled',
    field: 'spec.prune',
    meaning: '',
    by: 'kubectl-edit',
    at: noon,
    reach: null,
    ...part,
  };
}

function facts(before: Part, after: Part, event: Received = live): readonly ChangeFact[] {
  return objectChanges(observed(before), observed(after), event).map(({ fact }) => fact);
}

function edited(by: string | null, from: number, generation: number): ChangeFact {
  return { type: 'spec-edited', by, from, generation };
}

const git = editor('kustomize-controller', noon - 60 * minute);
const hand = editor('kubectl-edit', noon - second);
const managed: Part = { reconciler: 'crossplane', role: 'managed' };
const argo: Part = { reconciler: 'argocd' };
const paused = { field: 'metadata.annotations[crossplane.io/paused]', by: 'kubectl-annotate', at: noon };
const switchedOff = { field: 'spec.suspend', by: 'flux', at: noon };
const source: Part = { role: 'source' };
const offers = (artifact: string | null): Part => ({
  ...source,
  revisions: { applied: null, attempted: null, artifact, origin: null },
});
const tried = (attempted: string): Observation['revisions'] => ({
  applied: null,
  attempted,
  artifact: null,
  origin: null,
});

const cases: readonly (readonly [string, Part, Part, readonly ChangeFact[]])[] = [
  ['a quiet pass', { resourceVersion: '1' }, { resourceVersion: '2', lastWriteAt: noon }, []],
  ['a pass at another revision: its source tells', {}, { revisions: tried(revisionB), source: observed().ref }, []],
  ['labels changed by who owns the spec', git, editor('kustomize-controller', noon), []],
  ['an edit by hand', { ...git, generation: 3 }, { ...hand, generation: 4 }, [edited('kubectl-edit', 3, 4)]],
  ['three edits, the last by hand', git, { ...hand, generation: 4 }, [edited('kubectl-edit', 1, 4)]],
  ['a field taken away by another than its owner: no trace', git, { ...git, generation: 2 }, [edited(null, 1, 2)]],
  ['an edit of which managedFields tell nothing', {}, { specEditedBy: null, generation: 2 }, [edited(null, 1, 2)]],
  [
    'the newest manager is gone and an older one stands there: it did not edit',
    hand,
    { ...git, generation: 2 },
    [edited(null, 1, 2)],
  ],
  ['an edit where none was known', { specEditedBy: null }, { ...hand, generation: 2 }, [edited('kubectl-edit', 1, 2)]],
  ['an edit of which nobody knows when', git, { ...editor('x', null), generation: 2 }, [edited('x', 1, 2)]],
  [
    'an edit after one of which nobody knows when',
    editor('x', null),
    { ...git, generation: 2 },
    [edited('kustomize-controller', 1, 2)],
  ],
  [
    'an edit at the same time by another',
    editor('x', noon),
    { ...editor('y', noon), generation: 2 },
    [edited('y', 1, 2)],
  ],
  [
    'a deletion that is asked for adds one to the generation: no edit',
    { ...git, generation: 3 },
    { ...git, generation: 4, deletedAt: noon - second },
    [{ type: 'deletion-asked' }],
  ],
  [
    'a deletion and an edit',
    { ...git, generation: 3 },
    { ...hand, generation: 5, deletedAt: noon - second },
    [edited('kubectl-edit', 3, 4), { type: 'deletion-asked' }],
  ],
  ['late initialisation by its own provider', { ...managed, ...git }, { ...managed, ...git, generation: 2 }, []],
  [
    'an edit by hand and what its provider adds',
    { ...managed, ...git },
    { ...managed, ...hand, generation: 3 },
    [edited('kubectl-edit', 2, 3)],
  ],
  [
    'a status of an Application, which adds to its generation',
    { ...argo, ...git },
    { ...argo, ...git, generation: 9 },
    [],
  ],
  [
    'an edit of an Application',
    { ...argo, ...git, generation: 8 },
    { ...argo, ...hand, generation: 9 },
    [edited('kubectl-edit', 8, 9)],
  ],
  ['suspended', {}, { suspended: switchedOff }, [{ type: 'suspended', field: 'spec.suspend', by: 'flux' }]],
  ['still suspended', { suspended: switchedOff }, { suspended: { ...switchedOff, at: noon + second } }, []],
  [
    'resumed by an edit',
    { ...git, suspended: switchedOff },
    { ...hand, generation: 2 },
    [edited('kubectl-edit', 1, 2), { type: 'resumed', field: 'spec.suspend', by: 'kubectl-edit' }],
  ],
  [
    'resumed without an edit names nobody',
    { ...git, suspended: switchedOff },
    hand,
    [{ type: 'resumed', field: 'spec.suspend', by: null }],
  ],
  [
    'an annotation that is gone beside an edit names nobody',
    { ...git, suspended: paused },
    { ...hand, generation: 2 },
    [edited('kubectl-edit', 1, 2), { type: 'resumed', field: paused.field, by: null }],
  ],
  [
    'an annotation that is gone names nobody',
    { suspended: paused },
    hand,
    [{ type: 'resumed', field: paused.field, by: null }],
  ],
  ['another artifact', offers(revisionA), offers(revisionB), [{ type: 'revision', from: revisionA, to: revisionB }]],
  ['the first artifact', offers(null), offers(revisionB), [{ type: 'revision', from: null, to: revisionB }]],
  ['an artifact that is lost', offers(revisionA), offers(null), [{ type: 'revision', from: revisionA, to: null }]],
  [
    'an applier without a source of its own',
    { ...argo, source: null, revisions: tried(revisionA) },
    { ...argo, source: null, revisions: tried(revisionB) },
    [{ type: 'revision', from: revisionA, to: revisionB }],
  ],
  [
    'an Application, whose revision is a bare commit, and no token',
    { ...argo, source: null, revisions: tried('a'.repeat(40)) },
    { ...argo, source: null, revisions: tried('b'.repeat(40)) },
    [{ type: 'revision', from: 'a'.repeat(40), to: 'b'.repeat(40) }],
  ],
  [
    'an applier that has found its source, which tells from now on',
    { source: null, revisions: tried(revisionA) },
    { source: observed().ref, revisions: tried(revisionB) },
    [],
  ],
  [
    'a weakening by an edit',
    git,
    { ...hand, generation: 2, exemptions: [weakening()] },
    [
      edited('kubectl-edit', 1, 2),
      { type: 'exemption-added', kind: 'prune-disabled', field: 'spec.prune', by: 'kubectl-edit' },
    ],
  ],
  ['a weakening of the spec without an edit: only found by now', git, { ...git, exemptions: [weakening()] }, []],
  [
    'a weakening of an Application without an edit, whose status adds to its generation',
    { ...argo, ...git },
    { ...argo, ...git, generation: 9, exemptions: [weakening()] },
    [],
  ],
  [
    'a weakening by an annotation',
    git,
    { ...git, exemptions: [weakening({ kind: 'reconcile-disabled', field: 'metadata.annotations[x]' })] },
    [
      {
        type: 'exemption-added',
        kind: 'reconcile-disabled',
        field: 'metadata.annotations[x]',
        by: 'kubectl-edit',
      },
    ],
  ],
  [
    'a weakening that is mended',
    { ...git, exemptions: [weakening()] },
    { ...hand, generation: 2 },
    [
      edited('kubectl-edit', 1, 2),
      { type: 'exemption-removed', kind: 'prune-disabled', field: 'spec.prune', by: 'kubectl-edit' },
    ],
  ],
  [
    'a weakening of one kind that moves to another field',
    { ...git, exemptions: [weakening()] },
    { ...hand, generation: 2, exemptions: [weakening({ field: 'spec.other' })] },
    [
      edited('kubectl-edit', 1, 2),
      { type: 'exemption-added', kind: 'prune-disabled', field: 'spec.other', by: 'kubectl-edit' },
      { type: 'exemption-removed', kind: 'prune-disabled', field: 'spec.prune', by: 'kubectl-edit' },
    ],
  ],
  [
    'a weakening by an annotation that is mended beside an edit names nobody',
    { ...git, exemptions: [weakening({ field: 'metadata.annotations[x]' })] },
    { ...hand, generation: 2 },
    [
      edited('kubectl-edit', 1, 2),
      { type: 'exemption-removed', kind: 'prune-disabled', field: 'metadata.annotations[x]', by: null },
    ],
  ],
  [
    'a weakening that has another reach or setter is the same',
    { exemptions: [weakening()] },
    { ...git, generation: 1, exemptions: [weakening({ by: null, at: noon + second })] },
    [],
  ],
  [
    'a suspension is not told twice',
    git,
    { ...git, suspended: paused, exemptions: [weakening({ kind: 'suspended', field: paused.field })] },
    [{ type: 'suspended', field: paused.field, by: 'kubectl-annotate' }],
  ],
];

function condition(type: string, status: 'True' | 'False'): Observation['conditions'][number] {
  const at = noon - minute;
  return { type, status, reason: 'Succeeded', message: '', lastTransitionTime: at, observedGeneration: 1 };
}

describe('what was changed', () => {
  it.each(cases)('%s', (_name, before, after, expected) => {
    expect(facts(before, after)).toEqual(expected);
  });

  it.each([
    [256, true],
    [257, false],
  ])('a revision of %i characters stays whole: %s', (length, whole) => {
    const long = 'v '.repeat(length).slice(0, length);
    const [fact] = facts(offers(revisionA), offers(long));
    expect(fact?.type === 'revision' && fact.to === long).toBe(whole);
  });

  it('names of managers are redacted and cut', () => {
    const manager = `deploy --token=ghp_0123456789abcdef0123456789abcdef0123 ${'x'.repeat(200)}`;
    const [fact] = facts(git, { ...editor(manager, noon), generation: 2 });
    const by = fact?.type === 'spec-edited' ? (fact.by ?? '') : '';
    expect(by).not.toContain('0123456789abcdef');
    expect(by.length).toBeLessThanOrEqual(128);
  });
});

describe('when', () => {
  function when(before: Part, after: Part, event: Received): readonly (readonly [number, number])[] {
    return objectChanges(observed(before), observed(after), event).map((one) => [one.at - noon, one.notBefore - noon]);
  }
  const undated = [0, -30 * minute];

  it.each<readonly [string, Part, Part, Received, readonly (readonly number[])[]]>([
    ['managedFields date an edit', git, { ...hand, generation: 2 }, live, [[-second, -second]]],
    ['also one that nobody saw', git, { ...editor('x', noon - minute), generation: 2 }, late, [[-minute, -minute]]],
    ['an API server whose clock is ahead', git, { ...editor('x', noon + minute), generation: 2 }, live, [[0, 0]]],
    ['one that leaves no trace happened when it was heard of', git, { ...git, generation: 2 }, live, [[0, 0]]],
    ['and if nobody saw it, since the former state was last seen', git, { ...git, generation: 2 }, late, [undated]],
    ['a suspension', {}, { suspended: { ...paused, at: noon - 5 * minute } }, late, [[-5 * minute, -5 * minute]]],
    ['one up to 5 s older', {}, { suspended: { ...paused, at: noon - 5_000 } }, live, [[-5_000, -5_000]]],
    ['one more than 5 s older is no date', {}, { suspended: { ...paused, at: noon - 5_001 } }, live, [[0, 0]]],
    ['a manager that wrote before that is no date', {}, { suspended: { ...paused, at: 1 } }, late, [undated]],
    ['a deletionTimestamp', {}, { deletedAt: noon - minute, generation: 2 }, late, [[-minute, -minute]]],
    [
      'an artifact is dated by the condition that restarts with it',
      offers(revisionA),
      {
        ...offers(revisionB),
        conditions: [
          {
            type: 'ArtifactInStorage',
            status: 'True',
            reason: 'Succeeded',
            message: '',
            lastTransitionTime: noon - minute,
            observedGeneration: 1,
          },
        ],
      },
      late,
      [[-minute, -minute]],
    ],
    [
      'and by no other condition, nor where it is not there',
      offers(revisionA),
      {
        ...offers(revisionB),
        conditions: [condition('Ready', 'True'), condition('ArtifactInStorage', 'False')],
      },
      late,
      [undated],
    ],
  ])('%s', (_name, before, after, event, expected) => {
    expect(when(before, after, event)).toEqual(expected);
  });

  it('what was set before the former state was last seen is no news after a blind spot, but is while all is seen', () => {
    const older = weakening({ field: 'metadata.labels[x]', at: noon - 60 * minute });
    expect(facts({}, { exemptions: [older] }, late)).toEqual([]);
    expect(when({}, { exemptions: [older] }, live)).toEqual([[0, 0]]);
    expect(when({}, { exemptions: [{ ...older, at: noon - minute }] }, late)).toEqual([[-minute, -minute]]);
  });
});
