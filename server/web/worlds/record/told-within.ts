import type { Cause } from '#lib/domain/verdict/judgement.ts';
import type { RecordPage } from '#server/store/port/record-scope.ts';
import { causeWithin } from '../hide/cause.ts';
import type { SightNow } from '../sight.ts';

interface Caused {
  readonly rootCause: Cause | null;
}

/** Tells times of objects that are seen: where they were caused from outside, that has no name. */
export function objectTimesWithin(sightNow: SightNow) {
  function caused<T extends Caused>(time: T): T {
    const rootCause = causeWithin(time.rootCause, sightNow());
    return rootCause === time.rootCause ? time : { ...time, rootCause };
  }

  return {
    caused,
    page: <T extends Caused>({ items, next }: RecordPage<T>): RecordPage<T> => ({ items: items.map(caused), next }),
  };
}
