import { minute } from '#lib/domain/time/length.ts';
import { says } from '../checks/says.ts';
import type { Chapter } from '../situation.ts';
import { kustomizationOf } from '../subjects.ts';

/** Faults begun before Plumbline came that only become wrong with time. */
export const late: Chapter = {
  name: 'late',
  title: 'What takes its time',
  situations: [
    {
      name: 'a deletion has hung for 15 minutes',
      // On a slow machine its controller is killed after that, and the verdict begins anew: when it began is not asked.
      within: 15 * minute,
      checks: [
        says(kustomizationOf('alpha', 'hung'), {
          verdict: 'diverged',
          reason: 'DeletionStuck',
          rootCause: null,
          mentions: 'example.org/nobody',
          away: true,
        }),
      ],
    },
  ],
};
