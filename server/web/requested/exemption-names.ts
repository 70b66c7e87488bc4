import type { KnownCluster } from '../cache/known-cluster.ts';
import { namesFrom, namesIn, type Names } from './not-there.ts';

/** Names in exemptions: all that can be in the fleet, and who set them. */
export function namesOfExemptions(fleet: readonly KnownCluster[]): Names {
  const watched = namesIn(fleet);
  return namesFrom(function* (parameter) {
    yield* watched.all(parameter);
    if (parameter !== 'by') return;
    for (const { objects } of fleet)
      for (const { exemptions } of objects) for (const { by } of exemptions) if (by !== null) yield by;
  });
}
