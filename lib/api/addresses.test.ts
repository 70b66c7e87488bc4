import { expect, it } from 'vitest';
import {
  changesPath,
  clusterPath,
  correctionsPath,
  exemptionsPath,
  goPath,
  historyPath,
  absencesPath,
  incidentPath,
  incidentsPath,
  listPath,
  objectPath,
  pathAt,
  refFromSegments,
  refParams,
  reportsPath,
} from './paths.ts';
import { verdicts } from '../domain/verdict/verdict.ts';
import { unreadParams } from './page-params.ts';
import { FleetView } from './fleet.ts';
import { clusterMatcher, scopeLabel, scopeNames, scopeOf, scopeParams, scopeWords, wholeFleet } from './scope.ts';
import { notThereAnswer, notThereSentence, type WireNotThere } from './refusals/not-there.ts';

const ref = { cluster: 'c 1', group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'a:b' };
const core = { ...ref, group: '', namespace: '' };

it.each([
  [clusterPath('c/1'), '/clusters/c%2F1'],
  [clusterPath(''), '/clusters/-'],
  [objectPath(ref), '/clusters/c%201/apps/Deployment/shop/a%3Ab'],
  [objectPath(core), '/clusters/c%201/-/Deployment/-/a%3Ab'],
  [objectPath({ ...ref, name: '..' }), '/clusters/c%201#apps/Deployment/shop/..'],
  [objectPath({ ...core, name: 'a/b' }), '/clusters/c%201#-/Deployment/-/a%2Fb'],
  [listPath({}), '/objects'],
  [listPath({ kind: 'Bucket', q: 'a b' }), '/objects?kind=Bucket&q=a+b'],
  [exemptionsPath(), '/exemptions'],
  [exemptionsPath({ tab: 'conflicts' }), '/exemptions?tab=conflicts'],
  [changesPath({ from: '2026-11-21T02:12:20Z', cluster: 'c1' }), '/changes?from=2026-11-21T02:12:20Z&cluster=c1'],
  [historyPath({ cluster: 'c1' }), '/history?cluster=c1'],
  [incidentsPath(), '/incidents'],
  [incidentsPath({ cause: 'cluster' }), '/incidents?cause=cluster'],
  [incidentPath('abcdefgh0001'), '/incidents/abcdefgh0001'],
  [incidentPath('a/b'), '/incidents/a%2Fb'],
  [absencesPath(), '/absences'],
  [absencesPath({ open: 'true' }), '/absences?open=true'],
  [goPath(), '/go'],
  [goPath({ name: 'a b&c', at: '2026-11-21T02:12:20Z' }), '/go?name=a+b%26c&at=2026-11-21T02:12:20Z'],
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
  ['/incidents', `/incidents?at=${moment}`],
  ['/incidents?open=true', `/incidents?open=true&at=${moment}`],
  ['/incidents/a', `/incidents/a?at=${moment}`],
  ['/commits', `/commits?at=${moment}`],
  ['/commits/9f31c07', `/commits/9f31c07?at=${moment}`],
  ['/compare', '/compare'],
  ['/incidentsX', '/incidentsX'],
  ['/reports', '/reports'],
  ['/objectsX', '/objectsX'],
])('%s at a past moment is %s', (path, expected) => {
  expect([pathAt(path, moment), pathAt(path, null)]).toEqual([expected, path]);
});

const mustBeVerdicts = `must be verdicts, comma-separated: ${verdicts.join(', ')}`;
const mustBeMoment = 'must be a time as in RFC 3339, or ms';
const pages = 'limit=1&cursor=x';
const noPages = ['limit', 'cursor', 'format'].map((name) => `${name} is no parameter of this page`);

it.each([
  ['/', 'columns=kind&label=environment=production&verdict=stale,diverged&sort=name&view=wall&theme=dark', []],
  ['/', 'at=yesterday', []],
  ['/', 'colums=kind', ['colums is no parameter of this page']],
  ['/', 'theme=light', []],
  [
    '/',
    'verdict=bad&theme=blue',
    [`verdict ${mustBeVerdicts}`, 'theme Invalid option: expected one of "light"|"dark"'],
  ],
  ['/', 'causes=all', []],
  ['/objects', 'cluster=nope&verdict=stale', []],
  ['/objects', 'verdict=sale', [`verdict ${mustBeVerdicts}`]],
  ['/objects', pages, ['limit is no parameter of this page', 'cursor is no parameter of this page']],
  ['/objects', 'kind=A&kind=B', ['kind is given twice']],
  ['/history', 'cluster=a&kind=B&last=7d&table=1', []],
  ['/history', 'last=8d', ['last Invalid option: expected one of "6h"|"24h"|"7d"|"30d"|"90d"']],
  ['/incidents', 'verdict=stale&cause=cluster&label=a=b&open=true&objects=5&minutes=10&order=worst&last=30d&at=1', []],
  ['/incidents', `${pages}&format=csv`, noPages],
  [
    '/incidents',
    'cause=weather',
    ['cause must be types of causes, comma-separated: object, controller, cluster, feed, shared-error, outside'],
  ],
  ['/incidents/abc', 'at=1', []],
  ['/incidents/abc', 'cluster=a', ['cluster is no parameter of this page']],
  ['/absences', 'verdict=stale&open=true&order=longest&from=2026-11-20T00:00:00Z', []],
  ['/absences', 'from=', []],
  ['/absences', `${pages}&format=csv`, noPages],
  ['/corrections', `${pages}&format=csv`, noPages],
  ['/exemptions', `${pages}&format=csv`, noPages],
  ['/changes', 'from=1700000000000&cluster=a', []],
  ['/exemptions', 'tab=conflicts&conflict=external-resource', []],
  ['/changes', 'from=&to=', []],
  ['/changes', 'from=X&to=soon', [`from ${mustBeMoment}`, `to ${mustBeMoment}`]],
  ['/exemptions', 'tab=exemptions', []],
  ['/exemptions', 'tab=conflict', ['tab Invalid option: expected one of "exemptions"|"conflicts"']],
  ['/reports', 'period=last-month&kind=A', []],
  ['/clusters/eu-west-3', 'all=false', []],
  ['/clusters/eu-west-3', 'q=x&all=true&last=6h', []],
  ['/clusters/eu-west-3/g/Kind/ns/name', 'last=6h&at=1', []],
  ['/clusters/eu-west-3/g/Kind/ns/name', 'verdict=stale', ['verdict is no parameter of this page']],
  ['/nowhere', 'x=1', []],
  ['/go', 'cluster=a&exported_namespace=b&labels=c&at=soon&fingerprint=d', []],
  ['/go', 'constructor=x&toString=y&__proto__=z', []],
  ['/go', 'kind=A&kind=B', ['kind is given twice']],
  ['/gone', 'x=1', []],
  [
    '/objects',
    'constructor=x&__proto__=z',
    ['constructor is no parameter of this page', '__proto__ is no parameter of this page'],
  ],
])('%s?%s', (path, query, expected) => {
  const found = unreadParams(path, new URLSearchParams(query)).map(({ name, message }) => `${name} ${message}`);
  expect(found).toEqual(expected);
});

it.each(['/', '/objects', '/exemptions', '/clusters/c1'])('on %s text is sought that a field could have', (path) => {
  const problemsOf = (length: number): readonly string[] =>
    unreadParams(path, new URLSearchParams({ q: 'a'.repeat(length) })).map(({ message }) => message);
  expect(problemsOf(1_024)).toEqual([]);
  expect(problemsOf(1_025)).toEqual(['must be 1024 characters at most']);
});

const all = Object.fromEntries(scopeNames.map((name) => [name, `the ${name}`]));

it('a scope is of the parts that a filter sets, and nothing else', () => {
  expect(scopeOf({ cluster: '', q: '' })).toEqual(wholeFleet);
  expect(scopeOf({ cluster: '', q: '', ...all })).toEqual(all);
  expect(scopeNames.map((name) => scopeOf({ cluster: '', q: '', [name]: 'x' })[name])).toEqual(
    scopeNames.map(() => 'x'),
  );
  expect(new Set(Object.values(wholeFleet))).toEqual(new Set(['']));
  expect(scopeParams({ ...wholeFleet, kind: 'Bucket', q: 'x' })).toEqual({ kind: 'Bucket', q: 'x' });
  expect(scopeParams(wholeFleet)).toEqual({});
});

it.each([
  ['', '', true],
  ['c1', '', true],
  ['c2', '', false],
  ['c2,c1', '', true],
  [',', '', true],
  ['', 'env=prod', true],
  ['', 'env=prod,tier=one', false],
  ['', 'env=prod,region=eu', true],
  ['c1', 'env=test', false],
  ['c2', 'env=prod', false],
])('cluster "%s" and label "%s" keep it: %s', (cluster, label, kept) => {
  expect(clusterMatcher({ cluster, label })({ name: 'c1', labels: { env: 'prod', region: 'eu' } })).toBe(kept);
});

it('the clusters that are named are read once for a fleet of any size', () => {
  let read = 0;
  const scope = {
    get cluster() {
      read += 1;
      return ',c1'.repeat(5_000);
    },
    label: '',
  };
  const keeps = clusterMatcher(scope);
  const kept = Array.from({ length: 1_000 }, (_, index) => keeps({ name: `c${index}`, labels: {} }));
  expect([kept.filter(Boolean).length, read]).toEqual([1, 1]);
});

it.each([
  ['environment,region', true],
  [Array.from({ length: 50 }, (_, index) => `l${index}`).join(','), true],
  [Array.from({ length: 51 }, (_, index) => `l${index}`).join(','), false],
  [','.repeat(2_001), false],
])('a view shows so many labels beside each cluster: %.20s', (show, taken) => {
  expect(FleetView.safeParse({ show }).success).toBe(taken);
});

it.each([
  ['q', 'web', '"web"'],
  ['label', 'env=prod,tier=one', 'env=prod and tier=one'],
  ['group', '-', 'the core group'],
  ['group', 'apps', 'group apps'],
  ['namespace', '-', 'cluster-scoped'],
  ['namespace', 'apps', 'namespace apps'],
  ['cluster', 'c1', 'cluster c1'],
  ['cluster', 'c1,c2', 'clusters c1, c2'],
  ['reconciler', 'flux', 'reconciler flux'],
  ['kind', 'Bucket', 'kind Bucket'],
  ['name', 'web', 'name web'],
] as const)('%s=%s reads %s', (name, value, words) => {
  expect(scopeLabel(name, value)).toBe(words);
  expect(scopeWords({ ...wholeFleet, [name]: value })).toBe(words);
});

it('several parts are told one after the other', () => {
  expect(scopeWords({ ...wholeFleet, kind: 'Bucket', label: 'env=prod' })).toBe('env=prod, kind Bucket');
  expect(scopeWords(wholeFleet)).toBe('');
});

const none = (parameter: WireNotThere['parameter'], on?: string): WireNotThere => ({
  parameter,
  value: 'x',
  nearest: [],
  ...(on === undefined ? {} : { on }),
});

it.each([
  ['cluster', 'There is no cluster x.'],
  ['label', 'No cluster has the label x.'],
] as const)('a %s that is not there, wherever it was looked for', (parameter, sentence) => {
  expect([notThereSentence([none(parameter)]), notThereSentence([none(parameter, 'c1')])]).toEqual([
    sentence,
    sentence,
  ]);
});

it.each([
  ['reconciler', 'No object of reconciler x is known'],
  ['group', 'No object of API group x is known'],
  ['kind', 'No object of kind x is known'],
  ['namespace', 'No object in namespace x is known'],
  ['name', 'No object named x is known'],
  ['by', 'No manager named x is known'],
] as const)('a %s that is not there', (parameter, words) => {
  expect(notThereSentence([none(parameter)])).toBe(`${words}.`);
  expect(notThereSentence([none(parameter, 'c1')])).toBe(`${words} on c1.`);
});

it('several are told one after the other, with what may have been meant', () => {
  const names = [none('cluster'), { ...none('kind'), nearest: ['y', 'z'] }];
  expect(notThereSentence(names)).toBe('There is no cluster x. No object of kind x is known.');
  expect(notThereAnswer(names)).toBe('There is no cluster x. No object of kind x is known. Nearest: y, z.');
});
