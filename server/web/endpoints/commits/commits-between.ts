import { commitsBetweenApi } from '#lib/api/git/suspect.ts';
import { commitsBetween as between } from '../../suspects/commits-between.ts';
import { ofAnyMoment } from '../served.ts';

export const commitsBetween = ofAnyMoment(commitsBetweenApi, { ask: between });
