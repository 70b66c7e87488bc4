import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';

declare global {
  /** Next bundles its own copies of modules: this one name is what they share with the process that mounts it. */
  var plumblinePage: AsyncLocalStorage<ServerResponse> | undefined;
}

/** Runs the making of one page so that the page can say that it stands for nothing. */
export function withPageStatus<T>(response: ServerResponse, make: () => T): T {
  globalThis.plumblinePage ??= new AsyncLocalStorage();
  return globalThis.plumblinePage.run(response, make);
}

/**
 * Answers the page that is being made with 404. Next's own notFound() answers with an empty body that only scripts fill;
 * so a page that knows what may have been meant is sent whole.
 */
export function pageIsNotFound(): void {
  const response = globalThis.plumblinePage?.getStore();
  if (response !== undefined && !response.headersSent) response.statusCode = 404;
}
