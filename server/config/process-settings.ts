import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { parseForeign } from '#lib/foreign.ts';
import { exitCode } from '#server/runtime/exit-code.ts';
import { logLevelRefusal } from '#server/runtime/log.ts';
import { isLoopback } from '#server/runtime/loopback.ts';

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
  /** Loopback port of the metrics of the pages' process; null for none. */
  readonly metricsPort: number | null;
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
  metricsPort: portNumber.nullable(),
  mode: z.enum(['start', 'demo']),
});

/** Settings, or one line that says why there are none, and the code to exit with. */
export type ReadSettings =
  | { readonly type: 'ok'; readonly settings: ProcessSettings }
  | { readonly type: 'invalid'; readonly message: string; readonly code: number };

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of a child that is to run with `settings`. */
export function settingsEnvironment(settings: ProcessSettings): Readonly<Record<string, string>> {
  return { [settingsVariable]: JSON.stringify(settings) };
}

/**
 * Reads what a process is told: by its supervisor (PLUMBLINE_SETTINGS), or where it runs alone in a container by
 * PLUMBLINE_CONFIG, PLUMBLINE_DATA, PLUMBLINE_HOST, PORT, PLUMBLINE_COLLECTOR_PORT and PLUMBLINE_METRICS_PORT.
 */
export function readProcessSettings(environment: Environment): ReadSettings {
  const level = logLevelRefusal(environment);
  if (level !== null) return { type: 'invalid', message: level, code: exitCode.usage };
  const given = environment[settingsVariable];
  if (given === undefined) return settingsOfContainer(environment);
  const parsed = settingsSchema.safeParse(parseForeign(given));
  if (!parsed.success) return invalid(`${settingsVariable} is not what the supervisor writes`);
  return { type: 'ok', settings: parsed.data };
}

/** A variable of the environment. An empty one is as good as none: so a pod has what nobody has filled in. */
export function settingOf(environment: Environment, name: string): string | undefined {
  const written = environment[name];
  return written === '' ? undefined : written;
}

function invalid(message: string): ReadSettings {
  return { type: 'invalid', message, code: exitCode.config };
}

function settingsOfContainer(environment: Environment): ReadSettings {
  const path = settingOf(environment, 'PLUMBLINE_CONFIG');
  const data = settingOf(environment, 'PLUMBLINE_DATA');
  if (path === undefined) return invalid('PLUMBLINE_CONFIG must name the configuration file');
  if (data === undefined) return invalid('PLUMBLINE_DATA must name the data directory');
  const port = readPort(settingOf(environment, 'PORT') ?? String(defaultPort));
  if (port === null) return invalid('PORT must be a number from 0 to 65535');
  const own = readOwnPorts(environment);
  if (own.type === 'invalid') return invalid(own.message);
  const { collectorPort, metricsPort } = own;
  const host = settingOf(environment, 'PLUMBLINE_HOST') ?? defaultHost;
  const selection = { type: 'file' as const, path: resolve(path) };
  return {
    type: 'ok',
    settings: { selection, dataDirectory: resolve(data), host, port, collectorPort, metricsPort, mode: 'start' },
  };
}

/** Ports of loopback that this machine alone reads, or why they cannot be used. */
export type OwnPorts =
  | { readonly type: 'ok'; readonly collectorPort: number | null; readonly metricsPort: number | null }
  | { readonly type: 'invalid'; readonly message: string };

/**
 * The loopback ports of the collector's health and metrics, by PLUMBLINE_COLLECTOR_PORT, and of the metrics of the pages, by
 * PLUMBLINE_METRICS_PORT; null where one is not set.
 */
export function readOwnPorts(environment: Environment): OwnPorts {
  const collectorPort = readOwnPort(environment, 'PLUMBLINE_COLLECTOR_PORT');
  if (collectorPort === 'invalid') return noOwnPort('PLUMBLINE_COLLECTOR_PORT');
  const metricsPort = readOwnPort(environment, 'PLUMBLINE_METRICS_PORT');
  if (metricsPort === 'invalid') return noOwnPort('PLUMBLINE_METRICS_PORT');
  return { type: 'ok', collectorPort, metricsPort };
}

function readOwnPort(environment: Environment, name: string): number | null | 'invalid' {
  const written = settingOf(environment, name);
  return written === undefined ? null : (readPort(written) ?? 'invalid');
}

function noOwnPort(name: string): OwnPorts {
  return { type: 'invalid', message: `${name} must be a number from 0 to 65535` };
}

/** A TCP port from text; null where the text is none. */
export function readPort(text: string): number | null {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return port <= 65_535 ? port : null;
}

/** True for text that can name what is bound: an IP address or a name. */
export function isAddress(host: string): boolean {
  return isIP(host) !== 0 || /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?$/.test(host);
}

/** Settings that open a bind beyond this machine: both, for whoever reaches it is asked who they are, and sent back there from a login. */
export interface Openness {
  readonly auth: object | null;
  readonly publicUrl: string | null;
}

/** Why a bind is refused, which part of plumbline.yaml is missing, and what to do instead; null where it is not. */
export function bindRefusal(host: string, { auth, publicUrl }: Openness): string | null {
  if (isLoopback(host)) return null;
  const missing = [...(auth === null ? ['auth'] : []), ...(publicUrl === null ? ['publicUrl'] : [])];
  if (missing.length === 0) return null;
  return `refusing to serve on ${host}: whoever reaches it would see the fleet, and plumbline.yaml has no ${missing.join(' and no ')}. Set what is missing, or serve on ${defaultHost} behind a proxy that authenticates`;
}
