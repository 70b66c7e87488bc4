import type { KnownAlarms } from '#lib/domain/alarm/chain.ts';
import { unknownAlarms, type KnownObject } from '#lib/domain/alarm/known-object.ts';
import { refKey, type RefKey } from '#lib/domain/observation/ref.ts';

/** Alarms as the objects of a map carry them, which may grow; of others nothing is known. */
export function alarmsIn(told: ReadonlyMap<RefKey, KnownObject>): KnownAlarms {
  const others = unknownAlarms('none');
  return {
    ...others,
    alarmOf: (object, now, alarmWithin) =>
      told.get(refKey(object.ref))?.alarm ?? others.alarmOf(object, now, alarmWithin),
  };
}

/** Alarms as these objects carry them; of others nothing is known. */
export function toldAlarms(objects: Iterable<KnownObject>): KnownAlarms {
  return alarmsIn(new Map(Array.from(objects, (object) => [refKey(object.ref), object])));
}
