import { expect, it } from 'vitest';
import { inheritedEnvironment } from '../../supervisor/child-environment.ts';
import { fleetPrograms } from './run-fleet.ts';

const settings = {
  dataDirectory: '/var/lib/plumbline',
  host: '127.0.0.1',
  port: 3000,
  collectorPort: null,
  metricsPort: null,
  mode: 'start',
} as const;

const own = {
  PATH: '/bin',
  KUBECONFIG: '/home/me/.kube/config',
  AWS_SECRET_ACCESS_KEY: 'canary',
  SSH_AUTH_SOCK: '/run/agent',
  CANARY: 'canary',
};

it.each([
  ['a file', { type: 'file', path: '/nowhere/plumbline.yaml' }, ['KUBECONFIG', 'PATH']],
  [
    'contexts that a person chose',
    { type: 'contexts', names: ['eu'] },
    ['AWS_SECRET_ACCESS_KEY', 'KUBECONFIG', 'PATH', 'SSH_AUTH_SOCK'],
  ],
] as const)('with %s nothing but the collector gets what clusters are reached by', async (_from, selection, given) => {
  const programs = await fleetPrograms({ ...settings, selection });
  const gets = programs.map(({ name, inherits }) => [
    name,
    Object.keys(inheritedEnvironment(own, inherits)).toSorted(),
  ]);
  expect(gets).toEqual([
    ['collector', given],
    ['web', ['PATH']],
    ['git', ['PATH']],
  ]);
  for (const { environment } of programs)
    expect(Object.keys(environment).toSorted()).toEqual(['NEXT_TELEMETRY_DISABLED', 'PLUMBLINE_SETTINGS']);
});

it.skipIf(process.platform === 'win32')(
  'the pages are held by the permission model, and the collector, which runs plugins, is not',
  async () => {
    const programs = await fleetPrograms({ ...settings, selection: { type: 'contexts', names: ['eu'] } });
    const flags = new Map(programs.map(({ name, nodeFlags }) => [name, nodeFlags]));
    expect(flags.get('collector')).toEqual([]);
    expect(flags.get('web')).toContain('--permission');
    expect(flags.get('web')?.join(' ')).not.toMatch(/--allow-(?:child-process|addons|wasi|fs-(?:read|write)=\*)/);
  },
);
