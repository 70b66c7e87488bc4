import type { Figure } from '../figure.ts';
import { bulkIncidents, lostRegion, type IncidentResult } from './measure-incidents.ts';

/** Figures measured of incidents, beside their bars. */
export function incidentFigures({
  page,
  worst,
  filtered,
  figures,
  past,
  one,
  lost,
}: IncidentResult): readonly Figure[] {
  const area = `Incidents: ${bulkIncidents.toLocaleString('en')} in 90 days, of 1,000 clusters`;
  const region = `A region is lost: ${lostRegion.clusters} clusters with ${lostRegion.objects.toLocaleString('en')} objects each, at once`;
  return [
    { area, name: 'first page, first', value: page.first, unit: 'ms', bar: null },
    { area, name: 'first page, again', value: page.again, unit: 'ms', bar: { most: 60 } },
    { area, name: 'the worst of 90 days', value: worst.again, unit: 'ms', bar: null },
    { area, name: 'first page of one cluster', value: filtered.again, unit: 'ms', bar: null },
    { area, name: 'first page as known 45 days ago', value: past.again, unit: 'ms', bar: null },
    { area, name: 'figures of 90 days', value: figures.again, unit: 'ms', bar: { most: 100 } },
    { area, name: 'one of 1,000 members, first', value: one.first, unit: 'ms', bar: null },
    { area, name: 'one of 1,000 members, again', value: one.again, unit: 'ms', bar: null },
    { area: region, name: 'until its one incident is read', value: lost.found, unit: 'ms', bar: { most: 2_000 } },
    { area: region, name: 'until all of it is committed', value: lost.written, unit: 'ms', bar: null },
  ];
}
