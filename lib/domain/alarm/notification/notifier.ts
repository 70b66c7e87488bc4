import { isOutOfSight, clusterAsKnownAt, feedOf, seeing } from '../../verdict/as-known-at.ts';
import type { GroupKind } from '../../observation/ref.ts';
import type { CurrentCluster } from '../../record/current.ts';
import type { NotificationAlert, NotificationProvider } from '../alarming/fact.ts';
import type { NotificationsUnknown } from './link.ts';

const group = 'notification.toolkit.fluxcd.io';
const controllerName = 'notification-controller';

/** The namespace in which Flux is installed by default. */
const home = 'flux-system';

/** Instances whose word counts: those in Flux's own namespace where there are any. Whoever may write in another may call a Deployment there alike. */
function ownOf(
  { controllers }: CurrentCluster,
  isMeant: (name: string) => boolean,
): readonly CurrentCluster['controllers'][number][] {
  const own = controllers.filter(({ name }) => isMeant(name));
  const atHome = own.filter(({ namespace }) => namespace === home);
  return atHome.length > 0 ? atHome : own;
}

/** Everything that one cluster tells of who is told by Flux. */
export interface Notifier {
  readonly alerts: readonly NotificationAlert[];
  /** There are more Alerts than are kept. */
  readonly cut: boolean;
  /** Providers by namespace and name; null where they cannot be read. */
  readonly providers: ReadonlyMap<string, NotificationProvider> | null;
  /** There are more Providers than are kept. */
  readonly providersCut: boolean;
  readonly controller: 'alive' | 'dead' | 'unknown';
  /** True where an Alert covers objects of other namespaces; null where that is not known. */
  readonly crosses: boolean | null;
  /** The namespace of notification-controller, where who runs it for all writes Alerts; null where several are called alike. */
  readonly home: string | null;
  /** Controllers that are started with --events-addr, by `sendsEvents`: true, or false: they send no event. What is not known of is not in it. */
  readonly sending: ReadonlyMap<string, boolean>;
}

/** One text for the name of a Provider. */
export function providerKey({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

/** Controllers of the kinds that they tell of, as their Deployments are called in the manifests of Flux. */
const tellers: readonly (readonly [group: string, controller: string, kinds?: readonly string[]])[] = [
  ['kustomize.toolkit.fluxcd.io', 'kustomize-controller'],
  ['helm.toolkit.fluxcd.io', 'helm-controller'],
  ['source.toolkit.fluxcd.io', 'source-controller'],
  ['source.extensions.fluxcd.io', 'source-watcher'],
  ['image.toolkit.fluxcd.io', 'image-reflector-controller', ['ImageRepository', 'ImagePolicy']],
  ['image.toolkit.fluxcd.io', 'image-automation-controller', ['ImageUpdateAutomation']],
];

/** Tests if the controller of a kind sends its events; null where that is not known: its Deployment cannot be read, or one instance sends and another not. */
export function sendsEvents({ sending }: Notifier, { group: of, kind }: GroupKind): boolean | null {
  const teller = tellers.find(([asked, , kinds]) => asked === of && (kinds?.includes(kind) ?? true));
  return teller === undefined ? null : (sending.get(teller[1]) ?? null);
}

/** Which instance takes an object is not asked: what all of them say is known. */
function sendingOf(cluster: CurrentCluster): ReadonlyMap<string, boolean> {
  return new Map(
    tellers.flatMap(([, controller]) => {
      const own = ownOf(cluster, (name) => name === controller || name.startsWith(`${controller}-`));
      const [said, ...others] = new Set(own.map((one) => one.sendsEvents));
      return said === undefined || others.length > 0 ? [] : [[controller, said]];
    }),
  );
}

const made = new WeakMap<CurrentCluster, Notifier>();

/** All that a cluster tells at `now` (ms), or why nothing of it may be believed. */
export function notifierOf(cluster: CurrentCluster | null, now: number): Notifier | NotificationsUnknown {
  if (cluster === null) return 'not-seen';
  if (cluster.alarming === null) return 'not-kept';
  const { state } = clusterAsKnownAt(cluster, now);
  if (isOutOfSight(state) || state === 'connecting') return 'not-seen';
  if (!isRead(cluster, { group, kind: 'Alert' })) return 'not-read';
  const found = made.get(cluster) ?? make(cluster, cluster.alarming);
  made.set(cluster, found);
  return found;
}

/** True if what is known of a kind may be believed: its feed is live, or it is not served at all. */
function isRead(cluster: CurrentCluster, kind: GroupKind): boolean {
  const feed = feedOf(cluster, kind);
  return feed !== null && (seeing[feed.state] || feed.state === 'absent');
}

function make(cluster: CurrentCluster, { facts, cut }: NonNullable<CurrentCluster['alarming']>): Notifier {
  const providers = facts.filter((fact) => fact.type === 'notification-provider');
  return {
    alerts: facts.filter((fact) => fact.type === 'notification-alert'),
    cut: cut.includes('notification-alert'),
    providers: isRead(cluster, { group, kind: 'Provider' })
      ? new Map(providers.map((provider) => [providerKey(provider), provider]))
      : null,
    providersCut: cut.includes('notification-provider'),
    ...standingOf(cluster),
    sending: sendingOf(cluster),
  };
}

/** Of several instances in Flux's own namespace one that lives is enough, and each may send; of others all must live, and agree. */
function standingOf(cluster: CurrentCluster): Pick<Notifier, 'controller' | 'crosses' | 'home'> {
  const own = ownOf(cluster, (name) => name === controllerName);
  const [only = home, ...others] = new Set(own.map(({ namespace }) => namespace));
  const living = own.filter(({ state }) => state === 'alive');
  const isHome = own.some(({ namespace }) => namespace === home);
  const lives = living.length > 0 && (isHome || living.length === own.length);
  const isDead = own.length > 0 && own.every(({ state }) => state === 'dead');
  const asked = living.map(({ ownReferencesOnly }) => ownReferencesOnly);
  const isUnsure = asked.length === 0 || asked.includes(undefined) || (!isHome && new Set(asked).size > 1);
  return {
    controller: lives ? 'alive' : isDead ? 'dead' : 'unknown',
    home: others.length === 0 ? only : null,
    crosses: isHome && asked.includes(false) ? true : isUnsure ? null : asked.includes(false),
  };
}
