import { expect, it } from 'vitest';
import { noon, observed, source } from '../testing/observed.ts';
import type { Exemption } from './exemption.ts';
import { optOutFinding } from './opt-out.ts';

const exemption: Exemption = {
  kind: 'reconcile-disabled',
  field: 'metadata.annotations[kustomize.toolkit.fluxcd.io/reconcile]',
  meaning: 'it is left as it is',
  by: 'kubectl-edit',
  at: noon,
  reach: null,
};
const deliveredBy = source().ref;

it.each([
  ['kubectl-edit', `(${exemption.field} by kubectl-edit)`],
  [null, `(${exemption.field})`],
])('an opt-out by %s says who did it where that is known', (by, words) => {
  expect(optOutFinding(observed({ deliveredBy, exemptions: [{ ...exemption, by }] }))).toMatchObject({
    verdict: 'unconfirmed',
    reason: 'OptedOut',
    sentence: `Kustomization checkout is opted out ${words}: GitRepository control leaves it as it is, whatever git says.`,
    evidence: [{ from: 'field', text: exemption.field, at: noon }],
  });
});

it('takes nothing from what nobody delivers, nor does another exemption', () => {
  expect(optOutFinding(observed({ deliveredBy: null, exemptions: [exemption] }))).toBeNull();
  expect(optOutFinding(observed({ deliveredBy, exemptions: [{ ...exemption, kind: 'prune-disabled' }] }))).toBeNull();
});
