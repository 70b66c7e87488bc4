import { commitArrivalsApi } from '#lib/api/git/commit-arrivals.ts';
import { arrivalsBy } from '../../commits/arrivals-by.ts';
import { ofAnyMoment } from '../served.ts';

export const commitArrivals = ofAnyMoment(commitArrivalsApi, { ask: arrivalsBy });
