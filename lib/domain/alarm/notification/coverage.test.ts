import { expect, it } from 'vitest';
import { noon, recorded } from '../../testing/observed.ts';
import type { KnownObject } from '../with-alarm.ts';
import { alertOf, notifierController, notifyingCluster, providerOf } from '../testing/notifications.ts';
import { notificationsOf } from './coverage.ts';

const { ref } = recorded();
const named = (name: string, part: Partial<KnownObject['ref']> = {}): KnownObject =>
  recorded({ ref: { ...ref, name, ...part } });
const bucket = { group: 's3.aws.upbound.io', kind: 'Bucket' };
const helm = { group: 'helm.toolkit.fluxcd.io', kind: 'HelmRelease' };

function asked(cluster: Parameters<typeof notificationsOf>[1]) {
  const objects = [named('a'), named('b', { namespace: 'apps' }), named('c', helm), named('d', bucket)];
  return notificationsOf({ name: 'c1', objects, alarming: null }, cluster, noon);
}

it('counts of each kind whose controller sends events how many would be told of, and no other', () => {
  const { alerts, unknown, kinds, findings } = asked(notifyingCluster());
  expect([alerts, unknown, findings]).toEqual([1, null, []]);
  expect(kinds.map(({ kind, objects, told }) => [kind, objects, told])).toEqual([
    ['Kustomization', 2, { yes: 1, no: 1, unknown: 0 }],
    ['HelmRelease', 1, { yes: 0, no: 1, unknown: 0 }],
  ]);
});

it('nothing is known of a cluster that is not seen, and nothing is called missing there', () => {
  const { alerts, unknown, kinds, findings } = asked(notifyingCluster(undefined, { state: 'unreachable' }));
  expect([alerts, unknown, findings]).toEqual([0, 'not-seen', []]);
  expect(kinds.map(({ told }) => told)).toEqual([
    { yes: 0, no: 0, unknown: 2 },
    { yes: 0, no: 0, unknown: 1 },
  ]);
});

it('each Alert that tells nobody is a finding with its mend', () => {
  const facts = [
    alertOf({ name: 'whole' }),
    alertOf({ name: 'off', suspended: true }),
    alertOf({ name: 'lost', provider: 'gone' }),
    alertOf({ name: 'quiet', provider: 'paused' }),
    alertOf({ name: 'status', provider: 'checks' }),
    alertOf({ name: 'picky', excluding: ['.'] }),
    providerOf(),
    providerOf({ name: 'paused', suspended: true }),
    providerOf({ name: 'checks', calls: 'github' }),
  ];
  const { findings } = asked(notifyingCluster(facts));
  expect(findings.map(({ alert, link, text, mend }) => [alert, link, text, mend])).toEqual([
    [
      'flux-system/lost',
      'provider',
      'Alert flux-system/lost: the Provider of its Alert is not there.',
      'Create the Provider in the namespace of the Alert, or correct providerRef.',
    ],
    [
      'flux-system/off',
      'suspended',
      'Alert flux-system/off: its Alert is suspended.',
      'Take spec.suspend out of the Alert.',
    ],
    [
      'flux-system/quiet',
      'provider-suspended',
      'Alert flux-system/quiet: the Provider of its Alert is suspended.',
      'Take spec.suspend out of the Provider.',
    ],
    [
      'flux-system/status',
      'no-message',
      'Alert flux-system/status: the Provider of its Alert only writes beside commits.',
      'Name a Provider that tells somebody: slack, msteams, pagerduty.',
    ],
  ]);
});

it.each([
  ['dead', [alertOf(), providerOf()], ['controller']],
  ['dead', [], []],
  ['unknown', [alertOf(), providerOf()], []],
] as const)('a notification-controller that is %s, of %j', (state, facts, links) => {
  const { findings } = asked(notifyingCluster(facts, { controllers: [notifierController({ state })] }));
  expect(findings.map(({ link }) => link)).toEqual(links);
});

it('goes through the Alerts once for all objects of a namespace that none of them names, and tells each what is so of it', () => {
  let looked = 0;
  const own = { kind: 'Kustomization', namespace: ref.namespace, name: '*', labels: [] };
  const alerts = Array.from({ length: 50 }, (_, n) => ({
    ...alertOf({ name: `a${n}`, provider: 'gone' }),
    get sources() {
      looked += 1;
      return n === 0 ? [{ ...own, namespace: 'apps', name: 'o7' }] : [own];
    },
  }));
  const namedOne = alertOf({ name: 'one', sources: [{ ...own, namespace: 'apps', name: 'o7' }] });
  const objects = Array.from({ length: 600 }, (_, n) =>
    named(`o${n % 200}`, { namespace: n < 200 ? 'apps' : n < 400 ? ref.namespace : `n${n}` }),
  );
  const cluster = notifyingCluster([...alerts, namedOne, providerOf()]);
  const { kinds } = notificationsOf({ name: 'c1', objects, alarming: null }, cluster, noon);
  expect(kinds.map(({ told }) => told)).toEqual([{ yes: 1, no: 599, unknown: 0 }]);
  expect(looked).toBeLessThan(10 * alerts.length);
});
