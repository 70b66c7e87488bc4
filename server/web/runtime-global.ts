import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { WebRuntime } from './web-runtime.ts';

/** A page that is being made: its answer, and what it may ask. */
export interface PageInMaking {
  readonly response: ServerResponse;
  readonly runtime: WebRuntime;
}

declare global {
  // Next bundles its own copies of modules: this name is what they share with the process that mounts it.
  var plumblinePage: AsyncLocalStorage<PageInMaking> | undefined;
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

/**
 * Answers the page that is being made with 404. Next's own notFound() answers with an empty body that only scripts fill;
 * so a page that knows what may have been meant is sent whole.
 */
export function pageIsNotFound(): void {
  const response = globalThis.plumblinePage?.getStore()?.response;
  if (response !== undefined && !response.headersSent) response.statusCode = 404;
}
