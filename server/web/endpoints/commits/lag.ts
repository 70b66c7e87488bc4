import { lagApi } from '#lib/api/commit.ts';
import { lagList } from '../../commits/lag/lag-list.ts';
import { ofPresent } from '../served.ts';

export const lag = ofPresent(lagApi, { ask: lagList });
