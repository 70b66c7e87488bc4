import { listAt } from '#lib/foreign.ts';
import { gitRepository } from '../../fixtures/manifests.ts';
import { installReadOnlyRole } from '../../harness/install.ts';
import { gitRepositoryAt, inTurn, kills, notes, removes, revives, untilNoted } from '../deeds.ts';
import { clusterIs, feedIs, nothingGreenOn } from '../checks/places.ts';
import { began, noted } from '../checks/began.ts';
import { type Expected, isOneIncident, isOver, only } from '../checks/incidents.ts';
import { oneCause } from '../checks/lists.ts';
import { isGone, says } from '../checks/says.ts';
import type { Chapter, Check, Stage } from '../situation.ts';
import { gitRepositoryOf, kustomizationOf } from '../subjects.ts';

const betas = [kustomizationOf('beta', 'base'), kustomizationOf('beta', 'ledger')];

const betaControllers = ['source-controller-beta', 'kustomize-controller-beta', 'kustomize-controller-shard1-beta'];

const recovered: readonly Check[] = [
  clusterIs('beta', ['live']),
  ...betas.map((subject) => says(subject, { verdict: 'converged', rootCause: null })),
  says(gitRepositoryOf('beta', 'control'), { verdict: 'converged' }),
];

const lost: readonly Check[] = [
  ...betas.map((subject) =>
    says(subject, { verdict: 'unobserved', was: 'converged', rootCause: 'beta', away: true, guarantee: 'unknown' }),
  ),
  nothingGreenOn('beta'),
];

/** Time in which credentials that are mended are taken up, at most: two attempts (ms). */
const takenUp = 25_000;

const betaLost: Expected = {
  title: 'cluster beta lost',
  cause: 'cluster beta',
  since: 'beta killed',
  began: noted('beta killed'),
  members: only('beta'),
};

/** Stops beta for good and starts it again: its token file and its permissions are read anew. */
async function restartBeta(stage: Stage): Promise<void> {
  await stage.bed.beta.process.kill();
  stage.bed.beta.process.start();
  await stage.bed.beta.ready();
}

async function takeRuleAway(stage: Stage): Promise<void> {
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'plumbline' };
  const all = listAt(await stage.bed.beta.admin.read(role), 'rules');
  const rules = all.filter((rule) => !listAt(rule, 'apiGroups').includes('kustomize.toolkit.fluxcd.io'));
  if (rules.length !== all.length - 1) throw new Error('the role has not one rule for Kustomizations');
  await stage.bed.beta.admin.merge(role, { rules });
  // An open watch is not asked again for its permission: only a new one is.
  await restartBeta(stage);
}

/** A source of beta that nothing else depends on. */
function offersOnBeta(name: string): (stage: Stage) => Promise<void> {
  return ({ bed }) => bed.beta.admin.apply(gitRepository(name, bed.gitUrl('control')));
}

/** The controllers of beta, and its API server, at once: as when a whole control plane goes. */
async function killAllOfBeta(stage: Stage): Promise<void> {
  await Promise.all([stage.bed.beta.process.kill(), kills(...betaControllers)(stage)]);
  await notes('all of beta killed')(stage);
}

async function startServer(stage: Stage): Promise<void> {
  await untilNoted('all of beta killed', 59_000)(stage);
  stage.bed.beta.process.start();
  await stage.bed.beta.ready();
}

/** A cluster hangs, is lost, and takes rights away. */
export const clusters: Chapter = {
  name: 'clusters',
  title: 'A cluster is lost',
  situations: [
    {
      name: 'an object that will be gone when the cluster is seen again',
      within: 90_000,
      act: offersOnBeta('leaves'),
      checks: [says(gitRepositoryOf('beta', 'leaves'), { verdict: 'converged' })],
    },
    {
      name: 'an API server is killed',
      within: 60_000,
      async act(stage) {
        await stage.bed.beta.process.kill();
        await notes('beta killed')(stage);
      },
      checks: [
        clusterIs('beta', ['unreachable']),
        ...lost,
        began(kustomizationOf('beta', 'base'), noted('beta killed')),
        oneCause('beta', 5),
        isOneIncident(betaLost),
      ],
      never: [{ subject: gitRepositoryOf('alpha', 'control'), verdicts: ['unobserved'] }],
    },
    {
      name: "it comes back, and Plumbline's token is revoked; meanwhile an object goes and another comes",
      within: 90_000,
      async act(stage) {
        await stage.bed.beta.revokeToken();
        await restartBeta(stage);
        await removes('beta', gitRepositoryAt('leaves'))(stage);
        await offersOnBeta('comes')(stage);
      },
      checks: [clusterIs('beta', ['unauthorized']), ...lost, isOneIncident(betaLost)],
      never: betas.map((subject) => ({ subject, verdicts: ['converged'] as const })),
    },
    {
      name: 'the new token is put into the token file: no restart is needed',
      within: 180_000,
      act: inTurn(notes('token delivered'), (stage) => stage.bed.beta.deliverToken()),
      checks: [
        ...recovered,
        isGone(gitRepositoryOf('beta', 'leaves')),
        says(gitRepositoryOf('beta', 'comes'), { verdict: 'converged', rootCause: null }),
        isOver(betaLost, ['seen'], noted('token delivered'), takenUp),
      ],
    },
    {
      name: 'an API server hangs (SIGSTOP)',
      within: 120_000,
      async act(stage) {
        stage.bed.beta.process.signal('SIGSTOP');
      },
      checks: [clusterIs('beta', ['unreachable', 'unobserved']), ...lost],
      never: [{ subject: gitRepositoryOf('alpha', 'control'), verdicts: ['unobserved'] }],
    },
    {
      name: 'the API server goes on (SIGCONT)',
      within: 180_000,
      async act(stage) {
        stage.bed.beta.process.signal('SIGCONT');
      },
      checks: recovered,
    },
    {
      name: 'an API server and all its controllers are killed together',
      within: 60_000,
      act: killAllOfBeta,
      checks: [clusterIs('beta', ['unreachable']), ...lost],
    },
    {
      name: 'the API server comes back after 59 s, its controllers do not: nothing on it is green, not for a moment',
      within: 240_000,
      act: startServer,
      checks: [
        clusterIs('beta', ['live']),
        ...betas.map((subject) => says(subject, { verdict: 'stale', was: 'converged', away: true })),
        says(gitRepositoryOf('beta', 'control'), { verdict: 'stale', rootCause: 'source-controller' }),
      ],
      never: [...betas, gitRepositoryOf('beta', 'control')].map((subject) => ({
        subject,
        verdicts: ['converged'] as const,
      })),
    },
    {
      name: 'its controllers come back too',
      within: 180_000,
      act: revives(...betaControllers),
      checks: recovered,
    },
    {
      name: 'the rule for Kustomizations is taken away',
      within: 150_000,
      act: takeRuleAway,
      checks: [
        clusterIs('beta', ['live']),
        feedIs('beta', 'Kustomization', 'forbidden'),
        ...betas.map((subject) =>
          says(subject, { verdict: 'unobserved', was: 'converged', rootCause: 'Kustomization', away: true }),
        ),
        says(gitRepositoryOf('beta', 'control'), { verdict: 'converged' }),
      ],
    },
    {
      name: 'the rule is given back',
      within: 180_000,
      act: (stage) => installReadOnlyRole(stage.bed.beta),
      checks: [feedIs('beta', 'Kustomization', 'live'), ...recovered],
    },
  ],
};
