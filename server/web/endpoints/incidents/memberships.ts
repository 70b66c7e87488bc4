import { membershipsApi } from '#lib/api/incident.ts';
import { memberships as membershipsOf } from '../../incidents/memberships.ts';
import { ofAnyMoment } from '../served.ts';

export const memberships = ofAnyMoment(membershipsApi, { ask: membershipsOf });
