import type { ForeignObject } from '#lib/foreign.ts';
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
  onObject(object: ForeignObject): void;
}

const restartsAtMost = 3;

/**
 * Lists a kind in pages of `pageLimit`, object by object, and gives the list's resourceVersion.
 * A cached list past `cachedListBytes` is read in pages instead; a page past `pageBytes` in smaller ones;
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
  for (;;) {
    const position = token !== '' ? `&continue=${encodeURIComponent(token)}` : cached ? '&resourceVersion=0' : '';
    const query = `${path}?limit=${limit}${position}${selector === '' ? '' : `&${selector}`}`;
    const most = cached ? tuning.cachedListBytes : tuning.pageBytes;
    const answer = await transport.get(query, { timeout: tuning.listTimeout, most, signal });
    switch (answer.type) {
      case 'not-modified':
        return failure({ type: 'protocol', message: 'a list was answered with HTTP 304' });
      case 'too-large':
        if (!cached && limit === 1)
          return failure({ type: 'protocol', message: `one object is larger than ${most} bytes` });
        if (!cached) limit = Math.max(1, Math.floor(limit / 8));
        cached = false;
        continue;
      case 'fault':
        return token !== '' && hasStatus(answer.fault, 410) ? { type: 'expired' } : answer;
      case 'ok':
        break;
    }
    const page = readListPage(answer.body, apiVersion, kind);
    if (page.type === 'fault') return page;
    if (!started) deps.onStart();
    started = true;
    for (const item of page.items) deps.onObject(item);
    if (page.next === '') {
      if (page.resourceVersion === '') return failure({ type: 'protocol', message: 'the list has no resourceVersion' });
      return { type: 'ok', resourceVersion: page.resourceVersion };
    }
    token = page.next;
  }
}
