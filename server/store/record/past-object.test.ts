import { expect, it } from 'vitest';
import { noLastKnownOrigin, noRevision, noTraits, pastObject, type PastObject } from './past-object.ts';

const settled = { ...noTraits, reconciler: 'flux', drift: 'none' } as const;

function recorded(number: number, verdict: PastObject['span']['verdict'] = 'converged'): PastObject {
  return {
    span: {
      ref: { cluster: 'a', group: '', kind: 'Secret', namespace: 'b', name: `c-${number}` },
      uid: `uid-${number}`,
      verdict,
      onset: { time: number, bound: 'exact', noticedAt: number + 5 },
      reason: 'Reason',
      message: null,
      commit: null,
      revision: noRevision,
      rootCause: null,
    },
    traits: settled,
    origin: noLastKnownOrigin,
    absence: null,
  };
}

it('gives an object as it was, and empty what was not kept', () => {
  const range = { lastGood: 'main@sha1:c1', firstBad: 'main@sha1:c2', seenBetween: 0, watched: true };
  const absence = { openedAt: 1, bound: 'at-least', noticedAt: 3, range } as const;
  const origin = {
    source: { cluster: 'a', group: 'g', kind: 'GitRepository', namespace: 'n', name: 'fleet' },
    deliveredBy: { cluster: 'a', group: 'k', kind: 'Kustomization', namespace: 'n', name: 'apps' },
    path: './apps',
    repository: 'https://git.example.org/fleet.git',
  };
  const { span } = recorded(7, 'diverged');
  const known = { ...span, message: 'it failed', commit: 'c1', revision: { ...noRevision, attempted: 'main@sha1:c2' } };
  expect(pastObject({ span: known, traits: settled, origin, absence })).toEqual({
    ref: span.ref,
    uid: 'uid-7',
    reconciler: 'flux',
    role: 'applier',
    verdict: 'diverged',
    was: null,
    reconciling: false,
    rolling: false,
    reason: 'Reason',
    message: 'it failed',
    sentence: 'Secret c-7 cannot be made as declared, tried at main@sha1:c2 (Reason).',
    onset: { time: 7, bound: 'exact', noticedAt: 12 },
    awaySince: { time: 1, bound: 'at-least', noticedAt: 3 },
    confirmation: 'none',
    observedAt: 12,
    confirmedAt: null,
    validUntil: null,
    revision: { applied: null, attempted: 'main@sha1:c2', offered: null },
    commit: 'c1',
    commitDiffers: 'unknown',
    ...origin,
    builds: null,
    upstreams: { sources: [], dependsOn: [], parent: null, provider: null, providerConfig: null },
    rootCause: null,
    range,
    drift: 'none',
    exemptions: [],
  });
  const kustomization = { ...known, ref: { ...span.ref, kind: 'Kustomization' } };
  const { builds } = pastObject({ span: kustomization, traits: settled, origin, absence });
  expect(builds).toEqual({ components: null, ignore: null, sparse: [] });
});

it('tells the range of an absence of those that fail at a revision only, also of one that is not seen now', () => {
  const range = { lastGood: 'main@sha1:c1', firstBad: 'main@sha1:c2', seenBetween: 0, watched: true };
  const absence = { openedAt: 1, bound: 'exact', noticedAt: 3, range } as const;
  const object = { ...recorded(1, 'unobserved'), absence };
  const failing = { ...object, traits: { ...settled, was: 'diverged' as const } };
  const waiting = { ...object, traits: { ...settled, was: 'waiting' as const } };
  expect([failing, waiting, object].map((one) => pastObject(one).range)).toEqual([range, null, null]);
});
