import { textAt, timeAt } from '#lib/foreign.ts';
import { configMapFile, gadgetFile } from '../../fixtures/control-files.ts';
import { application } from '../../fixtures/manifests.ts';
import { byHand, commits, inTurn, kills, notes, revives, signals, waits } from '../deeds.ts';
import { began, betweenProbes, firstWrite, type Moment, noted, writeThat } from '../checks/began.ts';
import { everyOne, type Expected, isLeftBy, isOneIncident } from '../checks/incidents.ts';
import { controllerIs } from '../checks/places.ts';
import { inConflict, oneCause } from '../checks/lists.ts';
import { says } from '../checks/says.ts';
import type { Chapter, Stage } from '../situation.ts';
import { staysConverged } from '../subjects.ts';

const needs = ['argocd', 'redis-server'] as const;
const controller = 'argocd-application-controller';
const process = `${controller}-beta`;
const of = (name: string) => ({ cluster: 'beta', kind: 'Application', namespace: 'argocd', name });
const healing = { syncPolicy: { automated: { prune: true, selfHeal: true } } };
const automated = { syncPolicy: { automated: { prune: true } } };
const keeping = { syncPolicy: { automated: { selfHeal: true } } };
const well = ['healed', 'paused', 'kept'];

/** Without a comparison: max(3 intervals of 15 s, two of them + 2 min), in ms. */
const passBound = 150_000;
const lastComparison: Moment = {
  words: `${passBound / 1000} s after its last comparison`,
  at(stage, _since, subject) {
    const last = timeAt(stage.witness.last(subject)?.object, 'status', 'reconciledAt');
    return last === null ? null : last + passBound;
  },
};
const outOfSync = writeThat('says OutOfSync', (object) => textAt(object, 'status', 'sync', 'status') === 'OutOfSync');

/** Those that had failed by themselves for long are in it, too, and do not date it. */
const died: Expected = {
  title: `${controller} on beta`,
  cause: `controller ${controller}`,
  since: 'argo killed',
  began: noted('argo killed'),
  tolerance: betweenProbes,
  members: everyOne('beta', 'Application', '/apis/argoproj.io/v1alpha1/applications'),
};

const files = (value: string, ...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`apps/${name}/configmap.yaml`, configMapFile(`argo-${name}`, value)]));
const edits = (name: string) =>
  byHand(
    'beta',
    ...['-n', 'apps', 'patch', 'configmap', `argo-${name}`, '--type=merge', '-p', '{"data":{"value":"by hand"}}'],
  );

async function deploys(stage: Stage): Promise<void> {
  const url = stage.bed.gitUrl('argo');
  const applications = [
    application('healed', url, healing),
    application('paused', url, healing),
    application('kept', url, keeping),
    application('left', url, automated),
    application('by-hand', url, {}),
    application('no-path', url, healing),
    application('no-yaml', url, healing),
    application('unknown-kind', url, healing),
  ];
  for (const manifest of applications) await stage.bed.beta.admin.apply(manifest);
}

async function deploysTwins(stage: Stage): Promise<void> {
  const repoURL = stage.bed.gitUrl('argo');
  const source = { repoURL, path: 'apps/twin', targetRevision: 'main' };
  for (const name of ['twin-a', 'twin-b'])
    await stage.bed.beta.admin.apply(application(name, repoURL, { ...automated, source }));
}

/** Argo CD, which compares every 15 s. */
export const argocd: Chapter = {
  name: 'argocd',
  title: 'Argo CD',
  situations: [
    {
      name: 'Applications are born: some arrive, of one the path is not there, of one the kind is not known',
      needs,
      within: 120_000,
      act: inTurn(
        commits('argo', 'argo first', 'First of Argo CD', {
          ...files('first', ...well, 'left', 'by-hand'),
          'apps/kept/more.yaml': configMapFile('argo-more', 'first'),
          'apps/unknown-kind/gadget.yaml': gadgetFile,
          // Without these three keys Argo CD takes a file that it cannot parse for none of its own.
          'apps/no-yaml/broken.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: [\n',
        }),
        deploys,
      ),
      checks: [
        controllerIs('beta', controller, 'alive'),
        ...[...well, 'left'].map((name) =>
          says(of(name), { verdict: 'converged', confirmation: 'pass', drift: 'none', commit: 'argo first' }),
        ),
        says(of('by-hand'), { verdict: 'drifted', drift: 'found', rootCause: null }),
        says(of('no-path'), { verdict: 'stale', reason: 'ComparisonError', mentions: 'app path does not exist' }),
        says(of('no-yaml'), { verdict: 'stale', reason: 'ComparisonError', rootCause: null }),
        says(of('unknown-kind'), { verdict: 'diverged', reason: 'SyncFailed', mentions: 'Gadget' }),
      ],
      never: [{ subject: of('unknown-kind'), verdicts: ['converged'] }],
    },
    {
      name: 'a hand edit where it heals: undone',
      needs,
      within: 60_000,
      act: edits('healed'),
      checks: [says(of('healed'), { verdict: 'converged', drift: 'corrected', away: false })],
      never: [staysConverged(of('paused'))],
    },
    {
      name: 'a hand edit where it does not heal: drift that is left in place',
      needs,
      within: 60_000,
      act: edits('left'),
      checks: [says(of('left'), { verdict: 'drifted', drift: 'found', away: true }), began(of('left'), outOfSync)],
      never: [staysConverged(of('healed')), staysConverged(of('kept'))],
    },
    {
      name: 'a commit is synced, and overwrites the drift',
      needs,
      within: 120_000,
      act: commits('argo', 'argo second', 'Second of Argo CD', files('second', ...well, 'left')),
      checks: [...well, 'left'].map((name) =>
        says(of(name), { verdict: 'converged', confirmation: 'pass', commit: 'argo second', applied: 'argo second' }),
      ),
      never: [{ subject: of('healed'), verdicts: ['diverged', 'unhealthy', 'drifted', 'stale', 'unobserved'] }],
    },
    {
      name: 'what is removed from git stays, where nothing is pruned',
      needs,
      within: 120_000,
      act: commits('argo', 'argo third', 'Without more', { 'apps/kept/more.yaml': null }),
      checks: [says(of('kept'), { verdict: 'drifted', drift: 'found' })],
      never: [staysConverged(of('healed'))],
    },
    {
      name: 'somebody has an Application skipped',
      needs,
      within: 30_000,
      act: byHand(
        'beta',
        ...['-n', 'argocd', 'annotate', 'application', 'paused'],
        'argocd.argoproj.io/skip-reconcile=true',
      ),
      checks: [says(of('paused'), { verdict: 'suspended', was: 'converged' }), began(of('paused'), firstWrite)],
    },
    {
      name: 'and has it reconciled again',
      needs,
      within: 60_000,
      act: byHand(
        'beta',
        ...['-n', 'argocd', 'annotate', 'application', 'paused'],
        'argocd.argoproj.io/skip-reconcile-',
      ),
      checks: [says(of('paused'), { verdict: 'converged', confirmation: 'pass' })],
    },
    {
      name: 'two Applications have one object',
      needs,
      within: 90_000,
      act: inTurn(
        commits('argo', 'argo twin', 'One object of two', {
          'apps/twin/configmap.yaml': configMapFile('argo-twin', 'first'),
        }),
        deploysTwins,
      ),
      checks: [inConflict('beta', 'shared-resource', 'ConfigMap/argo-twin', ['twin-a', 'twin-b'])],
    },
    {
      name: 'the application-controller hangs, and its pod stays ready',
      needs,
      within: 240_000,
      act: inTurn(signals('SIGSTOP', process), waits(100_000)),
      checks: [
        says(of('healed'), { verdict: 'stale', was: 'converged', reason: 'NoPass', confirmation: 'none', away: true }),
        began(of('healed'), lastComparison),
        says(of('left'), { verdict: 'stale', reason: 'NoPass' }),
      ],
    },
    {
      name: 'it goes on',
      needs,
      within: 120_000,
      act: signals('SIGCONT', process),
      checks: well
        .filter((name) => name !== 'kept')
        .map((name) => says(of(name), { verdict: 'converged', confirmation: 'pass' })),
    },
    {
      name: 'the application-controller dies',
      needs,
      within: 90_000,
      act: inTurn(notes('argo killed'), kills(process)),
      checks: [
        controllerIs('beta', controller, 'dead'),
        says(of('healed'), { verdict: 'stale', was: 'converged', reason: 'ControllerDead', rootCause: controller }),
        began(of('healed'), noted('argo killed'), betweenProbes),
        ...['no-path', 'no-yaml'].map((name) => says(of(name), { verdict: 'stale', rootCause: controller })),
        oneCause(`${controller} on beta`, 3),
        isOneIncident(died),
      ],
    },
    {
      name: 'it is back',
      needs,
      within: 120_000,
      act: revives(process),
      checks: [
        controllerIs('beta', controller, 'alive'),
        says(of('healed'), { verdict: 'converged', confirmation: 'pass', rootCause: null }),
        // They fail by themselves again before anything else happens to the cluster.
        ...['no-path', 'no-yaml'].map((name) =>
          says(of(name), { verdict: 'stale', reason: 'ComparisonError', rootCause: null }),
        ),
        isLeftBy(died),
      ],
    },
  ],
};
