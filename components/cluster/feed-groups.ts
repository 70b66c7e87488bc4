import type { WireFeed } from '#lib/api/cluster.ts';
import { kindKey } from '#lib/domain/observation/ref.ts';
import { feedLook } from './feed-text.ts';

/** Line of the page: one kind, or several that are in the same trouble for the same reason. */
export interface FeedGroup {
  readonly key: string;
  readonly first: WireFeed;
  readonly feeds: readonly WireFeed[];
}

const stateOrder: readonly WireFeed['state'][] = ['forbidden', 'failed', 'silent', 'syncing', 'live', 'idle', 'absent'];

function byTrouble(a: WireFeed, b: WireFeed): number {
  return (
    stateOrder.indexOf(a.state) - stateOrder.indexOf(b.state) ||
    Number(a.objects === 0) - Number(b.objects === 0) ||
    (kindKey(a) < kindKey(b) ? -1 : 1)
  );
}

/** Key of the kinds of one line. A refusal names each resource in its words: there the API group is what must be granted. */
function keyOf(feed: WireFeed): string {
  if (!feedLook(feed).loud) return kindKey(feed);
  return `${feed.state} ${feed.state === 'forbidden' ? feed.group : (feed.reason ?? '')}`;
}

/** Kinds as lines, troubles first: one cause is said once, with all that it takes. */
export function groupFeeds(feeds: readonly WireFeed[]): readonly FeedGroup[] {
  return [...Map.groupBy(feeds.toSorted(byTrouble), keyOf)].flatMap(([key, members]) => {
    const [first] = members;
    return first === undefined ? [] : [{ key, first, feeds: members }];
  });
}
