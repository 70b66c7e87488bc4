import { runningApi } from '#lib/api/commit.ts';
import { runningCommits } from '../../commits/running/running-commits.ts';
import { ofPresent } from '../served.ts';

export const running = ofPresent(runningApi, { ask: runningCommits });
