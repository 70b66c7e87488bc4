import { expect, it } from 'vitest';
import type { z } from 'zod';
import { conflictKinds } from '../domain/observation/conflict.ts';
import { exemptionKinds } from '../domain/exemption/exemption.ts';
import { guarantees } from '../domain/guarantee/guarantee.ts';
import { verdicts } from '../domain/verdict/verdict.ts';
import { ConflictFilter } from './conflict.ts';
import { ExemptionFilter } from './exemption.ts';
import { addressOf } from './endpoint.ts';
import { cellCodes, FleetQuery } from './fleet.ts';
import { HistoryQuery } from './history.ts';
import { AbsenceFilter } from './absence.ts';
import { IncidentFilter, IncidentQuery, MembershipQuery } from './incident.ts';
import { AtParameter } from './moment.ts';
import { ObjectFilter } from './object-filter.ts';
import { ReportQuery, SpansQuery, verdictsIn } from './report.ts';
import { StreamQueries } from './stream.ts';

function refusals(schema: z.ZodType, value: unknown): readonly string[] {
  return (schema.safeParse(value).error?.issues ?? []).map(({ path, message }) => [...path, message].join(' '));
}

const ofVerdicts = `verdict must be verdicts, comma-separated: ${verdicts.join(', ')}`;
const ofDays = 'must be a day such as 2026-10-01 or a time such as 2026-10-01T00:00:00Z';
const ofLabels = 'label must be key=value, comma-separated';

it.each<[string, z.ZodType, unknown, readonly string[]]>([
  ['a report of any period', ReportQuery, { from: '', to: '', period: '' }, []],
  ['a report of days and times', ReportQuery, { from: '2026-10-01', to: '2026-10-01T00:00:00Z' }, []],
  ['a report from no day', ReportQuery, { from: 'X', to: '2026-13-01' }, [`from ${ofDays}`, `to ${ofDays}`]],
  [
    'a report of no period',
    ReportQuery,
    { period: 'X', label: 'X' },
    ['period must be one of last-month, this-month, last-7-days, last-30-days, last-90-days', ofLabels],
  ],
  ['spans of verdicts', SpansQuery, { verdict: 'stale, ,behind,' }, []],
  ['spans of no verdict', SpansQuery, { verdict: 'stale,X' }, [ofVerdicts]],
  ['a history of the last day', HistoryQuery, { from: '', to: '' }, []],
  ['a history from a time of another zone', HistoryQuery, { from: '2026-10-01T02:00:00+02:00' }, []],
  ['the present', AtParameter, '', []],
  ['a moment', AtParameter, '1700000000000', []],
  ['no moment', AtParameter, 'X', ['must be a time as in RFC 3339, or ms']],
  [
    'objects of no verdict and guarantee',
    ObjectFilter,
    { verdict: 'X', guarantee: 'X' },
    [ofVerdicts, `guarantee must be guarantees, comma-separated: ${guarantees.join(', ')}`],
  ],
  [
    'conflicts of no kind',
    ConflictFilter,
    { conflict: 'X' },
    [`conflict must be kinds of conflicts, comma-separated: ${conflictKinds.join(', ')}`],
  ],
  [
    'exemptions of no kind',
    ExemptionFilter,
    { exemption: 'X' },
    [`exemption must be kinds of exemptions, comma-separated: ${exemptionKinds.join(', ')}`],
  ],
  [
    'absences of no verdict and time',
    AbsenceFilter,
    { verdict: 'X', from: 'X' },
    ['from must be a time as in RFC 3339', ofVerdicts],
  ],
  ['incidents of all there are', IncidentFilter, {}, []],
  ['incidents that last, of some causes', IncidentFilter, { open: 'true', cause: 'cluster,feed', label: 'a=b' }, []],
  [
    'incidents of no verdict, cause, label and time',
    IncidentFilter,
    { verdict: 'X', cause: 'X', label: 'X', to: 'X' },
    [
      ofLabels,
      'to must be a time as in RFC 3339',
      ofVerdicts,
      'cause must be types of causes, comma-separated: object, controller, cluster, feed, shared-error, outside',
    ],
  ],
  ['an incident of no id', IncidentQuery, { id: '' }, ['id Too small: expected string to have >=1 characters']],
  [
    'memberships of no object',
    MembershipQuery,
    { cluster: '', kind: 'K', name: 'n' },
    ['cluster Too small: expected string to have >=1 characters'],
  ],
  [
    'a fleet of no columns',
    FleetQuery,
    { columns: 'X', verdict: 'X', label: 'X' },
    ['columns must be delivery, reconciler, kind, group, namespace or label:<key>', ofVerdicts, ofLabels],
  ],
  ['the stream of the summary', StreamQueries.summary, { topic: 'summary' }, []],
  ['the stream of the fleet', StreamQueries.fleet, { topic: 'fleet' }, []],
  ['the stream of a cluster', StreamQueries.cluster, { topic: 'cluster', cluster: 'c' }, []],
  ['the stream of incidents', StreamQueries.incidents, { topic: 'incidents' }, []],
  ['the stream of an object', StreamQueries.object, { topic: 'object', cluster: 'c', kind: 'K', name: 'n' }, []],
  [
    'the stream of no cluster',
    StreamQueries.cluster,
    { topic: 'cluster', cluster: '' },
    ['cluster Too small: expected string to have >=1 characters'],
  ],
])('%s is asked for as declared', (_, schema, value, refused) => {
  expect(refusals(schema, value)).toEqual(refused);
});

it('joins the stream of the fleet with the view, after nothing', () => {
  expect(StreamQueries.fleet.parse({ topic: 'fleet' })).toEqual({
    topic: 'fleet',
    columns: 'delivery',
    rows: 'environment',
    ...{ show: '', verdict: '', q: '', cluster: '', reconciler: '', namespace: '', label: '', sort: 'worst' },
    ...{ after: '', lastEventId: '' },
  });
});

it('names all verdicts where a query names none, and those it names in their order', () => {
  expect([verdictsIn(''), verdictsIn('behind,stale'), verdictsIn('stale')]).toEqual([
    verdicts,
    ['stale', 'behind'],
    ['stale'],
  ]);
});

it('has a letter of its own for each verdict', () => {
  expect(verdicts.map((verdict) => cellCodes[verdict]).join('')).toBe('DRHSOPBWGUc');
});

it.each([
  ['/api/v1/objects', {}, '/api/v1/objects'],
  ['/api/v1/objects', { kind: 'A B', cursor: '' }, '/api/v1/objects?kind=A+B&cursor='],
  ['/api/v1/clusters/{name}', { name: 'a/b' }, '/api/v1/clusters/a%2Fb'],
  ['/api/v1/clusters/{name}', { q: 'x', name: 'eu-west-3', at: '1' }, '/api/v1/clusters/eu-west-3?q=x&at=1'],
])('%s is asked with %j at %s', (path, params, address) => {
  expect(addressOf({ path }, params)).toBe(address);
});
