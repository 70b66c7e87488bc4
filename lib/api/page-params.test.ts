import { expect, it } from 'vitest';
import { unreadParams } from './page-params.ts';

it.each([
  ['/', 'columns=kind&label=environment=production&verdict=stale,diverged&sort=name&view=wall&theme=dark', []],
  ['/', 'at=yesterday', []],
  ['/', 'colums=kind', ['colums is no parameter of this page']],
  ['/', 'verdict=bad&theme=blue', ['verdict must be', 'theme Invalid option']],
  ['/objects', 'cluster=nope&verdict=stale', []],
  ['/objects', 'verdict=sale', ['verdict must be verdicts']],
  ['/objects', 'kind=A&kind=B', ['kind is given twice']],
  ['/history', 'cluster=a&kind=B&last=7d&table=1', []],
  ['/history', 'last=8d', ['last Invalid option']],
  ['/incidents', 'verdict=stale&open=true&order=longest&from=2026-11-20T00:00:00Z', []],
  ['/incidents', 'open=yes&from=yesterday', ['open Invalid option', 'from must be a time']],
  ['/changes', 'from=1700000000000&cluster=a', []],
  ['/exemptions', 'tab=conflicts&conflict=external-resource', []],
  ['/exemptions', 'tab=conflict', ['tab Invalid option']],
  ['/reports', 'period=last-month&kind=A', []],
  ['/clusters/eu-west-3', 'q=x&all=true&last=6h', []],
  ['/clusters/eu-west-3/g/Kind/ns/name', 'last=6h&at=1', []],
  ['/clusters/eu-west-3/g/Kind/ns/name', 'verdict=stale', ['verdict is no parameter of this page']],
  ['/nowhere', 'x=1', []],
])('%s?%s', (path, query, expected) => {
  const found = unreadParams(path, new URLSearchParams(query)).map(({ name, message }) => `${name} ${message}`);
  expect(found).toEqual(expected.map((text) => expect.stringContaining(text)));
});
