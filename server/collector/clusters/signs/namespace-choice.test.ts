import { expect, it } from 'vitest';
import { createNamespaceChoice } from './namespace-choice.ts';

const labelled = (namespace: string, hour: number) => ({
  metadata: { namespace, name: 'x', creationTimestamp: new Date(Date.UTC(2026, 10, 21, hour)).toISOString() },
});
const tenants = Array.from({ length: 5 }, (_, number) => labelled(`a-${number}`, 10));

it('leaves the usual ones out, and says how many more there are than are looked at', () => {
  const choice = createNamespaceChoice(['flux-system'], 3);
  expect(choice.choose([labelled('flux-system', 1), labelled('b', 2), labelled('b', 3), {}, null])).toEqual({
    namespaces: ['b'],
    left: 0,
  });
  expect(choice.choose(tenants)).toEqual({ namespaces: ['a-0', 'a-1', 'a-2'], left: 2 });
});

it('looks first where a controller was found, however late its label is, then where the label is oldest', () => {
  const choice = createNamespaceChoice([], 3);
  const late = labelled('z-found', 23);
  choice.found('z-found');
  expect(choice.choose([...tenants, labelled('z-old', 1), late])).toEqual({
    namespaces: ['z-found', 'z-old', 'a-0'],
    left: 4,
  });
  choice.choose(tenants);
  expect(choice.choose([...tenants, late]).namespaces).not.toContain('z-found');
});
