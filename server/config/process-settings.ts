import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { parseForeign } from '#lib/foreign.ts';

/** Where the clusters come from: a configuration file, or contexts of the default kubeconfig. */
export type Selection =
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'contexts'; readonly names: readonly string[] };

/** Settings of one process of Plumbline when it starts. The supervisor writes them, each process reads them. */
export interface ProcessSettings {
  readonly selection: Selection;
  /** Absolute; made where it is missing. */
  readonly dataDirectory: string;
  /** Where the pages are served. */
  readonly host: string;
  readonly port: number;
  /** Loopback port of the collector's health and metrics; null for none. */
  readonly collectorPort: number | null;
  /** demo: the fleet is simulated, and every page says so. */
  readonly mode: 'start' | 'demo';
}

export const defaultPort = 3000;
export const defaultHost = '127.0.0.1';

/** The environment variable that carries the settings from the supervisor to its children. */
const settingsVariable = 'PLUMBLINE_SETTINGS';

const portNumber = z.int().min(0).max(65_535);

const settingsSchema = z.strictObject({
  selection: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('file'), path: z.string().refine(isAbsolute) }),
    z.strictObject({ type: z.literal('contexts'), names: z.array(z.string().min(1)).min(1) }),
  ]),
  dataDirectory: z.string().refine(isAbsolute),
  host: z.string().min(1),
  port: portNumber,
  collectorPort: portNumber.nullable(),
  mode: z.enum(['start', 'demo']),
});

/** Settings, or one line that says why there are none. */
export type ReadSettings =
  | { readonly type: 'ok'; readonly settings: ProcessSettings }
  | { readonly type: 'invalid'; readonly message: string };

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of a child that is to run with `settings`. */
export function settingsEnvironment(settings: ProcessSettings): Readonly<Record<string, string>> {
  return { [settingsVariable]: JSON.stringify(settings) };
}

/**
 * Reads what a process is told: by its supervisor (PLUMBLINE_SETTINGS), or where it runs alone in a container by
 * PLUMBLINE_CONFIG, PLUMBLINE_DATA, PLUMBLINE_HOST, PORT and PLUMBLINE_COLLECTOR_PORT.
 */
export function readProcessSettings(environment: Environment): ReadSettings {
  const given = environment[settingsVariable];
  if (given === undefined) return settingsOfContainer(environment);
  const parsed = settingsSchema.safeParse(parseForeign(given));
  if (parsed.success) return { type: 'ok', settings: parsed.data };
  return { type: 'invalid', message: `${settingsVariable} is not what the supervisor writes` };
}

function settingsOfContainer(environment: Environment): ReadSettings {
  const path = environment['PLUMBLINE_CONFIG'];
  const data = environment['PLUMBLINE_DATA'];
  if (!path) return { type: 'invalid', message: 'PLUMBLINE_CONFIG must name the configuration file' };
  if (!data) return { type: 'invalid', message: 'PLUMBLINE_DATA must name the data directory' };
  const port = readPort(environment['PORT'] ?? String(defaultPort));
  if (port === null) return { type: 'invalid', message: 'PORT must be a number from 0 to 65535' };
  const written = environment['PLUMBLINE_COLLECTOR_PORT'];
  const collectorPort = written === undefined ? null : readPort(written);
  if (written !== undefined && collectorPort === null) {
    return { type: 'invalid', message: 'PLUMBLINE_COLLECTOR_PORT must be a number from 0 to 65535' };
  }
  const host = environment['PLUMBLINE_HOST'] ?? defaultHost;
  if (!isLoopback(host)) return { type: 'invalid', message: bindRefusal(host) };
  const selection = { type: 'file' as const, path: resolve(path) };
  return {
    type: 'ok',
    settings: { selection, dataDirectory: resolve(data), host, port, collectorPort, mode: 'start' },
  };
}

/** A TCP port from text; null where the text is none. */
export function readPort(text: string): number | null {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return port <= 65_535 ? port : null;
}

/** True if only this machine (or pod) can reach what is bound to `host`. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Why a bind is refused, and what to do instead. */
export function bindRefusal(host: string): string {
  return `refusing to serve on ${host}: whoever reaches it would see the fleet, and no authentication is configured. Serve on ${defaultHost} behind a proxy that authenticates`;
}
