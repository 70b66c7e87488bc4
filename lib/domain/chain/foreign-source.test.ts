// A source of another namespace, which its reconciler may refuse whoever names it: how it stands is told once that has looked.
import { expect, it } from 'vitest';
import { defaultPolicy } from '../guarantee/guarantee.ts';
import type { Observation } from '../observation/observation.ts';
import { begin } from '../observation/track.ts';
import { minute } from '../time/length.ts';
import { around, noon, observed, revisionB, source, standing } from '../testing/observed.ts';
import type { RelatedObject } from '../verdict/subject.ts';
import { judge } from '../verdict/judge.ts';

const off = { field: 'spec.suspend', by: null, at: noon - 60 * minute };
const missing: Partial<RelatedObject> = {
  state: 'missing',
  observation: null,
  judgement: null,
  awaySince: noon - minute,
};

/** Judgements of an object beside a source of `namespace` that is there and well, and beside one that is not there. */
function told(part: Partial<Observation>, namespace = 'hidden') {
  const ref = { ...source().ref, namespace };
  const own = observed({ source: ref, ...part });
  return [{}, missing].map((standingPart) => {
    const track = begin(own, noon - 20 * minute, true);
    const beside = around({ source: standing(source({ ref }), 'converged', standingPart) });
    const { verdict, was, reason, rootCause, evidence } = judge({ track }, beside, defaultPolicy, noon);
    return { verdict, was, reason, rootCause, evidence };
  });
}

const never = {
  summary: { said: 'nothing' },
  observedGeneration: null,
  conditions: [],
  createdAt: noon - 20 * minute,
  revisions: { applied: null, attempted: null, artifact: null, origin: null },
} as const;

it.each<[string, Partial<Observation>]>([
  ['was never looked at', never],
  ['was never looked at, and is switched off', { ...never, suspended: off }],
  ['was turned to it, and switched off', { generation: 2, suspended: off }],
  ['was turned to it, and nobody looks', { generation: 2 }],
])('that is there is told as one that is not, beside what %s', (_what, part) => {
  const [there, gone] = told(part);
  expect(there).toEqual(gone);
  const [own, ownGone] = told(part, 'flux-system');
  expect(own).not.toEqual(ownGone);
});

it.each<[string, Partial<Observation>]>([
  ['', {}],
  [', and then it was switched off', { suspended: off }],
])('is told once its reconciler has looked%s', (_what, part) => {
  const [there, gone] = told(part);
  expect(there).not.toEqual(gone);
});

it('tells nothing of what it offers to what was turned to it, and nobody has looked at', () => {
  const ref = { ...source().ref, namespace: 'hidden' };
  const newer = source({ ref, revisions: { applied: null, attempted: null, artifact: revisionB, origin: null } });
  const beside = around({ source: standing(newer, 'converged', { artifactSince: noon - 60 * minute }) });
  const judged = (part: Partial<Observation>) =>
    judge(
      { track: begin(observed({ source: ref, suspended: off, ...part }), noon - 20 * minute, true) },
      beside,
      defaultPolicy,
      noon,
    );
  expect(judged({}).was).toBe('behind');
  expect(JSON.stringify(judged({ generation: 2 }).evidence)).not.toContain('offered');
  expect(judged({ generation: 2 }).was).toBe('converged');
});
