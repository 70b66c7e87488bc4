import { parseCheck } from '../../harness/plumbline.ts';
import type { CommandResult } from '../../harness/serving.ts';
import type { Chapter, Check, Stage } from '../situation.ts';

/** A look that finds everything that is wrong. */
function finds(expects: string, wrong: (stage: Stage) => Promise<readonly string[]>): Check {
  return {
    expects,
    async find(stage) {
      const found = await wrong(stage);
      return { fits: found.length === 0, got: found.join('; ') };
    },
  };
}

function exits(result: CommandResult, codes: readonly number[]): readonly string[] {
  if (codes.includes(result.code)) return [];
  return [`it ended with ${result.code}: ${result.stderr.trim().split('\n').slice(-2).join(' | ')}`];
}

async function beyondReading(stage: Stage): Promise<readonly string[]> {
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
}

const standing = [
  ['unknown-kind', 'diverged'],
  ['never-ready', 'unhealthy'],
  ['edge', 'waiting'],
  ['base', 'converged'],
] as const;

async function checkAll(stage: Stage): Promise<readonly string[]> {
  const result = await stage.plumbline.run('check', '--config', stage.plumbline.config, '--output', 'json');
  const checked = parseCheck(result.stdout);
  const wrong = [...exits(result, [1])];
  for (const [name, verdict] of standing) {
    const found = checked.find((one) => one.cluster === 'alpha' && one.kind === 'Kustomization' && one.name === name);
    if (found?.verdict !== verdict) wrong.push(`it says of ${name}: ${found?.verdict ?? 'nothing'}, not ${verdict}`);
  }
  return wrong;
}

async function checkBeta(stage: Stage): Promise<readonly string[]> {
  const config = await stage.plumbline.configure('only-beta', ['beta']);
  const result = await stage.plumbline.run('check', '--config', config, '--output', 'json');
  const worse = parseCheck(result.stdout).filter((one) => one.verdict !== 'converged' && one.verdict !== 'unconfirmed');
  return [...worse.map((one) => `${one.kind} ${one.name} is ${one.verdict}`), ...exits(result, [0, 2])];
}

/** One-shot commands and the role that is shipped. */
export const commands: Chapter = {
  name: 'commands',
  title: 'Commands, and the role that is shipped',
  situations: [
    {
      name: 'the shipped ClusterRole',
      within: 10_000,
      checks: [finds('reads what is judged, no Secret, changes nothing', beyondReading)],
    },
    {
      name: 'plumbline check over both clusters',
      within: 120_000,
      checks: [
        finds(`exit 1; ${standing.map(([name, verdict]) => `Kustomization ${name} ${verdict}`).join(', ')}`, checkAll),
      ],
    },
    {
      name: 'plumbline check over a cluster that is well',
      within: 60_000,
      checks: [finds('exit 0 or 2 (one look cannot confirm a lease), nothing worse than unconfirmed', checkBeta)],
    },
    {
      name: 'plumbline check, wrongly used',
      within: 30_000,
      checks: [
        finds('exit 64 for an unknown option', async (stage) =>
          exits(await stage.plumbline.run('check', '--no-such-option'), [64]),
        ),
        finds('exit 78 for a configuration that is not there', async (stage) =>
          exits(await stage.plumbline.run('check', '--config', '/nowhere/plumbline.yaml'), [78]),
        ),
      ],
    },
  ],
};
