import { scopeSentences } from './grant-text.ts';
import type { Role, Viewer } from './viewer.ts';

/** A viewer as their own pages show them. */
export interface ShownViewer {
  /** The name, else the subject. */
  readonly name: string;
  readonly subject: string;
  readonly by: Viewer['by'];
  readonly roles: readonly Role[];
  /** Sentences on what they see. */
  readonly sees: readonly string[];
  /** They see everything: nothing lies outside their view. */
  readonly whole: boolean;
  /** When it must be asked again, in ms since the epoch; null for never. */
  readonly until: number | null;
  /** Path that ends the session; null where there is none to end here. */
  readonly logout: string | null;
}

/** One request that was answered, for auditors. */
export interface NotedAccess {
  /** ms since the epoch. */
  readonly at: number;
  readonly by: Viewer['by'];
  readonly subject: string;
  readonly name: string | null;
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** True where the browser fetched it before anybody asked for it, as it does with pages that are linked: it was sent, and may not have been looked at. */
  readonly ahead: boolean;
  readonly status: number;
  readonly ms: number;
}

/** A viewer for their own pages. `logout`: the path that ends their session. */
export function shownViewer({ name, subject, by, roles, scope, until }: Viewer, logout: string | null): ShownViewer {
  return {
    name: name ?? subject,
    subject,
    by,
    roles: [...roles],
    sees: scopeSentences(scope),
    whole: scope.type === 'whole',
    until,
    logout,
  };
}
