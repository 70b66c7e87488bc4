import { configMapFile, kustomizationFile } from '../fixtures/control-files.ts';
import { gitRepository, nopResource, widget, widgetDefinition } from '../fixtures/manifests.ts';
import { conditionOf } from '../harness/witness.ts';
import { gitRepositoryOf, inApps, kustomizationOf, noteOf, type Situation } from './situation.ts';
import { says } from './says.ts';

const kustomizations = {
  apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
  kind: 'Kustomization',
  namespace: 'flux-system',
} as const;
const sources = { apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'GitRepository', namespace: 'flux-system' } as const;
const bystanders = ['base', 'ledger', 'prune-off'].map((name) => ({
  subject: kustomizationOf('alpha', name),
  verdicts: 'all but converged' as const,
}));

/** What happens in a day: commits, mistakes, hands on the cluster. */
export const changes: readonly Situation[] = [
  {
    name: 'a source breaks under an applier that is Ready',
    expected: 'source diverged; the applier converged for now',
    within: 60_000,
    async act(stage) {
      stage.notes.set('source broken at', String(Date.now()));
      await stage.bed.alpha.admin.apply(gitRepository('other', stage.bed.gitUrl('gone.git')));
    },
    looks: [
      says(gitRepositoryOf('alpha', 'other'), { verdict: 'diverged', reason: 'GitOperationFailed', away: true }),
      says(kustomizationOf('alpha', 'on-other'), { verdict: 'converged', commit: (stage) => stage.first.other }),
    ],
    never: [{ subject: kustomizationOf('alpha', 'on-other'), verdicts: 'all but converged' }],
    onset: {
      subject: gitRepositoryOf('alpha', 'other'),
      shownBy: (object) => conditionOf(object, 'Ready').startsWith('False'),
    },
  },
  {
    name: 'a managed resource that was ready fails its health',
    expected: 'unconfirmed at first, then unhealthy',
    needs: ['provider-nop'],
    within: 120_000,
    act: (stage) =>
      stage.bed.alpha.admin.apply(
        nopResource('mr-sick', [
          { after: 2, status: 'True' },
          { after: 25, status: 'False' },
        ]),
      ),
    looks: [says(inApps('NopResource', 'mr-sick'), { verdict: 'unhealthy', away: true })],
    never: [{ subject: inApps('NopResource', 'mr-sick'), verdicts: ['converged', 'diverged', 'stale'] }],
    onset: {
      subject: inApps('NopResource', 'mr-sick'),
      shownBy: (object) => conditionOf(object, 'Ready').startsWith('False'),
    },
  },
  {
    name: 'a commit rolls out',
    expected: 'converged at the new commit, never anything else',
    within: 90_000,
    async act(stage) {
      const sha = await stage.bed.control.commit('Raise the value of rolling', {
        'clusters/production/rolling/configmap.yaml': configMapFile('rolling', 'second'),
      });
      stage.notes.set('rolled', sha);
    },
    looks: [
      says(kustomizationOf('alpha', 'rolling'), {
        verdict: 'converged',
        commit: (stage) => noteOf(stage, 'rolled'),
        applied: (stage) => noteOf(stage, 'rolled'),
        away: false,
      }),
      says(gitRepositoryOf('alpha', 'control'), { verdict: 'converged', commit: (stage) => noteOf(stage, 'rolled') }),
    ],
    never: [{ subject: kustomizationOf('alpha', 'rolling'), verdicts: 'all but converged' }, ...bystanders],
  },
  {
    name: 'a commit breaks a build',
    expected: 'diverged BuildFailed, the last good commit runs; its neighbours roll on',
    within: 90_000,
    async act(stage) {
      const sha = await stage.bed.control.commit('Name a file that is not there', {
        'clusters/production/shop/kustomization.yaml': kustomizationFile('configmap.yaml', 'missing.yaml'),
      });
      stage.notes.set('broke', sha);
    },
    looks: [
      says(kustomizationOf('alpha', 'shop'), {
        verdict: 'diverged',
        reason: 'BuildFailed',
        rootCause: null,
        commit: (stage) => noteOf(stage, 'rolled'),
        applied: (stage) => noteOf(stage, 'rolled'),
        attempted: (stage) => noteOf(stage, 'broke'),
        offered: (stage) => noteOf(stage, 'broke'),
        away: true,
      }),
      says(kustomizationOf('alpha', 'base'), { verdict: 'converged', commit: (stage) => noteOf(stage, 'broke') }),
    ],
    never: bystanders,
    onset: {
      subject: kustomizationOf('alpha', 'shop'),
      shownBy: (object) => conditionOf(object, 'Ready') === 'False BuildFailed',
    },
  },
  {
    name: 'the next commit mends it',
    expected: 'converged at the mending commit, and so is everything else of that source',
    within: 150_000,
    async act(stage) {
      const sha = await stage.bed.control.commit('Name only files that are there', {
        'clusters/production/shop/kustomization.yaml': kustomizationFile('configmap.yaml'),
      });
      stage.notes.set('mended', sha);
    },
    looks: ['shop', 'base', 'drifty'].map((name) =>
      says(kustomizationOf('alpha', name), {
        verdict: 'converged',
        commit: (stage) => noteOf(stage, 'mended'),
        away: false,
      }),
    ),
    never: bystanders,
  },
  {
    name: 'a commit breaks what delivers another Kustomization',
    expected: 'deliverer diverged; the delivered one unconfirmed, the deliverer is the root cause',
    within: 90_000,
    act: async (stage) => {
      await stage.bed.control.commit('Break the tenants', {
        'clusters/production/tenants/kustomization.yaml': kustomizationFile('tenant-a.yaml', 'missing.yaml'),
      });
    },
    looks: [
      says(kustomizationOf('alpha', 'tenants'), { verdict: 'diverged', reason: 'BuildFailed' }),
      says(kustomizationOf('alpha', 'tenant-a'), { verdict: 'unconfirmed', rootCause: 'Kustomization/tenants' }),
    ],
    never: [
      { subject: kustomizationOf('alpha', 'tenant-a'), verdicts: ['diverged', 'unhealthy', 'stale', 'unobserved'] },
      ...bystanders,
    ],
  },
  {
    name: 'the tenants are mended',
    expected: 'both converged, and so is everything else of that source',
    within: 90_000,
    async act(stage) {
      const sha = await stage.bed.control.commit('Mend the tenants', {
        'clusters/production/tenants/kustomization.yaml': kustomizationFile('tenant-a.yaml'),
      });
      stage.notes.set('tenants mended', sha);
    },
    looks: ['tenants', 'tenant-a', 'drifty', 'base'].map((name) =>
      says(kustomizationOf('alpha', name), {
        verdict: 'converged',
        rootCause: null,
        commit: (stage) => noteOf(stage, 'tenants mended'),
      }),
    ),
    never: bystanders,
  },
  {
    name: 'a hand edit that the kustomize-controller undoes',
    expected: 'converged throughout, drift corrected',
    within: 90_000,
    async act(stage) {
      await stage.bed.kubectl(stage.bed.alpha, [
        '-n',
        'apps',
        'patch',
        'configmap',
        'drifty',
        '--type=merge',
        '-p',
        '{"data":{"value":"by hand"}}',
      ]);
    },
    looks: [says(kustomizationOf('alpha', 'drifty'), { verdict: 'converged', drift: 'corrected' })],
    never: [{ subject: kustomizationOf('alpha', 'drifty'), verdicts: 'all but converged' }],
  },
  {
    name: 'suspended while converged',
    expected: 'suspended, was converged; the guarantee is off',
    within: 30_000,
    act: (stage) => stage.bed.alpha.admin.merge({ ...kustomizations, name: 'ledger' }, { spec: { suspend: true } }),
    looks: [
      says(kustomizationOf('alpha', 'ledger'), {
        verdict: 'suspended',
        was: 'converged',
        exemption: 'suspended',
        guarantee: 'off',
      }),
    ],
    onset: { subject: kustomizationOf('alpha', 'ledger'), shownBy: () => true },
  },
  {
    name: 'suspended while failing',
    expected: 'suspended, was diverged',
    within: 30_000,
    act: (stage) => stage.bed.alpha.admin.merge({ ...kustomizations, name: 'no-path' }, { spec: { suspend: true } }),
    looks: [
      says(kustomizationOf('alpha', 'no-path'), { verdict: 'suspended', was: 'diverged', exemption: 'suspended' }),
    ],
  },
  {
    name: 'resumed',
    expected: 'converged again',
    within: 60_000,
    act: (stage) => stage.bed.alpha.admin.merge({ ...kustomizations, name: 'ledger' }, { spec: { suspend: false } }),
    looks: [says(kustomizationOf('alpha', 'ledger'), { verdict: 'converged', rootCause: null })],
    never: [
      {
        subject: kustomizationOf('alpha', 'ledger'),
        verdicts: ['diverged', 'unhealthy', 'drifted', 'stale', 'unobserved'],
      },
    ],
  },
  {
    name: 'hand edits in three releases: drift detection off, warn and enabled',
    expected: 'not measured; drifted; converged with a correction',
    needs: ['helm-controller'],
    within: 120_000,
    async act(stage) {
      for (const name of ['hr-plain', 'hr-warn', 'hr-fix']) {
        await stage.bed.kubectl(stage.bed.alpha, [
          '-n',
          'apps',
          'patch',
          'configmap',
          name,
          '--type=merge',
          '-p',
          '{"data":{"value":"by hand"}}',
        ]);
      }
    },
    looks: [
      says(inApps('HelmRelease', 'hr-plain'), { verdict: 'converged', drift: 'not-measured' }),
      says(inApps('HelmRelease', 'hr-warn'), { verdict: 'drifted', drift: 'found', away: true }),
      says(inApps('HelmRelease', 'hr-fix'), { verdict: 'converged', drift: 'corrected' }),
    ],
    never: [
      { subject: inApps('HelmRelease', 'hr-plain'), verdicts: 'all but converged' },
      { subject: inApps('HelmRelease', 'hr-fix'), verdicts: 'all but converged' },
    ],
    onset: {
      subject: inApps('HelmRelease', 'hr-warn'),
      shownBy: (object) => conditionOf(object, 'Drifted').startsWith('True'),
    },
  },
  {
    name: 'a managed resource is paused',
    expected: 'suspended, was unconfirmed',
    needs: ['provider-nop'],
    within: 30_000,
    act: (stage) =>
      stage.bed.alpha.admin.merge(
        { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', namespace: 'apps', name: 'mr-good' },
        { metadata: { annotations: { 'crossplane.io/paused': 'true' } } },
      ),
    looks: [says(inApps('NopResource', 'mr-good'), { verdict: 'suspended', was: 'unconfirmed', guarantee: 'off' })],
  },
  {
    name: 'a new kind appears, and a composite of it that no Composition fits',
    expected: 'diverged ReconcileError',
    needs: ['crossplane'],
    within: 240_000,
    async act(stage) {
      await stage.bed.alpha.admin.apply(widgetDefinition);
      await stage.bed.alpha.admin.apply(widget);
    },
    looks: [
      says(inApps('Widget', 'lonely'), {
        verdict: 'diverged',
        reason: 'ReconcileError',
        mentions: 'cannot select Composition',
      }),
    ],
  },
  {
    name: 'a Kustomization is deleted',
    expected: 'it is not shown any more',
    within: 60_000,
    act: (stage) => stage.bed.alpha.admin.remove({ ...kustomizations, name: 'doomed' }),
    looks: [
      async (stage) => {
        const found = await stage.plumbline.object(kustomizationOf('alpha', 'doomed'));
        return found === null ? [] : [`doomed is still shown, as ${found.verdict}`];
      },
    ],
  },
  {
    name: 'a source is suspended',
    expected: 'source suspended; its appliers unconfirmed, the source is the root cause',
    within: 60_000,
    act: (stage) => stage.bed.beta.admin.merge({ ...sources, name: 'control' }, { spec: { suspend: true } }),
    looks: [
      says(gitRepositoryOf('beta', 'control'), { verdict: 'suspended', was: 'converged' }),
      says(kustomizationOf('beta', 'base'), { verdict: 'unconfirmed', rootCause: 'GitRepository/control' }),
    ],
    never: [{ subject: kustomizationOf('alpha', 'base'), verdicts: 'all but converged' }],
  },
  {
    name: 'the source is resumed',
    expected: 'converged again',
    within: 60_000,
    act: (stage) => stage.bed.beta.admin.merge({ ...sources, name: 'control' }, { spec: { suspend: false } }),
    looks: [
      says(gitRepositoryOf('beta', 'control'), { verdict: 'converged' }),
      says(kustomizationOf('beta', 'base'), { verdict: 'converged', rootCause: null }),
    ],
  },
];
