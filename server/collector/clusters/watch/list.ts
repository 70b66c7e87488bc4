import type { ForeignObject } from '#lib/foreign.ts';
import { formatBytes, formatCount } from '#lib/format/number.ts';
import { type Failure, failure, hasStatus } from '../answer.ts';
import type { ReadingDeps } from '../reading-deps.ts';
import type { WatchTarget } from './stream.ts';
import { readListPage } from './watch-event.ts';

export interface ListDeps extends Pick<ReadingDeps, 'transport' | 'tuning'>, Omit<WatchTarget, 'bookmarks'> {
  readonly signal: AbortSignal;
  /** Take it from the server's watch cache (resourceVersion=0), which answers in one piece; only for a first list. */
  readonly cached: boolean;
  /** A list begins (again): what was given since the last start is void. */
  onStart(): void;
  /** Takes one; gives why there is no room for it, and for any more. */
  onObject(object: ForeignObject): Failure | null;
  /** Lets all other clusters come to their turn. */
  others(): Promise<void>;
  /** ms that go on whatever the clock is set to. */
  readonly stopwatch?: () => number;
}

const restartsAtMost = 3;
const illFormedToken = failure({
  type: 'protocol',
  message: 'the server sent a list with a continue token that cannot be handed back',
});

/**
 * Lists a kind in pages of `pageLimit`, object by object, and gives the list's resourceVersion.
 * A cached list past `answerBytes` is read in pages instead; a page past it in smaller ones;
 * an expired continue token starts the list anew, three times at most.
 */
export async function listAll(
  deps: ListDeps,
): Promise<{ readonly type: 'ok'; readonly resourceVersion: string } | Failure> {
  let cached = deps.cached;
  for (let restarts = 0; ; restarts++) {
    const listed = await listOnce(deps, cached);
    if (listed.type !== 'expired') return listed;
    if (restarts === restartsAtMost)
      return failure({ type: 'protocol', message: 'the list expired again and again before its last page' });
    cached = false;
  }
}

async function listOnce(
  deps: ListDeps,
  fromCache: boolean,
): Promise<{ type: 'ok'; resourceVersion: string } | { type: 'expired' } | Failure> {
  const { transport, tuning, path, selector, apiVersion, kind, signal } = deps;
  let cached = fromCache;
  let limit = tuning.pageLimit;
  let token = '';
  let started = false;
  let [pages, bytes] = [0, 0];
  for (;;) {
    if (pages === tuning.listPagesAtMost)
      return failure({ type: 'protocol', message: `its list of ${kind} has more than ${formatCount(pages)} pages` });
    if (bytes > tuning.listBytesAtMost)
      return failure({
        type: 'protocol',
        message: `its list of ${kind} is larger than ${formatBytes(tuning.listBytesAtMost)}`,
      });
    const position = token !== '' ? `&continue=${encodeURIComponent(token)}` : cached ? '&resourceVersion=0' : '';
    const query = `${path}?limit=${limit}${position}${selector === '' ? '' : `&${selector}`}`;
    const answer = await transport.get(query, { timeout: tuning.listTimeout, most: tuning.answerBytes, signal });
    switch (answer.type) {
      case 'not-modified':
        return failure({ type: 'protocol', message: 'a list was answered with HTTP 304' });
      case 'too-large':
        if (!cached && limit === 1)
          return failure({
            type: 'protocol',
            message: `one ${kind} is larger than ${formatBytes(tuning.answerBytes)}`,
          });
        if (!cached) limit = Math.max(1, Math.floor(limit / 8));
        cached = false;
        continue;
      case 'fault':
        return token !== '' && hasStatus(answer.fault, 410) ? { type: 'expired' } : answer;
      case 'ok':
        break;
    }
    const page = readListPage(answer.body, apiVersion, kind, tuning.objectsAtMost);
    if (page.type === 'fault') return page;
    if (!page.next.isWellFormed()) return illFormedToken;
    if (!started) deps.onStart();
    started = true;
    pages += 1;
    bytes += answer.bytes;
    const full = await takeAll(deps, page.items);
    if (full !== null) return full;
    if (page.next === '') {
      if (page.resourceVersion === '') return failure({ type: 'protocol', message: 'the list has no resourceVersion' });
      return { type: 'ok', resourceVersion: page.resourceVersion };
    }
    token = page.next;
  }
}

/** So many objects are taken in one go, and those for which there is time (ms): each is read and judged on the thread of all clusters. */
const inOneGo = 200;
const goLasts = 50;

async function takeAll(
  { onObject, others, signal, stopwatch = () => performance.now() }: ListDeps,
  items: readonly ForeignObject[],
): Promise<Failure | null> {
  let go = { taken: 0, from: stopwatch() };
  for (const item of items) {
    if (go.taken === inOneGo || (go.taken > 0 && stopwatch() - go.from >= goLasts)) {
      await others();
      go = { taken: 0, from: stopwatch() };
    }
    go.taken += 1;
    if (signal.aborted) return null;
    const full = onObject(item);
    if (full !== null) return full;
  }
  return null;
}
