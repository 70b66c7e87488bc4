import { expect, it } from 'vitest';
import { clusterAccess, inheritedEnvironment, kubectlPlugins } from './child-environment.ts';

const own = {
  PATH: '/bin',
  HOME: '/root',
  LC_TIME: 'fr_FR.UTF-8',
  KUBECONFIG: '/root/.kube/config',
  https_proxy: 'http://user:word@proxy:3128',
  AWS_SECRET_ACCESS_KEY: 'x',
  GITHUB_TOKEN: 'x',
  npm_config_authToken: 'x',
  PLUMBLINE_SETTINGS: '{}',
  LD_PRELOAD: '/tmp/x.so',
  NOTHING: undefined,
};

it.each<[string, readonly string[], readonly string[]]>([
  ['a child by itself', [], ['PATH', 'HOME', 'LC_TIME', 'LD_PRELOAD']],
  ['one that reads clusters', clusterAccess, ['PATH', 'HOME', 'LC_TIME', 'LD_PRELOAD', 'KUBECONFIG']],
  [
    'one that runs the plugins of kubectl',
    [...clusterAccess, ...kubectlPlugins],
    ['PATH', 'HOME', 'LC_TIME', 'LD_PRELOAD', 'KUBECONFIG', 'https_proxy', 'AWS_SECRET_ACCESS_KEY'],
  ],
])('%s gets what is on the list, and nothing else', (_who, inherits, names) => {
  expect(Object.keys(inheritedEnvironment(own, inherits)).toSorted()).toEqual([...names].toSorted());
});
