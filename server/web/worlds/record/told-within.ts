import type { Cause } from '#lib/domain/verdict/judgement.ts';
import type { RecordPage } from '#server/store/port/record-scope.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { causeWithin } from '../hide/cause.ts';
import { messageWithin } from '../hide/object.ts';
import type { SightNow } from '../sight.ts';

interface Caused {
  readonly ref: ObjectRef;
  readonly rootCause: Cause | null;
  readonly message?: string | null;
}

/** Tells times of objects that are seen: where they were caused from outside, that has no name, nor has it in a message of Plumbline. */
export function objectTimesWithin(sightNow: SightNow) {
  function caused<T extends Caused>(time: T): T {
    const sight = sightNow();
    const rootCause = causeWithin(time.rootCause, sight);
    const { ref, message = null } = time;
    const told = messageWithin({ ref, message }, sight);
    if (told !== message) return { ...time, rootCause, message: told };
    return rootCause === time.rootCause ? time : { ...time, rootCause };
  }

  return {
    caused,
    page: <T extends Caused>({ items, next }: RecordPage<T>): RecordPage<T> => ({ items: items.map(caused), next }),
  };
}
