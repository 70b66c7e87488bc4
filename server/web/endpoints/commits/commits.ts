import { commitsApi } from '#lib/api/commit.ts';
import { commitList } from '../../commits/commit-list.ts';
import { ofPresent } from '../served.ts';

export const commits = ofPresent(commitsApi, { ask: commitList });
