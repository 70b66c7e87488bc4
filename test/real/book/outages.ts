import { configMapFile } from '../fixtures/control-files.ts';
import { installReadOnlyRole } from '../harness/install.ts';
import { gitRepositoryOf, kustomizationOf, type Look, noteOf, type Situation } from './situation.ts';
import { says } from './says.ts';

const betaKustomizations = [kustomizationOf('beta', 'base'), kustomizationOf('beta', 'ledger')];

/** The state of a cluster as its page says it. */
function clusterIs(name: string, states: readonly string[]): Look {
  return async (stage) => {
    const cluster = await stage.plumbline.cluster(name);
    if (cluster === null) return [`the API knows no cluster ${name}`];
    return states.includes(cluster.state)
      ? []
      : [`cluster ${name} is ${cluster.state} (${cluster.reason}), not ${states.join(' or ')}`];
  };
}

/** The state of one feed of a cluster. */
function feedIs(name: string, kind: string, state: string): Look {
  return async (stage) => {
    const feed = (await stage.plumbline.cluster(name))?.feeds.find((one) => one.kind === kind);
    if (feed === undefined) return [`${name} has no feed of ${kind}`];
    return feed.state === state
      ? []
      : [`the feed of ${kind} on ${name} is ${feed.state} (${feed.reason}), not ${state}`];
  };
}

/** The state of one controller of a cluster. */
function controllerIs(name: string, controller: string, state: string): Look {
  return async (stage) => {
    const found = (await stage.plumbline.cluster(name))?.controllers.find((one) => one.name === controller);
    if (found === undefined) return [`${name} has no controller ${controller}`];
    return found.state === state ? [] : [`${controller} on ${name} is ${found.state}, not ${state}`];
  };
}

/** Nothing of a cluster is shown as good. */
const nothingGreenOnBeta: Look = async (stage) => {
  const good = (await stage.plumbline.objects()).filter(
    (object) => object.cluster === 'beta' && object.verdict === 'converged',
  );
  return good.map((object) => `beta/${object.kind}/${object.name} is still converged`);
};

const recoveredBeta: readonly Look[] = [
  clusterIs('beta', ['live']),
  ...betaKustomizations.map((subject) => says(subject, { verdict: 'converged' as const, rootCause: null })),
  says(gitRepositoryOf('beta', 'control'), { verdict: 'converged' }),
];

const lostBeta: readonly Look[] = [
  clusterIs('beta', ['unreachable', 'unauthorized', 'unobserved']),
  ...betaKustomizations.map((subject) =>
    says(subject, {
      verdict: 'unobserved' as const,
      was: 'converged' as const,
      rootCause: 'beta',
      away: true,
    }),
  ),
  nothingGreenOnBeta,
];

/** Controllers die, clusters hang, permissions and tokens go. */
export const outages: readonly Situation[] = [
  {
    name: 'the kustomize-controller is killed, and a commit arrives',
    expected: 'its Kustomizations stale with the controller as root cause; sources and the other cluster not',
    within: 120_000,
    async act(stage) {
      await stage.bed.controller('kustomize-controller-alpha').kill();
      const sha = await stage.bed.control.commit('Commit while nobody applies', {
        'clusters/production/rolling/configmap.yaml': configMapFile('rolling', 'third'),
      });
      stage.notes.set('unattended', sha);
    },
    looks: [
      controllerIs('alpha', 'kustomize-controller', 'dead'),
      ...['base', 'ledger', 'rolling', 'prune-off'].map((name) =>
        says(kustomizationOf('alpha', name), {
          verdict: 'stale',
          was: 'converged',
          rootCause: 'kustomize-controller',
          away: true,
        }),
      ),
      says(gitRepositoryOf('alpha', 'control'), {
        verdict: 'converged',
        commit: (stage) => noteOf(stage, 'unattended'),
      }),
      says(kustomizationOf('beta', 'base'), { verdict: 'converged' }),
    ],
    never: [
      { subject: gitRepositoryOf('alpha', 'control'), verdicts: 'all but converged' },
      { subject: kustomizationOf('beta', 'base'), verdicts: 'all but converged' },
    ],
  },
  {
    name: 'the kustomize-controller is back',
    expected: 'converged at the commit that had arrived meanwhile',
    within: 150_000,
    async act(stage) {
      stage.bed.controller('kustomize-controller-alpha').start();
    },
    looks: [
      controllerIs('alpha', 'kustomize-controller', 'alive'),
      ...['base', 'rolling'].map((name) =>
        says(kustomizationOf('alpha', name), {
          verdict: 'converged',
          rootCause: null,
          commit: (stage) => noteOf(stage, 'unattended'),
        }),
      ),
    ],
  },
  {
    name: 'an API server hangs (SIGSTOP)',
    expected: 'unobserved, nothing of it green; the other cluster not touched',
    within: 120_000,
    async act(stage) {
      stage.bed.beta.process.signal('SIGSTOP');
    },
    looks: [...lostBeta, says(kustomizationOf('alpha', 'base'), { verdict: 'converged' })],
    never: [{ subject: kustomizationOf('alpha', 'base'), verdicts: 'all but converged' }],
  },
  {
    name: 'it goes on (SIGCONT)',
    expected: 'converged again',
    within: 180_000,
    async act(stage) {
      stage.bed.beta.process.signal('SIGCONT');
    },
    looks: recoveredBeta,
  },
  {
    name: 'an API server is killed',
    expected: 'cluster unreachable, its objects unobserved',
    within: 60_000,
    async act(stage) {
      await stage.bed.beta.process.kill();
    },
    looks: [clusterIs('beta', ['unreachable']), ...lostBeta],
  },
  {
    name: "it comes back, and Plumbline's token is revoked",
    expected: 'cluster unauthorized, its objects unobserved',
    within: 90_000,
    async act(stage) {
      await stage.bed.beta.revokeToken();
      stage.bed.beta.process.start();
      await stage.bed.beta.ready();
    },
    looks: [clusterIs('beta', ['unauthorized']), ...lostBeta],
    never: betaKustomizations.map((subject) => ({ subject, verdicts: ['converged'] as const })),
  },
  {
    name: 'the new token is put into the token file',
    expected: 'observed again, without a restart',
    within: 180_000,
    act: (stage) => stage.bed.beta.deliverToken(),
    looks: recoveredBeta,
  },
  {
    name: 'the rule for Kustomizations is taken away',
    expected: 'feed forbidden, Kustomizations unobserved; GitRepositories still seen',
    within: 150_000,
    async act(stage) {
      const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles/plumbline';
      const patch = JSON.stringify([{ op: 'remove', path: '/rules/0' }]);
      const answer = await stage.bed.beta.admin.send('PATCH', path, 'application/json-patch+json', patch);
      if (answer.status !== 200) throw new Error(`the role was not changed: ${answer.status}`);
      // An open watch is not asked again for its permission: only a new one is.
      await stage.bed.beta.process.kill();
      stage.bed.beta.process.start();
      await stage.bed.beta.ready();
    },
    looks: [
      clusterIs('beta', ['live']),
      feedIs('beta', 'Kustomization', 'forbidden'),
      ...betaKustomizations.map((subject) =>
        says(subject, { verdict: 'unobserved' as const, was: 'converged' as const }),
      ),
      says(gitRepositoryOf('beta', 'control'), { verdict: 'converged' }),
    ],
  },
  {
    name: 'the rule is given back',
    expected: 'observed again',
    within: 180_000,
    act: (stage) => installReadOnlyRole(stage.bed.beta),
    looks: [feedIs('beta', 'Kustomization', 'live'), ...recoveredBeta],
  },
  {
    name: 'the broken source has failed for longer than max(3 intervals, 5 min)',
    expected: 'its applier stale, the source is the root cause',
    within: 400_000,
    looks: [
      says(kustomizationOf('alpha', 'on-other'), {
        verdict: 'stale',
        was: 'converged',
        rootCause: 'GitRepository/other',
        commit: (stage) => stage.first.other,
        away: true,
      }),
    ],
    never: [{ subject: kustomizationOf('alpha', 'on-other'), verdicts: ['diverged', 'unobserved', 'drifted'] }],
  },
];
