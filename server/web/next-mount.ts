import createNext from 'next';
import type { PageMount } from './request-handler.ts';
import { withPageStatus } from './runtime-global.ts';

/** Mounts the built Next application of `dir`. Rejects where it was not built. */
export async function mountNext(options: {
  readonly dir: string;
  readonly hostname: string;
  readonly port: number;
}): Promise<PageMount> {
  const app = createNext({ dev: false, ...options });
  const handler = app.getRequestHandler();
  await app.prepare();
  return {
    handle: (request, response) => withPageStatus(response, () => handler(request, response)),
    close: () => app.close(),
  };
}
