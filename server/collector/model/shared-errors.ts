import { refKey, type RefKey } from '#lib/domain/ref.ts';
import type { Entry } from './entry.ts';

/** From how many resources, and from what share of a ProviderConfig's, one error is one cause. DESIGN.md "Joins". */
const atLeast = 5;
const share = 0.5;

interface Group {
  readonly members: Map<RefKey, string | null>;
  shared: string | null;
}

/** Finds the error that many resources of one ProviderConfig share, also where no object stands for it. */
export interface SharedErrors {
  /** Notes an entry as it is now; gives the keys of all members where the shared error changed. */
  note(entry: Entry): readonly RefKey[];
  forget(entry: Entry): readonly RefKey[];
  of(entry: Entry): string | null;
}

/** An error text without what differs between resources: quoted names, ids, numbers; at most 160 characters. */
export function commonForm(message: string): string {
  return message
    .slice(0, 400)
    .replaceAll(/"[^"]*"|'[^']*'/g, '…')
    .replaceAll(/\b[0-9a-f]{8,}(?:-[0-9a-f]{4,})*\b/gi, '…')
    .replaceAll(/\d+/g, '#')
    .slice(0, 160);
}

function configOf(entry: Entry): RefKey | null {
  const config = (entry.track.settled?.observation ?? entry.track.latest).providerConfig;
  return config ? refKey(config) : null;
}

function errorOf(entry: Entry): string | null {
  const word = entry.track.settled?.observation.word;
  return word?.said === 'bad' ? commonForm(word.message) : null;
}

/** Starts with nothing known. */
export function createSharedErrors(): SharedErrors {
  const groups = new Map<RefKey, Group>();

  function find(group: Group): string | null {
    if (group.members.size < atLeast) return null;
    const counts = new Map<string, number>();
    for (const error of group.members.values()) if (error !== null) counts.set(error, (counts.get(error) ?? 0) + 1);
    for (const [error, n] of counts) if (n >= atLeast && n >= group.members.size * share) return error;
    return null;
  }

  function refresh(group: Group): readonly RefKey[] {
    const shared = find(group);
    if (shared === group.shared) return [];
    group.shared = shared;
    return [...group.members.keys()];
  }

  return {
    note(entry) {
      const config = configOf(entry);
      if (config === null) return [];
      const group = groups.get(config) ?? { members: new Map<RefKey, string | null>(), shared: null };
      groups.set(config, group);
      const error = errorOf(entry);
      if (group.members.has(entry.key) && group.members.get(entry.key) === error) return [];
      group.members.set(entry.key, error);
      return refresh(group);
    },
    forget(entry) {
      const config = configOf(entry);
      const group = config === null ? undefined : groups.get(config);
      if (!group?.members.delete(entry.key)) return [];
      return refresh(group);
    },
    of(entry) {
      const config = configOf(entry);
      const group = config === null ? undefined : groups.get(config);
      const error = group?.members.get(entry.key) ?? null;
      return error !== null && error === group?.shared ? error : null;
    },
  };
}
