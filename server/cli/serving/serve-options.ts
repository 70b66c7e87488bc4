import {
  bindRefusal,
  defaultHost,
  defaultPort,
  isAddress,
  type OwnPorts,
  readOwnPorts,
  type Openness,
  readPort,
  settingOf,
} from '../../config/process-settings.ts';
import { podVariableRefusal } from '../../config/container/pod-settings.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { logLevelRefusal } from '../../runtime/log.ts';
import type { Output } from '../output.ts';

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
  | {
      readonly type: 'ok';
      readonly host: string;
      readonly port: number;
      readonly own: Extract<OwnPorts, { type: 'ok' }>;
    }
  | { readonly type: 'refused'; readonly line: string; readonly code: number };

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the pages are to be served: --host and --port, PLUMBLINE_HOST and PORT, else 127.0.0.1:3000; and the ports of this machine alone. Refused too where PLUMBLINE_LOG_LEVEL names no level. */
export function addressOf(options: ServeOptions, environment: Environment): Address {
  const level = logLevelRefusal(environment);
  if (level !== null) return misused(level);
  const written = options.port ?? settingOf(environment, 'PORT') ?? String(defaultPort);
  const port = readPort(written);
  if (port === null) return misused(`"${written}" is not a port: a number from 0 to 65535`);
  const host = options.host ?? settingOf(environment, 'PLUMBLINE_HOST') ?? defaultHost;
  if (!isAddress(host))
    return misused(`"${host}" is no address to serve on: a name or an IP address, such as ${defaultHost}`);
  const own = readOwnPorts(environment);
  if (own.type === 'invalid') return misused(own.message);
  const pod = podVariableRefusal(environment);
  if (pod !== null) return misused(pod);
  const twice = takenTwice(port, own);
  return twice === null ? { type: 'ok', host, port, own } : misused(twice);
}

/** Says that an address may not be bound, and gives the code to exit with; `ok` where it may. */
export function bindCode(host: string, openness: Openness, output: Output): number {
  const refusal = bindRefusal(host, openness);
  if (refusal === null) return exitCode.ok;
  output.say(`plumbline: ${refusal}.`);
  return exitCode.config;
}

/** Says which two ports are the same; null where each is its own. 0 is any free one. */
function takenTwice(pages: number, { collectorPort, metricsPort }: Extract<OwnPorts, { type: 'ok' }>): string | null {
  const named: readonly (readonly [string, number | null])[] = [
    ['the port of the pages', pages],
    ['PLUMBLINE_COLLECTOR_PORT', collectorPort],
    ['PLUMBLINE_METRICS_PORT', metricsPort],
  ];
  for (const [index, [name, port]] of named.entries()) {
    const before = named.slice(0, index).find(([, other]) => port !== null && port !== 0 && other === port);
    if (before !== undefined) return `${name} and ${before[0]} are both ${port}: each needs its own`;
  }
  return null;
}

function misused(words: string): Address {
  return { type: 'refused', line: `${words}.`, code: exitCode.usage };
}
