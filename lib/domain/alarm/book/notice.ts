import type { NoticeFact } from '../fact.ts';
import type { AlarmLink } from '../link.ts';
import type { SourceBook } from './source-book.ts';

/** The link at which its Alertmanager holds a notice back; null where nothing does. */
export function heldBackBy({
  silencedBy,
  inhibitedBy,
  mutedBy,
}: Pick<NoticeFact, 'silencedBy' | 'inhibitedBy' | 'mutedBy'>): Extract<
  AlarmLink,
  'silence' | 'inhibition' | 'mute'
> | null {
  if (silencedBy.length > 0) return 'silence';
  if (inhibitedBy.length > 0) return 'inhibition';
  return mutedBy.length > 0 ? 'mute' : null;
}

/** True of a notice that its Alertmanager sends to its receivers: one that it has not looked at yet may be held back. */
export function isHeard(notice: NoticeFact): boolean {
  return notice.state === 'active' && heldBackBy(notice) === null;
}

/** Receivers of a notice with what they call with; one that the configuration does not name calls with nothing. */
export function noticeReceivers(
  book: SourceBook,
  { alertmanager, receivers }: Pick<NoticeFact, 'alertmanager' | 'receivers'>,
): readonly { readonly name: string; readonly calls: readonly string[] }[] {
  return receivers.map((name) => ({ name, calls: book.receivers.get(receiverKey(alertmanager, name))?.calls ?? [] }));
}

/** The key of a receiver's fact. */
export function receiverKey(alertmanager: string, name: string): string {
  return `${alertmanager} ${name}`;
}
