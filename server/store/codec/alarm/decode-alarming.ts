import type { Alarming, AlarmingFact, EventSource } from '#lib/domain/alarm/alarming/fact.ts';
import { isForeignObject, listAt } from '#lib/foreign.ts';
import { hasShape, type Sort } from '../shape.ts';

type Shape<T> = { readonly [K in Exclude<keyof Required<T>, 'type'>]: Sort };

const sourceShape: Shape<EventSource> = { kind: 'text', namespace: 'text', name: 'text', labels: 'list' };

const factShapes: { readonly [T in AlarmingFact['type']]: Shape<Extract<AlarmingFact, { readonly type: T }>> } = {
  'notification-alert': {
    namespace: 'text',
    name: 'text',
    suspended: 'yes-no',
    ready: 'yes-no?',
    severity: 'text',
    sources: 'list',
    more: 'yes-no',
    including: 'list?',
    excluding: 'list?',
    provider: 'text',
  },
  'notification-provider': {
    namespace: 'text',
    name: 'text',
    suspended: 'yes-no',
    ready: 'yes-no?',
    calls: 'text',
  },
};

const shapeOf: ReadonlyMap<unknown, { readonly [field: string]: Sort }> = new Map(Object.entries(factShapes));

function isFact(value: unknown): boolean {
  if (!isForeignObject(value)) return false;
  const shape = shapeOf.get(value['type']);
  return (
    shape !== undefined &&
    hasShape(value, shape) &&
    listAt(value, 'sources').every((source) => hasShape(source, sourceShape))
  );
}

function isAlarming(value: unknown): value is Alarming {
  return hasShape(value, { facts: 'list', cut: 'list' }) && listAt(value, 'facts').every(isFact);
}

/** All that objects of a stored cluster say of who is called; null where it is none of this version: then nothing is known of it. */
export function decodeAlarming(value: unknown): Alarming | null {
  return isAlarming(value) ? value : null;
}
