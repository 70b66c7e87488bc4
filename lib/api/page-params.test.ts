import { expect, it } from 'vitest';
import { verdicts } from '../domain/verdict/verdict.ts';
import { unreadParams } from './page-params.ts';

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
  ['/', 'causes=all', ['causes is no parameter of this page']],
  ['/objects', 'cluster=nope&verdict=stale', []],
  ['/objects', 'verdict=sale', [`verdict ${mustBeVerdicts}`]],
  ['/objects', pages, ['limit is no parameter of this page', 'cursor is no parameter of this page']],
  ['/objects', 'kind=A&kind=B', ['kind is given twice']],
  ['/history', 'cluster=a&kind=B&last=7d&table=1', []],
  ['/history', 'last=8d', ['last Invalid option: expected one of "6h"|"24h"|"7d"|"30d"|"90d"']],
  ['/incidents', 'verdict=stale&open=true&order=longest&from=2026-11-20T00:00:00Z', []],
  ['/incidents', 'from=', []],
  ['/incidents', `${pages}&format=csv`, noPages],
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
])('%s?%s', (path, query, expected) => {
  const found = unreadParams(path, new URLSearchParams(query)).map(({ name, message }) => `${name} ${message}`);
  expect(found).toEqual(expected);
});
