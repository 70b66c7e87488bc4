import type { Scope } from '#lib/api/scope.ts';
import type { CurrentFeed } from '#lib/domain/record/current.ts';
import type { ClusterAsKnown } from '#lib/domain/verdict/as-known-at.ts';
import { reconcilerOfGroup } from '#lib/domain/observation/reconciler-of-group.ts';
import { isBesideKind } from '#lib/domain/observation/beside-kinds.ts';

/** A kind that is not served (absent) or has no object (idle) hides nothing. */
const hiding: ReadonlySet<CurrentFeed['state']> = new Set(['forbidden', 'failed', 'silent', 'syncing']);

/** True if objects may be there that are not read from this feed now. */
export function isHiding({ state }: CurrentFeed): boolean {
  return hiding.has(state);
}

/** The feeds from which objects that a scope keeps may come. */
export function feedsIn(
  { group, kind, reconciler }: Pick<Scope, 'group' | 'kind' | 'reconciler'>,
  feeds: readonly CurrentFeed[],
): readonly CurrentFeed[] {
  const inGroup = group === '-' ? '' : group;
  return feeds.filter((feed) => {
    const owner = reconcilerOfGroup(feed.group);
    return (
      (group === '' || feed.group === inGroup) &&
      (kind === '' || feed.kind === kind) &&
      (reconciler === '' || owner === null || owner === reconciler)
    );
  });
}

/** The kinds of reconciled objects that a cluster, or what a scope keeps of it, has or may have and that cannot be read now. */
export function hiddenKinds({ feeds }: { readonly feeds: readonly CurrentFeed[] }): readonly string[] {
  return feeds.flatMap((feed) => (isHiding(feed) && feed.state !== 'syncing' && !isBesideKind(feed) ? feed.kind : []));
}

/**
 * True if a cluster may have objects of the kinds of some feeds that nothing known tells of: one of the kinds cannot be read, or it is
 * not seen and of its `objects` none was ever.
 */
export function mayHide(state: ClusterAsKnown['state'], objects: number, feeds: readonly CurrentFeed[]): boolean {
  if (state === 'declared') return false;
  return (state !== 'live' && objects === 0) || feeds.some((feed) => isHiding(feed) && !isBesideKind(feed));
}
