import { bindRefusal, defaultHost, defaultPort, isLoopback, readPort } from '../config/process-settings.ts';
import { exitCode } from '../runtime/exit-code.ts';

/** Where to serve and what to keep, as written on the command line. */
export interface ServeOptions {
  readonly data?: string | undefined;
  readonly port?: string | undefined;
  readonly host?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

/** The address, or a line for the person and the code to exit with. */
export type Address =
  | { readonly type: 'ok'; readonly host: string; readonly port: number }
  | { readonly type: 'refused'; readonly line: string; readonly code: number };

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the pages are to be served: --host and --port, PLUMBLINE_HOST and PORT, else 127.0.0.1:3000. */
export function addressOf(options: ServeOptions, environment: Environment): Address {
  const written = options.port ?? environment['PORT'] ?? String(defaultPort);
  const port = readPort(written);
  if (port === null) {
    return { type: 'refused', line: `"${written}" is not a port: a number from 0 to 65535.`, code: exitCode.usage };
  }
  const host = options.host ?? environment['PLUMBLINE_HOST'] ?? defaultHost;
  if (!isLoopback(host)) return { type: 'refused', line: `plumbline: ${bindRefusal(host)}.`, code: exitCode.config };
  return { type: 'ok', host, port };
}
