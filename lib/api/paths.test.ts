import { expect, it } from 'vitest';
import {
  changesPath,
  clusterPath,
  correctionsPath,
  exemptionsPath,
  historyPath,
  incidentsPath,
  listPath,
  objectPath,
  pathAt,
  refFromSegments,
  refParams,
  reportsPath,
} from './paths.ts';

const ref = { cluster: 'c 1', group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'a/b' };
const core = { ...ref, group: '', namespace: '' };

it.each([
  [clusterPath('c/1'), '/clusters/c%2F1'],
  [clusterPath(''), '/clusters/-'],
  [objectPath(ref), '/clusters/c%201/apps/Deployment/shop/a%2Fb'],
  [objectPath(core), '/clusters/c%201/-/Deployment/-/a%2Fb'],
  [listPath({}), '/objects'],
  [listPath({ kind: 'Bucket', q: 'a b' }), '/objects?kind=Bucket&q=a+b'],
  [exemptionsPath(), '/exemptions'],
  [exemptionsPath({ tab: 'conflicts' }), '/exemptions?tab=conflicts'],
  [changesPath({ from: '2026-11-21T02:12:20Z', cluster: 'c1' }), '/changes?from=2026-11-21T02:12:20Z&cluster=c1'],
  [historyPath({ cluster: 'c1' }), '/history?cluster=c1'],
  [incidentsPath(), '/incidents'],
  [incidentsPath({ open: 'true' }), '/incidents?open=true'],
  [correctionsPath(), '/corrections'],
  [correctionsPath({ certainty: 'confirmed' }), '/corrections?certainty=confirmed'],
  [reportsPath(), '/reports'],
  [
    reportsPath({ from: '2026-11-21T02:12Z', cluster: 'c1,c2' }, '/spans'),
    '/reports/spans?from=2026-11-21T02:12Z&cluster=c1,c2',
  ],
])('%s', (path, expected) => {
  expect(path).toBe(expected);
});

it.each([ref, core])('an object is found again by the segments of its path', (of) => {
  const [, , cluster = '', group = '', kind = '', namespace = '', name = ''] = objectPath(of).split('/');
  expect(refFromSegments({ cluster, group, kind, namespace, name })).toEqual(of);
  expect(refParams(of)).toEqual({ ...of, group: of.group || '-', namespace: of.namespace || '-' });
});

const moment = '2026-11-21T02:12:20Z';
it.each([
  ['/', `/?at=${moment}`],
  ['/?q=a', `/?q=a&at=${moment}`],
  ['/objects', `/objects?at=${moment}`],
  ['/objects?q=a#row', `/objects?q=a&at=${moment}#row`],
  ['/clusters/c1#feeds', `/clusters/c1?at=${moment}#feeds`],
  ['/reports', '/reports'],
  ['/objectsX', '/objectsX'],
])('%s at a past moment is %s', (path, expected) => {
  expect([pathAt(path, moment), pathAt(path, null)]).toEqual([expected, path]);
});
