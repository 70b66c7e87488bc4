import { inTurn, kills, merges, nopResourceAt, notes, removes, revives } from '../deeds.ts';
import { began, noted } from '../checks/began.ts';
import { controllerIs } from '../checks/places.ts';
import { isGone, says } from '../checks/says.ts';
import type { Chapter } from '../situation.ts';
import { inApps, ofAlpha, staysConverged } from '../subjects.ts';

const managed = (name: string) => inApps('NopResource', name);

/** The provider of managed resources dies, whose package was installed before. */
export const provider: Chapter = {
  name: 'provider',
  title: 'A provider dies',
  after: ['crossplane'],
  situations: [
    {
      name: 'the provider is killed',
      needs: ['crossplane', 'provider-nop'],
      within: 120_000,
      act: inTurn(notes('provider killed'), kills('provider-nop-alpha')),
      checks: [
        says(ofAlpha('Provider', 'provider-nop'), { verdict: 'unhealthy', away: true }),
        says(managed('mr-good'), {
          verdict: 'stale',
          was: 'converged',
          rootCause: 'ProviderRevision/provider-nop-*',
          confirmation: 'none',
          away: true,
        }),
        began(managed('mr-good'), noted('provider killed')),
        says(managed('mr-denied'), { verdict: 'stale', was: 'diverged' }),
      ],
      never: [{ subject: managed('mr-good'), verdicts: ['diverged', 'unobserved'] }],
    },
    {
      name: 'a managed resource is edited while its provider is dead',
      needs: ['crossplane', 'provider-nop'],
      within: 30_000,
      act: merges('alpha', nopResourceAt('mr-good'), { spec: { forProvider: { fields: { size: 'large' } } } }),
      checks: [says(managed('mr-good'), { verdict: 'stale', away: true })],
      never: [{ subject: managed('mr-good'), verdicts: ['converged', 'diverged'] }],
    },
    {
      name: 'a managed resource is deleted while its provider is dead: it hangs',
      needs: ['crossplane', 'provider-nop'],
      within: 30_000,
      act: removes('alpha', nopResourceAt('mr-doomed')),
      checks: [
        says(managed('mr-doomed'), {
          verdict: 'stale',
          was: 'progressing',
          rootCause: 'ProviderRevision/provider-nop-*',
        }),
      ],
      never: [{ subject: managed('mr-doomed'), verdicts: ['converged', 'diverged'] }],
    },
    {
      name: 'the provider is back',
      needs: ['crossplane', 'provider-nop'],
      within: 150_000,
      act: revives('provider-nop-alpha'),
      checks: [
        says(ofAlpha('Provider', 'provider-nop'), { verdict: 'converged' }),
        says(managed('mr-good'), { verdict: 'converged', rootCause: null }),
        isGone(managed('mr-doomed')),
      ],
    },
  ],
};

/** Crossplane's core dies: composites and claims depend on it, managed resources on their provider. */
export const core: Chapter = {
  name: 'core',
  title: "Crossplane's core dies",
  after: ['crossplane'],
  situations: [
    {
      name: "Crossplane's core is killed",
      needs: ['crossplane', 'provider-nop'],
      within: 150_000,
      act: kills('crossplane-alpha'),
      checks: [
        controllerIs('alpha', 'crossplane', 'dead'),
        says(inApps('Store', 'corner'), { verdict: 'stale', rootCause: 'crossplane', away: true }),
        says(managed('mr-good'), { verdict: 'converged', rootCause: null }),
      ],
      never: [staysConverged(managed('mr-good'))],
    },
    {
      name: "Crossplane's core is back",
      needs: ['crossplane', 'provider-nop'],
      within: 180_000,
      act: revives('crossplane-alpha'),
      checks: [controllerIs('alpha', 'crossplane', 'alive'), says(inApps('Store', 'corner'), { verdict: 'diverged' })],
    },
  ],
};
