import { describe, expect, it } from 'vitest';
import { clusterOf } from '#test/contract/store-records.ts';
import { decodeCluster } from '../decode.ts';

const stored = clusterOf('a');
const facts = stored.alarming?.facts ?? [];
const read = (alarming: unknown) => decodeCluster(JSON.stringify({ ...stored, alarming }));

describe('what objects of a stored cluster say of who is called', () => {
  it('reads as it was written', () => {
    expect(facts.map(({ type }) => type)).toEqual([
      'notification-alert',
      'notification-provider',
      'prometheus-rule',
      'alertmanager-config',
    ]);
    expect(read(stored.alarming)).toEqual(stored);
  });

  it('is not known where an earlier version wrote the row', () => {
    const { alarming: _, ...before } = stored;
    expect(decodeCluster(JSON.stringify(before))).toEqual({ ...stored, alarming: null });
  });

  it.each(facts.map((fact) => [fact.type, fact] as const))('is not known where a %s lacks a field', (_type, fact) => {
    for (const field of Object.keys(fact)) {
      const others = Object.fromEntries(Object.entries(fact).filter(([name]) => name !== field));
      expect([field, read({ facts: [others], cut: [] })]).toEqual([field, { ...stored, alarming: null }]);
    }
  });

  it.each([[{}], [{ facts: {}, cut: [] }], [[]], ['text'], [{ facts: [{ type: 'other' }], cut: [] }]])(
    'is not known of %j, and the cluster is',
    (alarming) => expect(read(alarming)).toEqual({ ...stored, alarming: null }),
  );
});
