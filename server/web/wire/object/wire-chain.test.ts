import { expect, it } from 'vitest';
import type { AlarmChain, ChainAlert } from '#lib/domain/alarm/chain.ts';
import { wireChain } from './wire-chain.ts';

function chainOf(count: number, labels: ChainAlert['labels']): AlarmChain {
  const alert = { source: 'a', name: 'b', by: 'own', state: 'sounding', labels, since: 0, receivers: [] } as const;
  const alerts = Array.from({ length: count }, () => alert);
  return { alarm: { state: 'not-due' }, steps: [], alerts, isCut: false, mend: null, asOf: null };
}

it('tells fifty alerts of an object, fewer where their labels are long, and how many there are', () => {
  const short = wireChain(chainOf(60, { alertname: 'A', team: 'fleet' }));
  expect([short.alerts.length, short.alertsTotal]).toEqual([50, 60]);
  const wide = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`l${at}`, 'x'.repeat(1_000)]));
  const long = wireChain(chainOf(60, wide));
  expect([long.alerts.length, long.alertsTotal]).toEqual([1, 60]);
  const some = wireChain(chainOf(60, { a: 'x'.repeat(5_000) }));
  expect([some.alerts.length, some.alertsTotal]).toEqual([12, 60]);
});
