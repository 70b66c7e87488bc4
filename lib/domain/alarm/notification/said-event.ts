import { type GroupKind, kindKey, refKey } from '../../observation/ref.ts';
import type { CurrentObject } from '../../record/current.ts';

/**
 * The event that the controller of an object sends to notification-controller for what the object is now.
 * error: one of severity error, at each attempt anew, with this message ('' where it is not kept). none: it sends none. unclear: it may send one, or
 * sent one once: who was told then is not known.
 */
export type SaidEvent =
  | { readonly type: 'error'; readonly message: string }
  | { readonly type: 'none'; readonly why: string }
  | { readonly type: 'unclear' };

/** Kinds whose controllers send their events to notification-controller. Sources: KC, HC, SC, source-watcher, IRC, IAC `main.go` (events.NewRecorder). */
const telling: ReadonlySet<string> = new Set(
  [
    ['kustomize.toolkit.fluxcd.io', 'Kustomization'],
    ['helm.toolkit.fluxcd.io', 'HelmRelease'],
    ['source.toolkit.fluxcd.io', 'GitRepository'],
    ['source.toolkit.fluxcd.io', 'OCIRepository'],
    ['source.toolkit.fluxcd.io', 'Bucket'],
    ['source.toolkit.fluxcd.io', 'HelmRepository'],
    ['source.toolkit.fluxcd.io', 'HelmChart'],
    ['source.extensions.fluxcd.io', 'ArtifactGenerator'],
    ['image.toolkit.fluxcd.io', 'ImageRepository'],
    ['image.toolkit.fluxcd.io', 'ImagePolicy'],
    ['image.toolkit.fluxcd.io', 'ImageUpdateAutomation'],
  ].map(([group = '', kind = '']) => kindKey({ group, kind })),
);

/** Groups whose controllers send events where they are started to: that cannot be seen. */
const mayTell: ReadonlySet<string> = new Set([
  'fluxcd.controlplane.io',
  'infra.contrib.fluxcd.io',
  'notification.toolkit.fluxcd.io',
]);

/**
 * Reasons with which a controller sends an error at each attempt, by API group. A release that failed is none of them: where no retries are left its
 * event was sent once. Sources: KC 1.9.4 kustomization_controller.go (each failure of reconcile), HC 1.6.3 helmrelease_controller.go (values), SC 1.9.1
 * internal/error (NewGeneric is tried again), and the reconcilers: AuthenticationFailed may be NewStalling, which is not.
 */
const errors: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['kustomize.toolkit.fluxcd.io', new Set(['BuildFailed', 'ReconciliationFailed', 'PruneFailed', 'HealthCheckFailed'])],
  ['helm.toolkit.fluxcd.io', new Set(['ValuesError'])],
  [
    'source.toolkit.fluxcd.io',
    new Set([
      ...['GitOperationFailed', 'OCIArtifactPullFailed', 'OCIArtifactLayerOperationFailed'],
      ...['BucketOperationFailed', 'IndexationFailed', 'VerificationError'],
    ]),
  ],
]);

/** True of a kind whose controller may tell notification-controller anything at all. */
export function tellsOfKind(kind: GroupKind): boolean | null {
  if (telling.has(kindKey(kind))) return true;
  return mayTell.has(kind.group) ? null : false;
}

/** The event for what an object is, as known at a moment. */
export function eventOf(object: CurrentObject): SaidEvent {
  const { ref, verdict, reason, message } = object;
  const tells = tellsOfKind(ref);
  if (tells === false) return none('its controller tells notification-controller nothing');
  switch (verdict) {
    case 'diverged':
    case 'unhealthy':
      if (!(errors.get(ref.group)?.has(reason) ?? false) || !failsItself(object)) return { type: 'unclear' };
      return { type: 'error', message };
    case 'drifted':
      // helm-controller sends DriftDetected at each pass that finds one; its text is not kept.
      return tells !== null && ref.kind === 'HelmRelease' ? { type: 'error', message: '' } : { type: 'unclear' };
    case 'stale':
      return none('its controller gives no sign of life, so it sends nothing');
    case 'unobserved':
      return none('nobody sees it');
    case 'suspended':
      return none('it is suspended, and a suspended object sends nothing');
    case 'behind':
      return none('what is late sends no event');
    case 'waiting':
      return none('what waits sends no error');
    case 'progressing':
    case 'unconfirmed':
    case 'converged':
      return none('it has not failed');
  }
}

/** False of what fails by another: it may bear the reason of that one, whose controller sends it. */
function failsItself({ ref, rootCause }: CurrentObject): boolean {
  return rootCause === null || (rootCause.type === 'object' && refKey(rootCause.ref) === refKey(ref));
}

/** The event that an object would send if it failed, as far as its kind tells: nothing is known of its words. */
export function eventOfFailure(kind: GroupKind): SaidEvent {
  const tells = tellsOfKind(kind);
  if (tells === false) return none('its controller tells notification-controller nothing');
  return tells === null ? { type: 'unclear' } : { type: 'error', message: '' };
}

function none(why: string): SaidEvent {
  return { type: 'none', why };
}
