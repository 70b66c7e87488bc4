/**
 * Links from an object to a message in a channel, in their order. The first that is broken is named.
 * event: its controller sends no event for what it is; alert: no Alert covers it; suspended, not-ready: the Alert that does; severity, messages: what
 * the Alert lets through; provider: the one it names is not there; provider-suspended, provider-not-ready: it is; no-message: it only writes
 * beside commits; controller: notification-controller does not live.
 */
export const notificationLinks = [
  'event',
  'alert',
  'suspended',
  'not-ready',
  'severity',
  'messages',
  'provider',
  'provider-suspended',
  'provider-not-ready',
  'no-message',
  'controller',
] as const;

export type NotificationLink = (typeof notificationLinks)[number];

/**
 * Why it is not known who is told. not-kept: of a past moment; not-seen: its cluster is not seen; not-read: its Alerts or Providers cannot be read;
 * cut: there are more Alerts than are kept; unclear: a link may be whole or not.
 */
export const notificationsUnknown = ['not-kept', 'not-seen', 'not-read', 'cut', 'unclear'] as const;

export type NotificationsUnknown = (typeof notificationsUnknown)[number];

/** An Alert that covers an object, or may, with its first link that is broken or not clear. */
export interface AlertReach {
  readonly namespace: string;
  readonly name: string;
  /** Name of its Provider, and by what that tells ("slack"); null where that is not known. */
  readonly provider: string;
  readonly calls: string | null;
  readonly state: 'whole' | 'broken' | 'unclear';
  /** null where it is whole. */
  readonly link: NotificationLink | null;
}

export const notifiedStates = ['told', 'not-told', 'unknown'] as const;

/** Answer to whether Flux tells of an object: the Alert that got furthest decides. `alerts`: all that cover it, or may, the furthest first. */
export type Notified = { readonly alerts: readonly AlertReach[] } & (
  | { readonly state: 'told' }
  | { readonly state: 'not-told'; readonly link: NotificationLink }
  /** `link`: the one that is not clear; null where it is nothing of one. */
  | { readonly state: 'unknown'; readonly why: NotificationsUnknown; readonly link: NotificationLink | null }
);
