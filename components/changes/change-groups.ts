import type { Changed } from '#lib/api/changed.ts';
import type { WireCause, WireChange } from '#lib/api/object.ts';
import type { WireNotedTransition } from '#lib/api/transition.ts';
import { parseTime } from '#lib/format/time.ts';

/** One line of the list: one change, or what changed alike within one minute because of one cause. Times in ms since the epoch. */
export type ChangeGroup =
  | {
      readonly type: 'verdict';
      readonly key: string;
      readonly at: number;
      readonly transitions: readonly WireNotedTransition[];
      readonly cause: WireCause | null;
    }
  | { readonly type: 'change'; readonly key: string; readonly at: number; readonly changes: readonly WireChange[] };

const minute = 60_000;

/** Everything that happened as lines, newest first. What went to the same verdict within a minute, for the same reason, is one. */
export function changeGroups({
  transitions,
  changes,
}: Pick<Changed, 'transitions' | 'changes'>): readonly ChangeGroup[] {
  const groups = new Map<string, ChangeGroup>();
  for (const transition of transitions) {
    const { from, to, reason, rootCause, noticedAt } = transition;
    const at = parseTime(noticedAt) ?? 0;
    // Whoever comes home says so in the words of its kind.
    const own = to === 'converged' ? '' : reason;
    const why = rootCause === null ? own : `${rootCause.href} ${rootCause.title}`;
    const key = `verdict ${Math.floor(at / minute)} ${from} ${to} ${why}`;
    const found = groups.get(key);
    const before = found?.type === 'verdict' ? found.transitions : [];
    groups.set(key, {
      type: 'verdict',
      key,
      at: Math.max(at, found?.at ?? at),
      transitions: [...before, transition],
      cause: rootCause,
    });
  }
  for (const change of changes) {
    const at = parseTime(change.at) ?? 0;
    const key = `change ${Math.floor(at / minute)} ${change.type} ${change.by} ${alike(change)}`;
    const found = groups.get(key);
    const before = found?.type === 'change' ? found.changes : [];
    groups.set(key, { type: 'change', key, at: Math.max(at, found?.at ?? at), changes: [...before, change] });
  }
  return [...groups.values()].toSorted((a, b) => b.at - a.at);
}

/** What two changes of one kind must share to stand in one line. */
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
