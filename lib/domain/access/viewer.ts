import { wholeScope, type ViewScope } from './scope.ts';

export const roles = ['viewer', 'link-maker', 'auditor'] as const;
export type Role = (typeof roles)[number];

/** Who asks. Times in ms since the epoch. */
export interface Viewer {
  /** The way by which that is known; `open`: no `auth` is set, and nobody is asked. */
  readonly by: 'open' | 'session' | 'proxy' | 'token';
  /** Issuer and subject of a person, the id of a token; '' where nobody is asked. What is logged. */
  readonly subject: string;
  /** A name to greet with, as the provider gives it, cleaned; null where it gives none. */
  readonly name: string | null;
  readonly roles: ReadonlySet<Role>;
  readonly scope: ViewScope;
  /** When it must be asked again, at which streams end; null for never. */
  readonly until: number | null;
}

/** The one viewer where no `auth` is set. */
export const anybody: Viewer = {
  by: 'open',
  subject: '',
  name: null,
  roles: new Set(['viewer', 'link-maker']),
  scope: wholeScope,
  until: null,
};
