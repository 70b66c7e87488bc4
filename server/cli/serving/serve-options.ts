import {
  bindRefusal,
  collectorPortRefusal,
  defaultHost,
  defaultPort,
  isAddress,
  isLoopback,
  readCollectorPort,
  readPort,
  settingOf,
} from '../../config/process-settings.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { logLevelRefusal } from '../../runtime/log.ts';

/** Where to serve and what to keep, as written on the command line. */
export interface ServeOptions {
  readonly data?: string | undefined;
  readonly port?: string | undefined;
  readonly host?: string | undefined;
  readonly dryRun?: boolean | undefined;
  /** Asked by scripts/: says what refuses to start before anybody has waited for a build, and nothing where all is well. */
  readonly beforeBuild?: boolean | undefined;
}

/** The address, or a line for the person and the code to exit with. */
export type Address =
  | { readonly type: 'ok'; readonly host: string; readonly port: number; readonly collectorPort: number | null }
  | { readonly type: 'refused'; readonly line: string; readonly code: number };

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the pages are to be served: --host and --port, PLUMBLINE_HOST and PORT, else 127.0.0.1:3000; and PLUMBLINE_COLLECTOR_PORT. Refused too where PLUMBLINE_LOG_LEVEL names no level. */
export function addressOf(options: ServeOptions, environment: Environment): Address {
  const level = logLevelRefusal(environment);
  if (level !== null) return misused(level);
  const written = options.port ?? settingOf(environment, 'PORT') ?? String(defaultPort);
  const port = readPort(written);
  if (port === null) return misused(`"${written}" is not a port: a number from 0 to 65535`);
  const host = options.host ?? settingOf(environment, 'PLUMBLINE_HOST') ?? defaultHost;
  if (!isAddress(host))
    return misused(`"${host}" is no address to serve on: a name or an IP address, such as ${defaultHost}`);
  if (!isLoopback(host)) return { type: 'refused', line: `plumbline: ${bindRefusal(host)}.`, code: exitCode.config };
  const collectorPort = readCollectorPort(environment);
  if (collectorPort === 'invalid') return misused(collectorPortRefusal);
  if (collectorPort !== null && collectorPort !== 0 && collectorPort === port)
    return misused(`PLUMBLINE_COLLECTOR_PORT and the port of the pages are both ${port}: the collector needs its own`);
  return { type: 'ok', host, port, collectorPort };
}

function misused(words: string): Address {
  return { type: 'refused', line: `${words}.`, code: exitCode.usage };
}
