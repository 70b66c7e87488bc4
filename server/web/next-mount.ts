import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import createNext from 'next';
import { at, parseForeign } from '#lib/foreign.ts';
import type { PageMount } from './request-handler.ts';
import { withPage } from './runtime-global.ts';

/**
 * Gives Next the configuration that it was built with, as its own standalone server does. For next.config.ts it would load native code,
 * which the web process may not (server/supervisor/web-permissions.ts).
 */
function useBuiltConfig(dir: string): void {
  const built = parseForeign(readFileSync(join(dir, '.next', 'required-server-files.json'), 'utf8'));
  process.env['__NEXT_PRIVATE_STANDALONE_CONFIG'] = JSON.stringify(at(built, 'config'));
}

/** Mounts the built Next application of `dir`. Rejects where it was not built. */
export async function mountNext(options: {
  readonly dir: string;
  readonly hostname: string;
  readonly port: number;
}): Promise<PageMount> {
  useBuiltConfig(options.dir);
  const app = createNext({ dev: false, ...options });
  const handler = app.getRequestHandler();
  await app.prepare();
  return {
    handle: (request, response, runtime) => withPage({ response, runtime }, () => handler(request, response)),
    close: () => app.close(),
  };
}
