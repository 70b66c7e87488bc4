import { at, objectAt, textAt } from '#lib/foreign.ts';
import { foreignReason } from '#lib/foreign-words.ts';
import type { GroupSettings } from '#server/config/access/auth-settings.ts';

/** Groups that a provider tells of a person. */
export type ToldGroups =
  /** As the file calls them; none where it tells of none. */
  | { readonly type: 'told'; readonly groups: readonly string[] }
  /** The claim is not there. */
  | { readonly type: 'absent' }
  /** There are more than it tells: it names another place to ask instead (Entra ID: group overage). */
  | { readonly type: 'overage' }
  /** There are more than are looked at. */
  | { readonly type: 'too-many' };

/** Most groups of one person that are looked at. */
const mostGroups = 5_000;
/** Longest name of a group, in UTF-16 units. */
const longestGroup = 1_024;

/** The groups that claims hold, as the file calls them. */
export function toldGroups(claims: unknown, { claim, names }: GroupSettings): ToldGroups {
  const told = at(claims, ...claim);
  if (told === undefined || told === null) {
    // OpenID Connect Core 5.6.2: the claim is elsewhere. Entra ID also says "hasgroups" where it leaves them out.
    const isElsewhere = claim.length === 1 && Object.hasOwn(objectAt(claims, '_claim_names'), claim[0] ?? '');
    return { type: isElsewhere || at(claims, 'hasgroups') === true ? 'overage' : 'absent' };
  }
  const listed = Array.isArray(told) ? told : [told];
  if (listed.length > mostGroups) return { type: 'too-many' };
  const groups = listed.filter((each) => typeof each === 'string' && each !== '' && each.length <= longestGroup);
  // A name that the file gives to an id is nobody's whose group is only called so: whoever may name a group would choose it.
  const given = new Set(names.values());
  return {
    type: 'told',
    groups: [...new Set(groups.flatMap((each) => names.get(each) ?? (given.has(each) ? [] : each)))],
  };
}

/** A name to greet a person with, cleaned; null where the claims have none. Never what tells one person from another. */
export function greetingName(claims: unknown): string | null {
  const said = textAt(claims, 'name') ?? textAt(claims, 'preferred_username');
  const name = said === null ? '' : foreignReason(said).trim().slice(0, 100);
  return name === '' ? null : name;
}
