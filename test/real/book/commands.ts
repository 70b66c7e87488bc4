import { type CommandResult, parseCheck } from '../harness/plumbline.ts';
import type { Look, Situation } from './situation.ts';

function exits(result: CommandResult, code: number): readonly string[] {
  if (result.code === code) return [];
  return [`it ended with ${result.code}, not ${code}: ${result.stderr.trim().split('\n').slice(-2).join(' | ')}`];
}

const readsAndNothingElse: Look = async (stage) => {
  const eyes = stage.bed.alpha.plumbline();
  const kustomization = '/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/flux-system/kustomizations/base';
  const patch = JSON.stringify({ metadata: { annotations: { touched: 'yes' } } });
  const wanted: readonly (readonly [string, number, Promise<{ readonly status: number }>])[] = [
    ['read a Kustomization', 200, eyes.get(kustomization)],
    ['list leases', 200, eyes.get('/apis/coordination.k8s.io/v1/namespaces/flux-system/leases')],
    ['read a Secret', 403, eyes.get('/api/v1/namespaces/flux-system/secrets/any')],
    ['list Secrets', 403, eyes.get('/api/v1/secrets')],
    ['list ConfigMaps', 403, eyes.get('/api/v1/configmaps')],
    ['patch a Kustomization', 403, eyes.send('PATCH', kustomization, 'application/merge-patch+json', patch)],
    ['delete a Kustomization', 403, eyes.send('DELETE', kustomization, '', '')],
  ];
  const wrong: string[] = [];
  for (const [what, status, asked] of wanted) {
    const answer = await asked;
    if (answer.status !== status) wrong.push(`to ${what} gives ${answer.status}, not ${status}`);
  }
  return wrong;
};

/** One-shot commands and the role that is shipped. */
export const commands: readonly Situation[] = [
  {
    name: 'the shipped ClusterRole',
    expected: 'reads what is judged, no Secret, changes nothing',
    within: 10_000,
    looks: [readsAndNothingElse],
  },
  {
    name: 'plumbline check over both clusters',
    expected: 'exit 1, one JSON object for each object, verdicts as in the observatory',
    within: 120_000,
    looks: [
      async (stage) => {
        const result = await stage.plumbline.run('check', '--config', stage.plumbline.config, '--output', 'json');
        const wrong = [...exits(result, 1)];
        const checked = parseCheck(result.stdout);
        for (const [name, verdict] of [
          ['unknown-kind', 'diverged'],
          ['never-ready', 'unhealthy'],
          ['edge', 'waiting'],
          ['base', 'converged'],
        ] as const) {
          const found = checked.find(
            (one) => one.cluster === 'alpha' && one.kind === 'Kustomization' && one.name === name,
          );
          if (found?.verdict !== verdict)
            wrong.push(`check says of ${name}: ${found?.verdict ?? 'nothing'}, not ${verdict}`);
        }
        return wrong;
      },
    ],
  },
  {
    name: 'plumbline check over a cluster that is well',
    expected: 'exit 0 or 2 (one look cannot confirm a lease), nothing worse than unconfirmed',
    within: 60_000,
    looks: [
      async (stage) => {
        const config = await stage.plumbline.configure('only-beta', ['beta']);
        const result = await stage.plumbline.run('check', '--config', config, '--output', 'json');
        const worse = parseCheck(result.stdout).filter(
          (one) => one.verdict !== 'converged' && one.verdict !== 'unconfirmed',
        );
        return [
          ...worse.map((one) => `${one.kind}/${one.name} is ${one.verdict}`),
          ...(result.code === 0 || result.code === 2 ? [] : exits(result, 0)),
        ];
      },
    ],
  },
  {
    name: 'plumbline check, wrongly used',
    expected: 'exit 64 for an unknown option, 78 for a configuration that is not there',
    within: 30_000,
    looks: [
      async (stage) => exits(await stage.plumbline.run('check', '--no-such-option'), 64),
      async (stage) => exits(await stage.plumbline.run('check', '--config', '/nowhere/plumbline.yaml'), 78),
    ],
  },
];
