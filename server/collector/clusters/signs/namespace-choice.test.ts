import { beforeEach, expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import type { ClusterEvent } from '../cluster-event.ts';
import { createNamespaceChoice } from './namespace-choice.ts';

const labelled = (namespace: string, hour: number) => ({
  metadata: { namespace, name: 'x', creationTimestamp: new Date(Date.UTC(2026, 10, 21, hour)).toISOString() },
});
const tenants = Array.from({ length: 5 }, (_, number) => labelled(`a-${number}`, 10));

let events: ClusterEvent[];
let choice: ReturnType<typeof createNamespaceChoice>;

beforeEach(() => {
  events = [];
  const search = { of: 'controllers', what: 'controllers', usual: ['flux-system'], most: 3 } as const;
  choice = createNamespaceChoice(search, fakeClock(), (event) => void events.push(event));
});

function take(...items: readonly unknown[]): void {
  choice.take([{ feed: { state: 'live' }, body: { items } }]);
}

it('leaves the usual ones out, and says how many more there are than are looked at', () => {
  take(labelled('flux-system', 1), labelled('b', 2), labelled('b', 3), {}, null);
  expect([choice.chosen(), choice.beyond()]).toEqual([{ namespaces: ['b'], left: 0, hasUsual: true }, null]);
  take(...tenants);
  expect(choice.chosen()).toEqual({ namespaces: ['a-0', 'a-1', 'a-2'], left: 2, hasUsual: false });
  expect(choice.beyond()).toMatchObject({
    fault: { message: '5 namespaces carry the label of controllers beside the usual ones; at most 3 are looked at' },
  });
  expect(events).toMatchObject([{ isWhole: true }, { isWhole: false }]);
});

it('looks first where a controller was found, however late its label is, then where the label is oldest', () => {
  const late = labelled('z-found', 23);
  choice.found('z-found');
  take(...tenants, labelled('z-old', 1), late);
  expect(choice.chosen()).toMatchObject({ namespaces: ['z-found', 'z-old', 'a-0'], left: 4 });
  take(...tenants);
  take(...tenants, late);
  expect(choice.chosen().namespaces).not.toContain('z-found');
});

it('stays as it was where nothing could be asked, and is not whole where more is listed than is read', () => {
  take(...tenants);
  const before = choice.chosen();
  const fault = (type: 'unreachable' | 'protocol') => ({ state: 'failed', fault: { type, message: 'no' } }) as const;
  choice.take([{ feed: fault('unreachable'), body: null }]);
  expect(events).toHaveLength(1);
  choice.take([{ feed: fault('protocol'), body: null }]);
  expect([choice.chosen(), choice.beyond()]).toEqual([before, fault('protocol')]);
});
