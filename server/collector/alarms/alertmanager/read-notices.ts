import type { NoticeFact } from '#lib/domain/alarm/fact.ts';
import { nameAt, namesAt, reasonAt } from '#lib/foreign-words.ts';
import { at, firstAt, timeAt } from '#lib/foreign.ts';
import { alertsInATurn, firstOf, most, unreadable } from '../left-out.ts';
import { type LabelReader, sortedUnique } from '../words.ts';

/** Facts of one kind that an answer holds, and what of it is not read. */
export type FactsReading<Fact, More = unknown> =
  | ({ readonly type: 'ok'; readonly facts: readonly Fact[]; readonly cut: readonly string[] } & More)
  | { readonly type: 'failed'; readonly reason: string };

/** Most ids and names that are kept of one alert. */
const mostNamed = 64;

/**
 * Reads an answer to `/api/v2/alerts` of the Alertmanager at `address`. It does not tell what time intervals mute, for all its `mutedBy`. `turn`: lets others
 * have their turn, between alerts.
 */
export async function readNotices(
  body: unknown,
  address: string,
  readLabels: LabelReader,
  turn: () => Promise<void>,
): Promise<FactsReading<NoticeFact>> {
  if (!Array.isArray(body))
    return { type: 'failed', reason: 'Its answer is not that of Alertmanager to /api/v2/alerts.' };
  const { kept, cut } = firstOf(body, most.notices, 'alert');
  const found = new Map<string, NoticeFact>();
  let lost = 0;
  for (const [index, alert] of kept.entries()) {
    if (index % alertsInATurn === alertsInATurn - 1) await turn();
    const notice = noticeOf(alert, address, readLabels);
    if (notice === null) lost += 1;
    else found.set(notice.key, notice);
  }
  return { type: 'ok', facts: [...found.values()], cut: [...cut, ...unreadable(lost, 'alert')] };
}

function noticeOf(alert: unknown, address: string, readLabels: LabelReader): NoticeFact | null {
  const fingerprint = nameAt(alert, 'fingerprint');
  const startsAt = timeAt(alert, 'startsAt');
  const state = reasonAt(alert, 'status', 'state');
  if (fingerprint === null || startsAt === null) return null;
  if (state !== 'active' && state !== 'suppressed' && state !== 'unprocessed') return null;
  const status = at(alert, 'status');
  const named = (key: string): readonly string[] =>
    sortedUnique(namesAt({ list: firstAt(mostNamed, status, key) }, 'list'));
  const receivers = firstAt(mostNamed, alert, 'receivers').flatMap((receiver) => nameAt(receiver, 'name') ?? []);
  return {
    type: 'notice',
    key: `${address} ${fingerprint}`,
    alertmanager: address,
    fingerprint,
    labels: readLabels(alert, 'labels'),
    startsAt,
    state,
    silencedBy: named('silencedBy'),
    inhibitedBy: named('inhibitedBy'),
    mutedBy: named('mutedBy'),
    receivers: sortedUnique(receivers),
  };
}
