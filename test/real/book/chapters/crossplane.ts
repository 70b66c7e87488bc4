import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  acme,
  claimedDefinition,
  clusterNopResource,
  compositeDefinition,
  nopResource,
} from '../../fixtures/manifests.ts';
import type { Manifest } from '../../harness/kube-client.ts';
import { publishProviderPackage } from '../../harness/publish.ts';
import { applies, byHand, inTurn, merges, nopResourceAt, notes, removes, untilNoted } from '../deeds.ts';
import { began, condition, firstWrite } from '../checks/began.ts';
import { type Expected, firstOf, isOneIncident, isOver, only, seenHome } from '../checks/incidents.ts';
import { feedIs } from '../checks/places.ts';
import { isGone, isSeen, says } from '../checks/says.ts';
import type { Chapter, Stage } from '../situation.ts';
import { inApps, ofAlpha } from '../subjects.ts';

const managed = (name: string) => inApps('NopResource', name);
const pauses = (name: string): readonly string[] => [
  ...['-n', 'apps', 'annotate', 'nopresource', name, 'crossplane.io/paused=true'],
];

/**
 * Resources of one ProviderConfig that all fail with one error. provider-nop has no credentials to lose; what it is not allowed to do
 * stands for that: its reconciler writes the same, Synced=False ReconcileError and one message.
 */
const locked = ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => `mr-locked-${name}`);
const lockedOut: Expected = {
  title: 'ClusterProviderConfig locked on alpha',
  cause: 'shared-error ClusterProviderConfig locked on alpha',
  since: 'locked out',
  began: firstOf(locked.map(managed), condition('Synced', 'False')),
  members: only(...locked.map(managed)),
};

function ofLockedConfig(name: string): Manifest {
  return nopResource(name, [{ after: 1, status: 'True' }], { providerConfigRef: { name: 'locked' } });
}

/** Has all of them managed by these policies. */
function manages(...managementPolicies: readonly string[]) {
  return inTurn(...locked.map((name) => merges('alpha', nopResourceAt(name), { spec: { managementPolicies } })));
}

/** Publishes the provider's package and installs it: core makes its revision, and the Deployment that the bed runs. */
async function installsProvider(stage: Stage): Promise<void> {
  const { alpha, artifacts, built } = stage.bed;
  const folder = built.get('provider-nop')?.crds ?? null;
  if (folder === null) throw new Error('the CRDs of provider-nop are not there');
  const files = (await readdir(folder)).toSorted();
  const crds = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  await publishProviderPackage(artifacts, 'provider-nop', 'v0.5.0', crds);
  await alpha.admin.apply({
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Provider',
    metadata: { name: 'provider-nop' },
    spec: { package: `${artifacts.host}/provider-nop:v0.5.0` },
  });
}

/** Managed resources, their provider, composites and claims. */
export const crossplane: Chapter = {
  name: 'crossplane',
  title: 'Crossplane',
  situations: [
    {
      name: 'a managed resource that was ready fails its health',
      needs: ['provider-nop'],
      within: 120_000,
      act: applies(
        'alpha',
        nopResource('mr-sick', [
          { after: 2, status: 'True' },
          { after: 25, status: 'False' },
        ]),
      ),
      checks: [
        says(managed('mr-sick'), { verdict: 'unhealthy', rootCause: null, away: true }),
        began(managed('mr-sick'), condition('Ready', 'False')),
      ],
      never: [{ subject: managed('mr-sick'), verdicts: ['converged', 'diverged', 'stale'] }],
    },
    {
      name: 'the first object of a managed kind is seen at once',
      needs: ['provider-nop'],
      within: 20_000,
      act: applies('alpha', clusterNopResource('first')),
      checks: [feedIs('alpha', 'ClusterNopResource', 'live'), isSeen(ofAlpha('ClusterNopResource', 'first'))],
    },
    {
      name: 'a managed resource is paused by hand',
      needs: ['provider-nop'],
      within: 30_000,
      act: byHand('alpha', ...pauses('mr-sick')),
      checks: [
        says(managed('mr-sick'), {
          verdict: 'suspended',
          was: 'unhealthy',
          exemptions: ['suspended'],
          setBy: ['suspended', 'kubectl-annotate'],
          guarantee: 'off',
        }),
        began(managed('mr-sick'), firstWrite),
      ],
    },
    {
      name: 'the package of the provider is installed: its revision vouches for what it runs',
      needs: ['crossplane', 'provider-nop'],
      within: 120_000,
      act: inTurn(
        installsProvider,
        applies('alpha', nopResource('mr-doomed', [{ after: 1, status: 'True' }])),
        applies('alpha', ...locked.map(ofLockedConfig)),
        notes('locked made'),
      ),
      checks: [
        ...locked.map((name) => says(managed(name), { verdict: 'converged', confirmation: 'controller' })),
        says(ofAlpha('Provider', 'provider-nop'), { verdict: 'converged' }),
        says(managed('mr-good'), { verdict: 'converged', confirmation: 'controller', rootCause: null }),
        says(managed('mr-doomed'), { verdict: 'converged', confirmation: 'controller', rootCause: null }),
      ],
    },
    {
      name: 'a new kind appears, and a composite of it that no Composition fits',
      needs: ['crossplane'],
      within: 60_000,
      act: applies('alpha', compositeDefinition('Widget'), acme('Widget', 'lonely')),
      checks: [
        says(inApps('Widget', 'lonely'), {
          verdict: 'diverged',
          reason: 'ReconcileError',
          mentions: 'cannot select Composition',
          away: true,
        }),
      ],
    },
    {
      name: 'a claim whose composite no Composition fits',
      needs: ['crossplane'],
      within: 90_000,
      act: applies('alpha', claimedDefinition, acme('Store', 'corner')),
      checks: [
        says(inApps('Store', 'corner'), {
          verdict: 'diverged',
          reason: 'PartNotConverged',
          mentions: 'XStore',
          away: true,
        }),
      ],
    },
    {
      name: 'the definition of a kind is deleted while a composite of it is left: it hangs',
      needs: ['crossplane'],
      within: 60_000,
      act: removes('alpha', {
        apiVersion: 'apiextensions.crossplane.io/v2',
        kind: 'CompositeResourceDefinition',
        name: 'widgets.acme.example.org',
      }),
      checks: [
        says(ofAlpha('CompositeResourceDefinition', 'widgets.acme.example.org'), {
          verdict: 'progressing',
          reason: 'Terminating',
          rootCause: null,
        }),
        says(inApps('Widget', 'lonely'), { verdict: 'diverged' }),
      ],
    },
    {
      name: 'the composite is deleted, and with it the kind goes from the cluster',
      needs: ['crossplane'],
      within: 120_000,
      act: removes('alpha', { apiVersion: 'acme.example.org/v1', kind: 'Widget', namespace: 'apps', name: 'lonely' }),
      checks: [
        isGone(inApps('Widget', 'lonely')),
        isGone(ofAlpha('CompositeResourceDefinition', 'widgets.acme.example.org')),
        feedIs('alpha', 'Widget', 'absent'),
      ],
    },
    {
      name: 'six resources of one ProviderConfig fail with one error, as where a provider has lost its credentials: one incident, of their ProviderConfig',
      needs: ['crossplane', 'provider-nop'],
      within: 90_000,
      // Where no pass is to be seen, 2 min make an object home for good: what leaves before has been away since its birth.
      act: inTurn(untilNoted('locked made', 150_000), notes('locked out'), manages('Observe')),
      checks: [
        ...locked.map((name) => says(managed(name), { verdict: 'diverged', reason: 'ReconcileError', away: true })),
        isOneIncident(lockedOut),
      ],
    },
    {
      name: 'they may again: the incident is over with the last of them',
      needs: ['crossplane', 'provider-nop'],
      within: 180_000,
      act: manages('*'),
      checks: [
        ...locked.map((name) => says(managed(name), { verdict: 'converged', rootCause: null })),
        isOver(lockedOut, ['converged'], seenHome(...locked.map(managed))),
      ],
    },
  ],
};
