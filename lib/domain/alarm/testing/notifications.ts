import { noon, seenCluster } from '../../testing/observed.ts';
import type { CurrentCluster, CurrentController, CurrentFeed } from '../../record/current.ts';
import type { AlarmingFact, NotificationAlert, NotificationProvider } from '../alarming/fact.ts';

const group = 'notification.toolkit.fluxcd.io';

/** An Alert of every Kustomization in flux-system. */
export function alertOf(part: Partial<NotificationAlert> = {}): NotificationAlert {
  return {
    type: 'notification-alert',
    namespace: 'flux-system',
    name: 'on-call',
    suspended: false,
    ready: null,
    severity: 'error',
    sources: [{ kind: 'Kustomization', namespace: 'flux-system', name: '*', labels: [] }],
    more: false,
    including: [],
    excluding: [],
    provider: 'slack',
    ...part,
  };
}

/** The Provider that it names. */
export function providerOf(part: Partial<NotificationProvider> = {}): NotificationProvider {
  return {
    type: 'notification-provider',
    namespace: 'flux-system',
    name: 'slack',
    suspended: false,
    ready: null,
    calls: 'slack',
    ...part,
  };
}

/** The feed of one of their kinds. */
export function notificationFeed(kind: string, state: CurrentFeed['state'] = 'live'): CurrentFeed {
  return {
    group,
    kind,
    version: 'v1beta3',
    namespaced: true,
    state,
    since: noon,
    reason: null,
    lastWordAt: noon,
    objects: 1,
  };
}

/** A notification-controller that lives, and follows references into other namespaces. */
export function notifierController(part: Partial<CurrentController> = {}): CurrentController {
  return {
    namespace: 'flux-system',
    name: 'notification-controller',
    lease: 'notification-controller-leader-election',
    state: 'alive',
    lastMovedAt: noon,
    durationSeconds: 35,
    holder: null,
    transitions: 1,
    version: 'v1.9.3',
    deployment: 'available',
    ownReferencesOnly: false,
    objects: 0,
    ...part,
  };
}

/** A controller that lives; `sends` is undefined where its Deployment cannot be read. */
export function sendingController(name: string, sends: boolean | undefined): CurrentController {
  const { ownReferencesOnly: _, ...unread } = notifierController({ name, lease: `${name}-leader-election` });
  return sends === undefined ? unread : { ...unread, ownReferencesOnly: false, sendsEvents: sends };
}

/** Controllers of Flux whose events are sent. */
export const sendingControllers: readonly CurrentController[] = [
  ...['kustomize-controller', 'helm-controller', 'source-controller', 'source-watcher'],
  ...['image-reflector-controller', 'image-automation-controller'],
].map((name) => sendingController(name, true));

/** A cluster that is seen, with what its objects say of who is called. */
export function notifyingCluster(
  facts: readonly AlarmingFact[] = [alertOf(), providerOf()],
  part: Partial<CurrentCluster> = {},
): CurrentCluster {
  return seenCluster({
    feeds: [...seenCluster().feeds, notificationFeed('Alert'), notificationFeed('Provider')],
    controllers: [notifierController(), ...sendingControllers],
    alarming: { facts, cut: [] },
    ...part,
  });
}
