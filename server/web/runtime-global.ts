import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { NotedAccess, ShownViewer } from '#lib/domain/access/visit.ts';
import type { WebRuntime } from './web-runtime.ts';

/** A page that is being made: its answer, and what it may ask. */
export interface PageInMaking {
  readonly response: ServerResponse;
  readonly runtime: WebRuntime;
}

declare global {
  // Next bundles its own copies of modules: these names are what they share with the process that mounts it.
  var plumblinePage: AsyncLocalStorage<PageInMaking> | undefined;
  var plumblineVisit: AsyncLocalStorage<PageVisit> | undefined;
}

/** The one for whom pages are made, as they know him. */
export interface PageVisit {
  /** null where no `auth` is set. */
  readonly viewer: ShownViewer | null;
  /** The last accesses, the newest first; null for whoever is no auditor. */
  readonly accesses: (() => readonly NotedAccess[]) | null;
}

/** The runtime of the page that is being made: that of its viewer. Throws where none is: a page is never rendered at build time. */
export function webRuntime(): WebRuntime {
  const page = globalThis.plumblinePage?.getStore();
  if (!page)
    throw new Error('Pages are served by server/web/main.ts only, each to its viewer; no page is being made here.');
  return page.runtime;
}

/** Runs the making of one page, which may ask the runtime that it is given, and say that it stands for nothing. */
export function withPage<T>(page: PageInMaking, make: () => T): T {
  globalThis.plumblinePage ??= new AsyncLocalStorage();
  return globalThis.plumblinePage.run(page, make);
}

/** Runs the making of pages for one viewer. */
export function withVisit<T>(visit: PageVisit, make: () => T): T {
  globalThis.plumblineVisit ??= new AsyncLocalStorage();
  return globalThis.plumblineVisit.run(visit, make);
}

/** For whom the page is that is being made. */
export function pageVisit(): PageVisit {
  return globalThis.plumblineVisit?.getStore() ?? { viewer: null, accesses: null };
}

/**
 * Answers the page that is being made with 404. Next's own notFound() answers with an empty body that only scripts fill;
 * so a page that knows what may have been meant is sent whole.
 */
export function pageIsNotFound(): void {
  setPageStatus(404);
}

/** Answers the page that is being made with 403: it is not for who asks. */
export function pageIsForbidden(): void {
  setPageStatus(403);
}

function setPageStatus(status: number): void {
  const response = globalThis.plumblinePage?.getStore()?.response;
  if (response !== undefined && !response.headersSent) response.statusCode = status;
}
