import { commitApi } from '#lib/api/commit.ts';
import { ofPresent } from '../served.ts';

export const commit = ofPresent(commitApi, {
  ask: (present, query, caller = { by: '', isGone: () => false }) => present.commits.page(present, query, caller),
});
