import { repositoriesApi } from '#lib/api/commit.ts';
import { repositories as repositoriesOf } from '../../commits/repositories.ts';
import { ofPresent } from '../served.ts';

export const repositories = ofPresent(repositoriesApi, { ask: (moment) => repositoriesOf(moment) });
