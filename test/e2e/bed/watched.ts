import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core';

/** Options for opening a page. */
export type WatchedOptions = Pick<
  BrowserContextOptions,
  'colorScheme' | 'javaScriptEnabled' | 'viewport' | 'hasTouch' | 'isMobile' | 'reducedMotion' | 'permissions'
> & {
  /** Takes the page's clock into the test's hands before anything runs: see page.clock. */
  readonly clock?: boolean;
};

/** A page and everything that it did which a page of an observatory may not do, or that went wrong in it. */
export interface Watched {
  readonly page: Page;
  /** Errors on the console, uncaught exceptions, violations of the content security policy, requests that do more than read. */
  readonly complaints: readonly string[];
  /** Every request that left the page, as "GET /path". */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

const desk = { width: 1440, height: 900 };

/** Opens a path in a context of its own. */
export async function openWatched(
  browser: Browser,
  origin: string,
  path: string,
  { clock = false, ...options }: WatchedOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({ baseURL: origin, viewport: desk, ...options });
  if (clock) await context.clock.install();
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    // The page's own not-found answers are for the tests that ask for them.
    const ownNotFound = /status of 404/.test(message.text()) && message.location().url === page.url();
    if (message.type() === 'error' && !ownNotFound) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  context.on('request', (request) => {
    requests.push(`${request.method()} ${request.url().replace(origin, '')}`);
    const trouble = troubleOf(request, origin);
    if (trouble !== null) complaints.push(trouble);
  });
  await page.goto(path, { waitUntil: 'load' });
  return { page, complaints, requests, close: () => context.close() };
}

function troubleOf(request: Request, origin: string): string | null {
  if (request.method() !== 'GET') return `${request.method()} ${request.url()}`;
  const { protocol } = new URL(request.url());
  if (protocol === 'data:' || protocol === 'blob:' || request.url().startsWith(`${origin}/`)) return null;
  // Links that lead away are for people; what the page itself fetches stays at home.
  return request.isNavigationRequest() ? null : `away: ${request.url()}`;
}
