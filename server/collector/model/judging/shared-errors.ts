import { refKey, type RefKey } from '#lib/domain/observation/ref.ts';
import type { Entry } from '../objects/entry.ts';

/** From how many resources, and from what share of a ProviderConfig's, one error is one cause. See docs/design/joins.md. */
const atLeast = 5;
const share = 0.5;
/** Length to which an error is told, in characters; one that is cut says so. */
const longest = 160;

interface Group {
  readonly members: Map<RefKey, string | null>;
  readonly counts: Map<string, number>;
  shared: string | null;
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

  function groupOf(config: RefKey): Group {
    const group = groups.get(config) ?? { members: new Map(), counts: new Map(), shared: null };
    groups.set(config, group);
    return group;
  }

  function count(group: Group, error: string | null | undefined, by: 1 | -1): void {
    if (!error) return;
    const n = (group.counts.get(error) ?? 0) + by;
    if (n === 0) group.counts.delete(error);
    else group.counts.set(error, n);
  }

  function find(group: Group): string | null {
    for (const [error, n] of group.counts) if (n >= atLeast && n >= group.members.size * share) return error;
    return null;
  }

  function refresh(group: Group): readonly RefKey[] {
    const shared = find(group);
    if (shared === group.shared) return [];
    group.shared = shared;
    return [...group.members.keys()];
  }

  function leave(key: RefKey): readonly RefKey[] {
    const config = memberOf.get(key);
    if (config === undefined) return [];
    memberOf.delete(key);
    const group = groupOf(config);
    count(group, group.members.get(key), -1);
    group.members.delete(key);
    if (group.members.size === 0) groups.delete(config);
    return refresh(group);
  }

  return {
    /** Notes an entry as it is now; gives the keys of all members where the shared error changed. */
    note(entry: Entry): readonly RefKey[] {
      const config = configOf(entry);
      const touched = memberOf.get(entry.key) === config ? [] : leave(entry.key);
      if (config === null) return touched;
      const group = groupOf(config);
      memberOf.set(entry.key, config);
      const error = errorOf(entry);
      const before = group.members.get(entry.key);
      if (before === error) return touched;
      group.members.set(entry.key, error);
      count(group, before, -1);
      count(group, error, 1);
      return [...touched, ...refresh(group)];
    },
    forget: (entry: Entry): readonly RefKey[] => leave(entry.key),
    of(entry: Entry): string | null {
      const config = memberOf.get(entry.key);
      const group = config === undefined ? undefined : groups.get(config);
      return group && group.members.get(entry.key) === group.shared ? group.shared : null;
    },
  };
}
