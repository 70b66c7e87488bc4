import { describe, expect, it } from 'vitest';
import { noon, recorded } from '../../testing/observed.ts';
import type { CurrentCluster, CurrentController, CurrentObject } from '../../record/current.ts';
import type { AlarmingFact, NotificationAlert } from '../alarming/fact.ts';
import {
  alertOf,
  notificationFeed,
  notifierController,
  notifyingCluster,
  providerOf,
  sendingController,
  sendingControllers,
} from '../testing/notifications.ts';
import type { Notified } from './link.ts';
import { notifiedOf, wouldBeNotified } from './notified.ts';
import { notifiedMend, notifiedText, wouldBeNotifiedText } from './text.ts';

interface Told {
  readonly facts?: readonly AlarmingFact[];
  readonly cluster?: Partial<CurrentCluster>;
  readonly object?: Partial<CurrentObject>;
}

const failing: Partial<CurrentObject> = {
  verdict: 'diverged',
  reason: 'BuildFailed',
  message: 'kustomize build failed: no such file',
};

const clusterOf = ({ facts, cluster }: Told): CurrentCluster => notifyingCluster(facts, cluster);

function asked(told: Told): Notified {
  return notifiedOf(recorded({ ...failing, ...told.object }), clusterOf(told), noon);
}

/** "told", "not-told provider", "unknown unclear messages" */
function short(notified: Notified): string {
  switch (notified.state) {
    case 'told':
      return 'told';
    case 'not-told':
      return `not-told ${notified.link}`;
    case 'unknown':
      return `unknown ${notified.why}${notified.link === null ? '' : ` ${notified.link}`}`;
  }
}

/** The controllers whose events are sent, beside those that are to send them on. */
const withNotifiers = (...own: readonly CurrentController[]): Partial<CurrentCluster> => ({
  controllers: [...own, ...sendingControllers],
});
const all = (...facts: readonly AlarmingFact[]): Told => ({ facts });
const source = alertOf().sources[0] ?? { kind: '', namespace: '', name: '', labels: [] };
const named = (part: Partial<typeof source>, of: Partial<NotificationAlert> = {}): Told =>
  all(alertOf({ sources: [{ ...source, ...part }], ...of }), providerOf());

it('looks at no more patterns of all Alerts together than so many, and says then that it is not known', () => {
  const patterns = Array.from({ length: 256 }, (_, at) => `never ${at}|nor this ${at}`);
  const alerts = Array.from({ length: 50 }, (_, at) => alertOf({ name: `a${at}`, including: patterns }));
  const object = { message: 'line\n'.repeat(200) };
  expect(short(asked({ ...all(...alerts, providerOf()), object }))).toBe('unknown unclear messages');
  expect(short(asked({ ...all(alertOf({ including: ['line'] }), providerOf()), object }))).toBe('told');
});

describe('an object that fails', () => {
  it.each<readonly [string, Told, string]>([
    ['a chain that is whole', {}, 'told'],
    ['a severity of info', all(alertOf({ severity: 'info' }), providerOf()), 'told'],
    ['an Alert that names it', named({ name: recorded().ref.name }), 'told'],
    ['an Alert that names another', named({ name: 'another' }), 'not-told alert'],
    ['an Alert of another kind', named({ kind: 'HelmRelease' }), 'not-told alert'],
    ['an Alert of another namespace of objects', named({ namespace: 'apps' }), 'not-told alert'],
    ['no Alert at all', all(providerOf()), 'not-told alert'],
    ['labels, which are not kept of it', named({ labels: ['app=orders'] }), 'unknown unclear alert'],
    ['more event sources than are kept', named({ name: 'another' }, { more: true }), 'unknown unclear alert'],
    ['an Alert that is suspended', all(alertOf({ suspended: true }), providerOf()), 'not-told suspended'],
    ['an Alert that is not Ready', all(alertOf({ ready: false }), providerOf()), 'not-told not-ready'],
    ['an Alert of a severity that is none', all(alertOf({ severity: 'other' }), providerOf()), 'not-told severity'],
    ['a Provider that is not there', all(alertOf()), 'not-told provider'],
    ['a Provider of another namespace', all(alertOf(), providerOf({ namespace: 'apps' })), 'not-told provider'],
    ['a Provider that is suspended', all(alertOf(), providerOf({ suspended: true })), 'not-told provider-suspended'],
    ['a Provider that is not Ready', all(alertOf(), providerOf({ ready: false })), 'not-told provider-not-ready'],
    ['a Provider that is Ready', all(alertOf({ ready: true }), providerOf({ ready: true })), 'told'],
    ...['generic', 'alertmanager', 'grafana', 'githubdispatch', 'nats', 'unheard-of'].map(
      (calls) =>
        [`a Provider of type ${calls}`, all(alertOf(), providerOf({ calls })), 'unknown unclear no-message'] as const,
    ),
    ...['pagerduty', 'msteams', 'matrix'].map(
      (calls) => [`a Provider of type ${calls}`, all(alertOf(), providerOf({ calls })), 'told'] as const,
    ),
    ['a Provider of commit statuses', all(alertOf(), providerOf({ calls: 'github' })), 'not-told no-message'],
    [
      'a word to exclude that it says',
      all(alertOf({ excluding: ['no such file'] }), providerOf()),
      'not-told messages',
    ],
    ['a word to exclude that it does not', all(alertOf({ excluding: ['waiting'] }), providerOf()), 'told'],
    ['a pattern that is not plain', all(alertOf({ excluding: ['\\d+'] }), providerOf()), 'unknown unclear messages'],
    ['patterns that are not kept', all(alertOf({ excluding: null }), providerOf()), 'unknown unclear messages'],
    ['a word to include that it says', all(alertOf({ including: ['^kustomize build'] }), providerOf()), 'told'],
    ['a word to include that it does not', all(alertOf({ including: ['health'] }), providerOf()), 'not-told messages'],
    [
      'included by one pattern, though another is not plain',
      all(alertOf({ including: ['\\d+', 'build'] }), providerOf()),
      'told',
    ],
  ])('with %s is %s', (_what, told, expected) => {
    const found = asked(told);
    expect(short(found)).toBe(expected);
    expect(notifiedMend(found) === null).toBe(found.state !== 'not-told' || found.link === 'event');
  });

  it.each<readonly [string, Partial<CurrentCluster>, string]>([
    ['is dead', withNotifiers(notifierController({ state: 'dead' })), 'not-told controller'],
    ['is not known to live', withNotifiers(notifierController({ state: 'unknown' })), 'unknown unclear controller'],
    ['is nowhere', withNotifiers(), 'unknown unclear controller'],
    [
      'lives once, and is dead once',
      withNotifiers(notifierController(), notifierController({ state: 'dead' })),
      'told',
    ],
  ])('while notification-controller %s', (_what, cluster, expected) => {
    expect(short(asked({ cluster }))).toBe(expected);
  });

  it.each<readonly [string, Partial<CurrentCluster>, string]>([
    [
      'Alerts are forbidden',
      { feeds: [notificationFeed('Alert', 'forbidden'), notificationFeed('Provider')] },
      'unknown not-read',
    ],
    [
      'Alerts are being listed',
      { feeds: [notificationFeed('Alert', 'syncing'), notificationFeed('Provider')] },
      'unknown not-read',
    ],
    ['the record names no feed of them', { feeds: [] }, 'unknown not-read'],
    [
      'Alerts are not served',
      { feeds: [notificationFeed('Alert', 'absent')], alarming: { facts: [], cut: [] } },
      'not-told alert',
    ],
    [
      'Providers are forbidden',
      {
        feeds: [notificationFeed('Alert'), notificationFeed('Provider', 'forbidden')],
        alarming: { facts: [alertOf()], cut: [] },
      },
      'unknown unclear provider',
    ],
    ['there are more Alerts', { alarming: { facts: [], cut: ['notification-alert'] } }, 'unknown cut'],
    [
      'there are more Providers',
      { alarming: { facts: [alertOf()], cut: ['notification-provider'] } },
      'unknown unclear provider',
    ],
    ['the moment is past', { alarming: null }, 'unknown not-kept'],
    ['the cluster is lost', { state: 'unreachable' }, 'unknown not-seen'],
    ['the cluster is being connected to', { state: 'connecting' }, 'unknown not-seen'],
    ['nobody vouches for the cluster', { validUntil: noon }, 'unknown not-seen'],
  ])('where %s', (_what, cluster, expected) => {
    expect(short(asked({ cluster }))).toBe(expected);
  });

  it.each<readonly [readonly (boolean | undefined)[], string]>([
    [[true], 'told'],
    [[true, true], 'told'],
    [[false], 'not-told event'],
    [[false, false], 'not-told event'],
    [[false, true], 'unknown unclear event'],
    [[undefined], 'unknown unclear event'],
    [[true, undefined], 'unknown unclear event'],
    [[false, undefined], 'unknown unclear event'],
    [[], 'unknown unclear event'],
  ])('whose controllers are started with --events-addr: %j', (started, expected) => {
    const own = started.map((sends, at) =>
      sendingController(at === 0 ? 'kustomize-controller' : `kustomize-controller-shard${at}`, sends),
    );
    expect(short(asked({ cluster: { controllers: [notifierController(), ...own] } }))).toBe(expected);
  });

  it('whose controller sends no events, in words', () => {
    const own = notifierController({ name: 'kustomize-controller', sendsEvents: false });
    const found = asked({ cluster: { controllers: [notifierController(), own] } });
    expect(notifiedText(found, recorded(failing))).toContain('sends no events to notification-controller');
  });

  it('of a cluster that is not known', () => {
    expect(short(notifiedOf(recorded(failing), null, noon))).toBe('unknown not-seen');
  });

  it('is told by any Alert, and the one that gets furthest is named', () => {
    const broken = alertOf({ name: 'a', suspended: true });
    const found = asked(all(broken, alertOf({ name: 'b' }), alertOf({ name: 'c', provider: 'none' }), providerOf()));
    expect(found.alerts.map(({ name, state, link }) => [name, state, link])).toEqual([
      ['b', 'whole', null],
      ['c', 'broken', 'provider'],
      ['a', 'broken', 'suspended'],
    ]);
    expect(short(asked(all(broken, alertOf({ name: 'c', provider: 'none' }), providerOf())))).toBe('not-told provider');
    expect(short(asked(all(broken, alertOf({ excluding: ['\\d'] }), providerOf())))).toBe('unknown unclear messages');
  });
});

describe('an Alert of another namespace', () => {
  const elsewhere = all(alertOf({ namespace: 'tenants' }), providerOf({ namespace: 'tenants' }));

  it.each<readonly [string, Partial<CurrentController>, string]>([
    ['is followed', { ownReferencesOnly: false }, 'told'],
    ['is blocked', { ownReferencesOnly: true }, 'not-told alert'],
  ])('covers it where that %s', (_what, part, expected) => {
    expect(short(asked({ ...elsewhere, cluster: withNotifiers(notifierController(part)) }))).toBe(expected);
  });

  it('may cover it where the Deployment of notification-controller cannot be read', () => {
    const { ownReferencesOnly: _, ...unread } = notifierController();
    expect(short(asked({ ...elsewhere, cluster: withNotifiers(unread) }))).toBe('unknown unclear alert');
  });
});

describe('several notification-controllers', () => {
  const elsewhere = all(alertOf({ namespace: 'tenants' }), providerOf({ namespace: 'tenants' }));
  const one = (namespace: string, part: Partial<CurrentController>) => notifierController({ namespace, ...part });
  const crosses = { ownReferencesOnly: false } as const;
  const blocks = { ownReferencesOnly: true } as const;

  it.each<readonly [string, readonly CurrentController[], string]>([
    [
      'dead at home, one called alike',
      [one('flux-system', { state: 'dead' }), one('a', crosses)],
      'not-told controller',
    ],
    [
      'one at home that blocks, one called alike that does not',
      [one('flux-system', blocks), one('a', crosses)],
      'not-told alert',
    ],
    ['one at home, a dead one called alike', [one('flux-system', crosses), one('a', { state: 'dead' })], 'told'],
    [
      'none at home, of which one is dead',
      [one('a', crosses), one('b', { state: 'dead' })],
      'unknown unclear controller',
    ],
    ['none at home, of which one blocks', [one('a', crosses), one('b', blocks)], 'unknown unclear alert'],
    ['none at home, all alike', [one('a', crosses), one('b', crosses)], 'told'],
  ])('%s', (_what, controllers, expected) => {
    expect(short(asked({ ...elsewhere, cluster: withNotifiers(...controllers) }))).toBe(expected);
  });
});

describe('the event of an object', () => {
  const kustomize = recorded().ref;
  const helm = { ...kustomize, group: 'helm.toolkit.fluxcd.io', kind: 'HelmRelease' };
  const covering = (kind: string, part: Partial<NotificationAlert> = {}): readonly AlarmingFact[] => [
    alertOf({ sources: [{ ...source, kind }], ...part }),
    providerOf(),
  ];

  it.each<readonly [string, Partial<CurrentObject>, string]>([
    ['stale', { verdict: 'stale' }, 'not-told event'],
    ['unobserved', { verdict: 'unobserved' }, 'not-told event'],
    ['suspended', { verdict: 'suspended' }, 'not-told event'],
    ['behind', { verdict: 'behind' }, 'not-told event'],
    ['waiting', { verdict: 'waiting', reason: 'DependencyNotReady' }, 'not-told event'],
    ['progressing', { verdict: 'progressing' }, 'not-told event'],
    ['as in git', { verdict: 'converged' }, 'not-told event'],
    ['unhealthy', { verdict: 'unhealthy', reason: 'HealthCheckFailed' }, 'told'],
    ['failing with a reason that is not known', { reason: 'Odd' }, 'unknown unclear event'],
    ['failing without an artifact', { reason: 'ArtifactFailed' }, 'unknown unclear event'],
    [
      'failing by another',
      { rootCause: { type: 'object', ref: { ...kustomize, name: 'other' } } },
      'unknown unclear event',
    ],
    ['failing by itself', { rootCause: { type: 'object', ref: kustomize } }, 'told'],
    ['drifted, of Kustomizations', { verdict: 'drifted' }, 'unknown unclear event'],
  ])('%s', (_what, object, expected) => {
    expect(short(asked({ object }))).toBe(expected);
  });

  it.each<readonly [string, Partial<CurrentObject>, Partial<NotificationAlert>, string]>([
    ['a release that drifted', { ref: helm, verdict: 'drifted', reason: 'DriftDetected' }, {}, 'told'],
    [
      'of whose words nothing is kept',
      { ref: helm, verdict: 'drifted' },
      { excluding: ['x'] },
      'unknown unclear messages',
    ],
    ['a release whose values are not there', { ref: helm, reason: 'ValuesError' }, {}, 'told'],
    ['a release that failed, told once', { ref: helm, reason: 'UpgradeFailed' }, {}, 'unknown unclear event'],
    ['a reason of another controller', { ref: helm, reason: 'BuildFailed' }, {}, 'unknown unclear event'],
  ])('%s', (_what, object, part, expected) => {
    expect(short(asked({ object, facts: covering('HelmRelease', part) }))).toBe(expected);
  });

  it.each<readonly [string, string, string]>([
    ['s3.aws.upbound.io', 'Bucket', 'not-told event'],
    ['source.toolkit.fluxcd.io', 'Bucket', 'told'],
    ['argoproj.io', 'Application', 'not-told event'],
    ['infra.contrib.fluxcd.io', 'Terraform', 'unknown unclear event'],
  ])('of %s %s: %s', (of, kind, expected) => {
    const object = { ref: { ...kustomize, group: of, kind }, reason: 'BucketOperationFailed' };
    expect(short(asked({ object, facts: covering(kind) }))).toBe(expected);
  });
});

describe('an object that is as in git', () => {
  const home = (told: Told = {}, kind = recorded().ref) => wouldBeNotified(kind, clusterOf(told), noon);

  it.each<readonly [Told, string]>([
    [{}, 'told'],
    [all(alertOf({ excluding: ['waiting'] }), providerOf()), 'unknown unclear messages'],
    [all(alertOf()), 'not-told provider'],
    [{ cluster: { alarming: null } }, 'unknown not-kept'],
  ])('would be told of, or not', (told, expected) => {
    expect(short(home(told))).toBe(expected);
  });

  it('of a kind whose controller tells nothing would not be', () => {
    expect(short(home({}, { ...recorded().ref, group: 's3.aws.upbound.io', kind: 'Bucket' }))).toBe('not-told event');
  });
});

it('the words', () => {
  const told: readonly (readonly [Told, 'is' | 'would'])[] = [
    [{}, 'is'],
    [all(alertOf()), 'is'],
    [all(), 'is'],
    [{ object: { verdict: 'suspended' } }, 'is'],
    [named({ labels: ['a=b'] }), 'is'],
    [{ cluster: { alarming: null } }, 'is'],
    [{}, 'would'],
    [all(alertOf({ suspended: true }), providerOf()), 'would'],
    [all(alertOf({ excluding: ['x'] }), providerOf()), 'would'],
  ];
  const lines = told.map(([one, how]) => {
    if (how === 'would') return wouldBeNotifiedText(wouldBeNotified(recorded().ref, clusterOf(one), noon));
    const found = asked(one);
    return [notifiedText(found, recorded({ ...failing, ...one.object })), notifiedMend(found) ?? ''].join(' ').trim();
  });
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "Flux tells of it: Alert flux-system/on-call sends its errors to Provider slack (slack).
    Flux tells nobody of it: the Provider of its Alert is not there. Create the Provider in the namespace of the Alert, or correct providerRef.
    Flux tells nobody of it: no Alert covers it. Add it to eventSources of an Alert.
    Flux tells nobody of it: it is suspended, and a suspended object sends nothing.
    Whether Flux tells anybody of it is not known: an Alert covers it only by labels, or across namespaces, and whether it does is not known.
    Whether Flux tells anybody of it is not known: what Alerts there were is not kept.
    If it failed, Flux would tell of it: Alert flux-system/on-call sends its errors to Provider slack (slack).
    If it failed, Flux would tell nobody: its Alert is suspended.
    Whether Flux would tell anybody if it failed is not known: the patterns of its Alert may leave its message out."
  `);
});
