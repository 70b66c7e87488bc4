import { suspectsApi } from '#lib/api/git/suspect.ts';
import { suspectRows } from '../../suspects/suspect-rows.ts';
import { ofAnyMoment } from '../served.ts';

export const suspects = ofAnyMoment(suspectsApi, { ask: suspectRows });
