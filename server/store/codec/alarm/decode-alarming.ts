import type { Alarming, AlarmingFact, EventSource } from '#lib/domain/alarm/alarming/fact.ts';
import type { DeclaredReceiver, DeclaredRule } from '#lib/domain/alarm/declared/declared.ts';
import { isForeignObject, listAt } from '#lib/foreign.ts';
import { partShapes } from './fact-shapes.ts';
import { hasShape, type Sort } from '../shape.ts';

type Shape<T> = { readonly [K in Exclude<keyof Required<T>, 'type'>]: Sort };

const sourceShape: Shape<EventSource> = { kind: 'text', namespace: 'text', name: 'text', labels: 'list' };

/** Fields of what is declared to the Prometheus operator. */
const declared = {
  namespace: 'text',
  name: 'text',
  uid: 'text',
  labels: 'record',
  writtenAt: 'number?',
  lost: 'number',
} as const;

const factShapes: { readonly [T in AlarmingFact['type']]: Shape<Extract<AlarmingFact, { readonly type: T }>> } = {
  'notification-alert': {
    namespace: 'text',
    name: 'text',
    createdAt: 'number?',
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
  'prometheus-rule': { ...declared, rules: 'list' },
  'alertmanager-config': { ...declared, route: 'record?', receivers: 'list' },
};

const ruleShape: Shape<DeclaredRule> = { group: 'text', name: 'text', expression: 'number?', holds: 'number?' };
const receiverShape: Shape<DeclaredReceiver> = { name: 'text', loadedAs: 'list', calls: 'list' };

function isRoute(value: unknown): boolean {
  return (
    hasShape(value, partShapes.route) &&
    listAt(value, 'matchers').every((matcher) => hasShape(matcher, partShapes.matcher)) &&
    listAt(value, 'routes').every(isRoute)
  );
}

const shapeOf: ReadonlyMap<unknown, { readonly [field: string]: Sort }> = new Map(Object.entries(factShapes));

function isFact(value: unknown): boolean {
  if (!isForeignObject(value)) return false;
  const shape = shapeOf.get(value['type']);
  return (
    shape !== undefined &&
    hasShape(value, shape) &&
    listAt(value, 'sources').every((source) => hasShape(source, sourceShape)) &&
    listAt(value, 'rules').every((rule) => hasShape(rule, ruleShape)) &&
    listAt(value, 'receivers').every((receiver) => hasShape(receiver, receiverShape)) &&
    (!isForeignObject(value['route']) || isRoute(value['route']))
  );
}

function isAlarming(value: unknown): value is Alarming {
  return hasShape(value, { facts: 'list', cut: 'list' }) && listAt(value, 'facts').every(isFact);
}

/** All that objects of a stored cluster say of who is called; null where it is none of this version: then nothing is known of it. */
export function decodeAlarming(value: unknown): Alarming | null {
  return isAlarming(value) ? value : null;
}
