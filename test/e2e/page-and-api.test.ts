import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WireIncidentList } from '#lib/api/incident.ts';
import { momentText } from '#lib/format/moment.ts';
import {
  fleetPair,
  historyPair,
  incidentPair,
  incidentsPair,
  absencesPair,
  missingInPage,
  objectPair,
  objectsPair,
  type PageAndApi,
} from '#test/page-and-api.ts';
import { type Bed, makeBed } from './bed/bed.ts';
import { broken } from './bed/places.ts';
import { until } from './bed/until.ts';

const group = 'kustomize.toolkit.fluxcd.io';
const ref = { cluster: broken.cluster, group, kind: 'Kustomization', namespace: 'flux-system', name: broken.name };
const production = { label: 'environment=production' };
const staging = { label: 'environment=staging' };

let bed: Bed;
/** The period that is asked for: over by the time it is. */
let period = { from: '', to: '' };
/** The incident that took down most. */
let largest = '';

beforeAll(async () => {
  const from = Date.now() - 60_000;
  bed = await makeBed();
  period = { from: momentText(from), to: momentText(Date.now()) };
  await until('an incident to be known', async () => {
    const list = WireIncidentList.parse(await bed.ask('/api/v1/incidents?order=largest&limit=1'));
    largest = list.rows[0]?.id ?? '';
    return largest !== '';
  });
});
afterAll(() => bed?.stop());

const pairs: readonly (readonly [string, () => PageAndApi])[] = [
  ['the fleet', () => fleetPair()],
  ['the fleet, filtered by a label', () => fleetPair(production)],
  ['the fleet, filtered by a cluster', () => fleetPair({ cluster: broken.cluster })],
  ['objects of a kind', () => objectsPair({ kind: 'Kustomization' })],
  ['objects of a kind, filtered by a label', () => objectsPair({ kind: 'Kustomization', ...production })],
  ['an object that is broken', () => objectPair(ref)],
  ['incidents', () => incidentsPair({})],
  ['incidents of a cluster', () => incidentsPair({ cluster: broken.cluster })],
  ['incidents that controllers are the cause of', () => incidentsPair({ cause: 'controller' })],
  ['an incident', () => incidentPair(largest)],
  ['absences', () => absencesPair({})],
  ['absences of a period', () => absencesPair(period)],
  ['absences of a kind in a period', () => absencesPair({ ...period, group, kind: 'Kustomization' })],
  [
    'the timelines of a kind in a period',
    () => historyPair({ ...period, cluster: broken.cluster, group, kind: 'Kustomization' }),
  ],
  ['the timelines of a cluster in a period', () => historyPair({ ...period, cluster: broken.cluster })],
];

describe('the page and the API, asked at the same moment', () => {
  it.each(pairs)('say the same of %s', async (_what, pair) => {
    expect(await missingInPage(bed.url, pair())).toEqual([]);
  });

  it('are found to differ where they are asked different questions', async () => {
    const differing = [
      { ...fleetPair(production), page: fleetPair(staging).page },
      { ...objectsPair({ kind: 'Kustomization' }), page: objectsPair({ kind: 'GitRepository' }).page },
      { ...objectPair(ref), page: objectPair({ ...ref, cluster: 'us-west-2' }).page },
      { ...incidentsPair({ cluster: broken.cluster }), page: incidentsPair({ cluster: 'stg-edge' }).page },
      { ...absencesPair(period), page: absencesPair({ ...period, cluster: 'us-west-2' }).page },
    ];
    for (const pair of differing) expect(await missingInPage(bed.url, pair)).not.toEqual([]);
  });
});
