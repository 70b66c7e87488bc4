import { describe, expect, it } from 'vitest';
import { pastSentence } from './past-sentence.ts';
import { verdicts, type Verdict } from '../verdict/verdict.ts';

const ref = { cluster: 'eu-west-3', group: '', kind: 'Kustomization', namespace: 'flux-system', name: 'checkout' };
const attempted = 'main@sha1:9f31c07d9f31c07d9f31c07d9f31c07d9f31c07d';
const cause = {
  type: 'controller',
  cluster: 'stg-edge',
  namespace: 'flux-system',
  name: 'kustomize-controller',
} as const;

function said(verdict: Verdict, part: Partial<Parameters<typeof pastSentence>[0]> = {}): string {
  const revision = { applied: null, attempted, offered: null };
  const common = { ref, role: 'applier', drift: 'none', reason: 'Because', rootCause: null } as const;
  return pastSentence({ ...common, verdict, revision, ...part });
}

describe('the sentence of a past moment', () => {
  it.each([
    ['diverged', 'Kustomization checkout cannot be made as declared, tried at 9f31c07 (Because).'],
    ['drifted', 'A difference was found in Kustomization checkout and is left in place (Because).'],
    ['unhealthy', 'Kustomization checkout is there, but does not work, tried at 9f31c07 (Because).'],
    ['stale', 'The last word of Kustomization checkout proves nothing: its loop has stopped or is blind (Because).'],
    ['unobserved', 'Kustomization checkout is not seen (Because).'],
    ['suspended', 'Kustomization checkout is switched off on purpose.'],
    ['behind', 'Kustomization checkout works, at an older revision than its source offers (Because).'],
    ['waiting', 'Kustomization checkout waits for something else (Because).'],
    ['progressing', 'Kustomization checkout has not settled yet (Because).'],
    [
      'unconfirmed',
      'The last word of Kustomization checkout is good, but nothing proves that this is still so (Because).',
    ],
    ['converged', 'Kustomization checkout is as declared.'],
  ] as const)('of one that was %s', (verdict, sentence) => {
    expect(said(verdict)).toBe(sentence);
  });

  it('names where the fault lay', () => {
    expect(said('stale', { rootCause: cause })).toMatch(/: the fault lies with kustomize-controller on stg-edge\.$/);
    expect(said('waiting', { rootCause: cause })).toBe(
      'Kustomization checkout waits for kustomize-controller on stg-edge.',
    );
  });

  it('claims no revision of what applies none, and no applying of a source', () => {
    expect(said('diverged', { role: 'managed' })).toBe('Kustomization checkout cannot be made as declared (Because).');
    expect(said('unobserved', { role: 'declared' })).toBe(
      'Kustomization checkout is declared, and nothing reports on it.',
    );
  });

  it.each([
    ['applier', 'is as declared'],
    ['managed', 'is as declared'],
    ['composite', 'is as declared'],
    ['claim', 'is as declared'],
    ['source', 'is in order'],
    ['package', 'is in order'],
    ['definition', 'is in order'],
    ['helper', 'is in order'],
    ['declared', 'is declared, and nothing reports on it'],
  ] as const)('a converged %s %s', (role, clause) => {
    expect(said('converged', { role })).toBe(`Kustomization checkout ${clause}.`);
  });

  it('does not say as declared where nobody measured whether it had drifted', () => {
    const unseen = { drift: 'not-measured' } as const;
    expect(said('converged', unseen)).toBe(
      'Kustomization checkout was applied; whether it has drifted is not measured.',
    );
    expect(said('converged', { ...unseen, role: 'managed' })).toBe(
      'Kustomization checkout is there; whether it has drifted is not measured.',
    );
    expect(said('converged', { ...unseen, role: 'claim' })).toMatch(
      /is there; whether it has drifted is not measured\.$/,
    );
    expect(said('converged', { role: 'claim' })).toBe('Kustomization checkout is as declared.');
    expect(said('converged', { ...unseen, role: 'package' })).toBe('Kustomization checkout is in order.');
  });

  it.each(verdicts)('of %s is one sentence, also without a reason', (verdict) => {
    const bare = { reason: '', revision: { applied: null, attempted: null, offered: null } };
    expect(said(verdict, bare)).toBe(said(verdict).replace(/,? ?(tried at 9f31c07)? \(Because\)/, ''));
  });
});
