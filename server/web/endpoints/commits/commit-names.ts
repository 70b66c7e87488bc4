import { commitNamesApi } from '#lib/api/commit.ts';
import { commitNames as namesOf } from '../../commits/commit-names.ts';
import { ofPresent } from '../served.ts';

export const commitNames = ofPresent(commitNamesApi, { ask: namesOf });
