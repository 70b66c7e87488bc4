import type { KnownAlarms } from '#lib/domain/alarm/chain.ts';
import { unknownAlarms, type KnownObject } from '#lib/domain/alarm/known-object.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';

/** Alarms that were told with objects, each with its verdict; of others nothing is known. */
export interface ToldAlarms extends KnownAlarms {
  tell(object: KnownObject): void;
}

/** Alarms as these objects carry them, and those that are told later. */
export function toldAlarms(objects: Iterable<KnownObject>): ToldAlarms {
  const told = new Map<string, KnownObject['alarm']>();
  const others = unknownAlarms('none');
  const keyOf = ({ ref, verdict }: CurrentObject): string => `${refKey(ref)} ${verdict}`;
  const tell = (object: KnownObject): void => void told.set(keyOf(object), object.alarm);
  for (const object of objects) tell(object);
  return {
    ...others,
    tell,
    alarmOf: (object, now, alarmWithin) => told.get(keyOf(object)) ?? others.alarmOf(object, now, alarmWithin),
  };
}
