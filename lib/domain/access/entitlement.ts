import type { Grant, ViewScope } from './scope.ts';
import { wholeScope } from './scope.ts';
import type { Role } from './viewer.ts';

/** One line of `auth.access`: whom it is about, and what they may. */
export interface Entitlement {
  /** Names of groups, as the file calls them. */
  readonly groups: readonly string[];
  /** Issuer and subject, as `subjectOf` writes them. */
  readonly subjects: readonly string[];
  readonly roles: readonly Role[];
  /** The grants, those of its teams among them; null for everything. */
  readonly grants: readonly Grant[] | null;
}

/** A person as the identity provider vouches for them. */
export interface Person {
  readonly subject: string;
  /** Names of groups, as the file calls them. */
  readonly groups: readonly string[];
}

/** Roles, at least `viewer`, and the scope of somebody. */
export interface Entitled {
  readonly roles: ReadonlySet<Role>;
  readonly scope: ViewScope;
}

/** The union of all entitlements of a person; null where none is about them. */
export function entitledTo(person: Person, entitlements: readonly Entitlement[]): Entitled | null {
  const groups = new Set(person.groups);
  const own = entitlements.filter(
    (each) => each.subjects.includes(person.subject) || each.groups.some((name) => groups.has(name)),
  );
  if (own.length === 0) return null;
  return {
    roles: new Set(['viewer', ...own.flatMap(({ roles }) => roles)]),
    scope: union(own.map(({ grants }) => grants)),
  };
}

/** The union of lists of grants, of which null is everything. */
export function union(lists: readonly (readonly Grant[] | null)[]): ViewScope {
  const grants = lists.filter((list) => list !== null);
  return grants.length < lists.length ? wholeScope : { type: 'grants', grants: grants.flat() };
}

/** Names of groups that entitlements are about: no other one need be known of a person. */
export function namedGroups(entitlements: readonly Entitlement[]): ReadonlySet<string> {
  return new Set(entitlements.flatMap(({ groups }) => groups));
}

/**
 * A person's name for good: the issuer, "#", and the subject there. No issuer has a fragment (OpenID Connect Discovery 1.0, 3), so no two
 * people have the same one.
 */
export function subjectOf(issuer: string, sub: string): string {
  return `${issuer}#${sub}`;
}
