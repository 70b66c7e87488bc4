import type { Changed } from '#lib/api/change.ts';
import type { WireCause, WireChange } from '#lib/api/object.ts';
import type { WireNotedTransition } from '#lib/api/transition.ts';
import { parseTime } from '#lib/format/time.ts';

/** One line of the list: one change, or what changed alike because of one cause, from `since` to `at`. Times in ms since the epoch. */
export type ChangeGroup =
  | {
      readonly type: 'verdict';
      readonly key: string;
      readonly at: number;
      readonly since: number;
      readonly transitions: readonly WireNotedTransition[];
      readonly cause: WireCause | null;
    }
  | {
      readonly type: 'change';
      readonly key: string;
      readonly at: number;
      readonly since: number;
      readonly changes: readonly WireChange[];
    };

/** Gap (ms) up to which what follows one another is one event. */
const apart = 60_000;

/** Everything that happened as lines, newest first. What went to the same verdict, for the same reason and one soon after another, is one. */
export function changeGroups({
  transitions,
  changes,
}: Pick<Changed, 'transitions' | 'changes'>): readonly ChangeGroup[] {
  const verdicts = gathered(
    transitions,
    ({ noticedAt }) => parseTime(noticedAt) ?? 0,
    ({ from, to, reason, rootCause }) => {
      // Whoever comes home says so in the words of its kind.
      const own = to === 'converged' ? '' : reason;
      return `${from} ${to} ${rootCause === null ? own : `${rootCause.href} ${rootCause.title}`}`;
    },
  ).map(({ key, at, since, members }): ChangeGroup => {
    const cause = members[0]?.rootCause ?? null;
    return { type: 'verdict', key: `verdict ${key}`, at, since, transitions: members, cause };
  });
  const made = gathered(
    changes,
    ({ at }) => parseTime(at) ?? 0,
    (change) => `${change.type} ${change.by} ${alike(change)}`,
  ).map(({ key, at, since, members }): ChangeGroup => ({
    type: 'change',
    key: `change ${key}`,
    at,
    since,
    changes: members,
  }));
  return [...verdicts, ...made].toSorted((a, b) => b.at - a.at);
}

interface Gathered<T> {
  readonly key: string;
  readonly at: number;
  since: number;
  readonly members: T[];
}

/** Items (newest first) of one kind that follow one another closely, together. */
function gathered<T>(
  items: readonly T[],
  timeOf: (item: T) => number,
  kindOf: (item: T) => string,
): readonly Gathered<T>[] {
  const all: Gathered<T>[] = [];
  const open = new Map<string, Gathered<T>>();
  for (const item of items) {
    const [time, kind] = [timeOf(item), kindOf(item)];
    const found = open.get(kind);
    if (found !== undefined && found.since - time <= apart) {
      found.since = time;
      found.members.push(item);
      continue;
    }
    const begun = { key: `${time} ${kind}`, at: time, since: time, members: [item] };
    open.set(kind, begun);
    all.push(begun);
  }
  return all;
}

/** Key that two changes of one kind must share to stand in one line. */
function alike({ type, text, revision, ref, href }: WireChange): string {
  switch (type) {
    case 'created':
    case 'deleted':
    case 'deletion-asked':
    case 'spec-edited':
      return ref?.kind ?? '';
    case 'revision':
      return `${ref?.kind ?? ''} ${revision?.to?.text ?? ''}`;
    case 'suspended':
    case 'resumed':
    case 'exemption-added':
    case 'exemption-removed':
      return text;
    case 'controller-version':
    case 'controller-restarted':
    case 'package-revision':
    case 'kubernetes-version':
      return `${text} ${ref === null ? '' : href}`;
  }
}

/** The clusters of what happened, each once, in order. */
export function clustersIn(group: ChangeGroup): readonly string[] {
  const all =
    group.type === 'verdict'
      ? group.transitions.map(({ ref }) => ref.cluster)
      : group.changes.map(({ cluster }) => cluster);
  return [...new Set(all)].toSorted();
}
