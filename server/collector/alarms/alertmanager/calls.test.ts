import { expect, it } from 'vitest';
import type { AlarmCall } from '#lib/domain/alarm/call.ts';
import type { NoticeFact } from '#lib/domain/alarm/fact.ts';
import { nextCalls } from './calls.ts';

function notice(given: Partial<NoticeFact> = {}): NoticeFact {
  return {
    type: 'notice',
    key: 'http://am a',
    alertmanager: 'http://am',
    fingerprint: 'a',
    labels: { alertname: 'FluxFailing', cluster: 'prod-eu' },
    startsAt: 100,
    state: 'active',
    silencedBy: [],
    inhibitedBy: [],
    mutedBy: [],
    receivers: ['nobody', 'oncall'],
    ...given,
  };
}

const began: AlarmCall = {
  source: 'main',
  key: 'http://am a',
  alert: 'FluxFailing',
  labels: { alertname: 'FluxFailing', cluster: 'prod-eu' },
  cluster: 'eu',
  receivers: ['oncall'],
  readsObjects: true,
  startsAt: 100,
  from: 1_000,
  to: null,
};

/** Plays readings at 1,000, 2,000, ... and gives the calls that began or ended at each. */
function played(readings: readonly (readonly NoticeFact[])[], calling: readonly string[] = ['oncall', 'slack']) {
  let open: ReadonlyMap<string, AlarmCall> = new Map();
  return readings.map((notices, index) => {
    const next = nextCalls(open, notices, {
      source: 'main',
      attribution: { label: 'cluster', aliases: { 'prod-eu': 'eu' }, clusters: [] },
      at: (index + 1) * 1_000,
      calling: new Set(calling),
      readsObjects: (alert) => (alert === '' ? null : true),
    });
    open = next.open;
    return next.changes;
  });
}

it('a call begins with the reading that knows it, lasts, and ends with the one that does not', () => {
  expect(played([[notice()], [notice()], [], []])).toEqual([[began], [], [{ ...began, to: 3_000 }], []]);
});

it.each<[string, Partial<NoticeFact>]>([
  ['suppressed', { state: 'suppressed' }],
  ['unprocessed', { state: 'unprocessed' }],
  ['muted or not, which is untold', { state: 'untold' }],
  ['silenced', { silencedBy: ['s'] }],
  ['inhibited', { inhibitedBy: ['f'] }],
  ['muted', { mutedBy: ['nights'] }],
  ['routed to nobody', { receivers: ['nobody'] }],
  ['routed nowhere', { receivers: [] }],
])('nobody is called while it is %s', (_what, given) => {
  expect(played([[notice(given)], [notice()], [notice(given)]])).toEqual([
    [],
    [{ ...began, from: 2_000 }],
    [{ ...began, from: 2_000, to: 3_000 }],
  ]);
});

it('what began to fire anew between two readings is another call', () => {
  const anew = { ...began, startsAt: 1_500, from: 2_000 };
  const changes = played([[notice()], [notice({ startsAt: 1_500 })]])[1];
  expect(changes).toEqual([anew, { ...began, to: 2_000 }]);
});

it('an alert of no cluster and no name calls all the same', () => {
  expect(played([[notice({ labels: {} })]])).toEqual([
    [{ ...began, labels: {}, alert: '', cluster: null, readsObjects: null }],
  ]);
});

it('nobody is called where no receiver calls', () => {
  expect(played([[notice()]], [])).toEqual([[]]);
});
