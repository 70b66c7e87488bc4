import type { Role } from './observation.ts';
import type { Drift } from '../verdict/verdict.ts';
import { day } from '../time/length.ts';

/** Roles whose objects apply something that could be changed behind their back. A source or a package applies nothing. */
const applies: Readonly<Record<Role, boolean>> = {
  source: false,
  applier: true,
  managed: true,
  composite: true,
  claim: true,
  package: false,
  definition: false,
  helper: false,
  declared: false,
};

/** True if nobody measures drift of an object that could drift: a hand on the cluster stays unseen. Say so wherever its verdict is. */
export function driftGoesUnseen({ role, drift }: { readonly role: Role; readonly drift: Drift }): boolean {
  return drift === 'not-measured' && applies[role];
}

/** A correction colours the drift of its object, and counts as a conflict where it is contested, for so long (ms). */
export const correctionCounts = day;
