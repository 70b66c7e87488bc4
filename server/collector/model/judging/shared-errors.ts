import { refKey, type RefKey } from '#lib/domain/observation/ref.ts';
import type { Entry } from '../objects/entry.ts';

/** From how many resources, and from what share of a ProviderConfig's, one error is one cause. See docs/design/joins.md. */
const atLeast = 5;
const share = 0.5;
/** Length to which an error is told, in characters; one that is cut says so. */
const longest = 160;

interface Group {
  readonly members: Map<RefKey, string | null>;
  readonly errors: ErrorCounts;
  shared: string | null;
  /** The one by which its members were judged last. */
  told: string | null;
}

type ErrorCounts = ReturnType<typeof createErrorCounts>;

/** Counts errors, and knows the one that most have without going through all of them: each of tens of thousands may be another. Starts without any. */
function createErrorCounts() {
  const counts = new Map<string, number>();
  /** The errors of which there are so many, by their number. */
  const byCount = new Map<number, Set<string>>();
  let most = 0;

  function place(error: string, count: number): void {
    if (count === 0) {
      counts.delete(error);
      return;
    }
    counts.set(error, count);
    const those = byCount.get(count) ?? new Set<string>();
    those.add(error);
    byCount.set(count, those);
  }

  return {
    count(error: string | null | undefined, by: 1 | -1): void {
      if (!error) return;
      const before = counts.get(error) ?? 0;
      const those = byCount.get(before);
      if (those?.delete(error) && those.size === 0) byCount.delete(before);
      place(error, before + by);
      // The one that was counted is the only one that has moved.
      most = Math.max(most, before + by);
      if (!byCount.has(most)) most = Math.max(0, most - 1);
    },
    of: (error: string): number => counts.get(error) ?? 0,
    /** The error that most have, of several the first that came to be, and the number of them. */
    most(): { readonly error: string; readonly count: number } | null {
      const [error] = byCount.get(most) ?? [];
      return error === undefined ? null : { error, count: most };
    },
  };
}

/** An error text without what differs between resources: quoted names, ids, numbers; at most `longest`. */
export function commonForm(message: string): string {
  const common = message
    .slice(0, 400)
    .replaceAll(/"[^"]*"|'[^']*'/g, '…')
    .replaceAll(/\b[0-9a-f]{8,}(?:-[0-9a-f]{4,})*\b/gi, '…')
    .replaceAll(/\d+/g, '#');
  return common.length > longest ? `${common.slice(0, longest - 1)}…` : common;
}

function configOf(entry: Entry): RefKey | null {
  const config = (entry.state.track.settled?.observation ?? entry.state.track.latest).providerConfig;
  return config ? refKey(config) : null;
}

function errorOf(entry: Entry): string | null {
  const summary = entry.state.track.settled?.observation.summary;
  // Where messages are not kept, or none was given, nothing tells whether two failures are alike.
  return summary?.said === 'bad' && summary.message !== '' ? commonForm(summary.message) : null;
}

/**
 * Finds the error that many resources of one ProviderConfig share, also where no object stands for it. Starts with
 * nothing known.
 */
export function createSharedErrors() {
  const groups = new Map<RefKey, Group>();
  const memberOf = new Map<RefKey, RefKey>();
  const moved = new Set<Group>();

  function groupOf(config: RefKey): Group {
    const group = groups.get(config) ?? { members: new Map(), errors: createErrorCounts(), shared: null, told: null };
    groups.set(config, group);
    return group;
  }

  /** Of two that half of all have each the one that is told stays. */
  function find({ errors, members, shared }: Group): string | null {
    const most = errors.most();
    if (most === null || most.count < atLeast || most.count < members.size * share) return null;
    return shared !== null && errors.of(shared) === most.count ? shared : most.error;
  }

  function refresh(group: Group): void {
    const shared = find(group);
    if (shared === group.shared) return;
    group.shared = shared;
    moved.add(group);
  }

  function leave(key: RefKey): void {
    const config = memberOf.get(key);
    if (config === undefined) return;
    memberOf.delete(key);
    const group = groupOf(config);
    group.errors.count(group.members.get(key), -1);
    group.members.delete(key);
    if (group.members.size === 0) groups.delete(config);
    refresh(group);
  }

  return {
    /** Notes an entry as it is now. */
    note(entry: Entry): void {
      const config = configOf(entry);
      if (memberOf.get(entry.key) !== config) leave(entry.key);
      if (config === null) return;
      const group = groupOf(config);
      memberOf.set(entry.key, config);
      const error = errorOf(entry);
      const before = group.members.get(entry.key);
      if (before === error) return;
      group.members.set(entry.key, error);
      group.errors.count(before, -1);
      group.errors.count(error, 1);
      refresh(group);
    },
    forget: (entry: Entry): void => leave(entry.key),
    /**
     * Takes the members of which another error is shared than at the last call. Once for however many came and went: with each of tens of thousands the
     * one that most have may be another.
     */
    takeTouched(): readonly RefKey[] {
      const groupsMoved = [...moved].filter(({ shared, told }) => shared !== told);
      moved.clear();
      for (const group of groupsMoved) group.told = group.shared;
      return groupsMoved.flatMap(({ members }) => [...members.keys()]);
    },
    of(entry: Entry): string | null {
      const config = memberOf.get(entry.key);
      const group = config === undefined ? undefined : groups.get(config);
      return group && group.members.get(entry.key) === group.shared ? group.shared : null;
    },
  };
}
