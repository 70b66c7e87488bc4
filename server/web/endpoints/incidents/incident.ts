import { incidentApi } from '#lib/api/incident.ts';
import { incidentFile, incidentPage } from '../../incidents/incident-page.ts';
import { ofAnyMoment } from '../served.ts';

export const incident = ofAnyMoment(incidentApi, {
  ask: incidentPage,
  file: (moment, query) => (query.format === 'csv' ? incidentFile(moment, query) : null),
});
