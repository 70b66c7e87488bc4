import { minute } from '#lib/domain/time/length.ts';
import { began, noted } from '../checks/began.ts';
import { says } from '../checks/says.ts';
import type { Chapter } from '../situation.ts';
import { kustomizationOf } from '../subjects.ts';

const deletionGrace = 15 * minute;

/** Faults begun before Plumbline came that only become wrong with time. */
export const late: Chapter = {
  name: 'late',
  title: 'What takes its time',
  situations: [
    {
      name: 'a deletion has hung for 15 minutes',
      within: 15 * minute,
      checks: [
        says(kustomizationOf('alpha', 'hung'), {
          verdict: 'diverged',
          reason: 'DeletionStuck',
          rootCause: null,
          mentions: 'example.org/nobody',
          away: true,
        }),
        began(kustomizationOf('alpha', 'hung'), noted('deletion asked for', deletionGrace)),
      ],
    },
  ],
};
