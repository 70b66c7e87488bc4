import { pino, stdTimeFunctions } from 'pino';
import { legibleJson } from '#lib/domain/observation/legible.ts';
import { cleanForLog } from './log-words.ts';

/**
 * A structured log: a static message and its data.
 * error = a bug of ours; warn = to be looked at weekly; info = the user's world changed.
 */
export interface Log {
  debug(data: object, message: string): void;
  info(data: object, message: string): void;
  warn(data: object, message: string): void;
  error(data: object, message: string): void;
  child(bindings: object): Log;
}

/** Levels that PLUMBLINE_LOG_LEVEL may name. */
const logLevels = ['debug', 'info', 'warn', 'error'] as const;

/** One of the levels of a log: it keeps what is of this level or graver. */
export type LogLevel = (typeof logLevels)[number];

type Environment = Readonly<Record<string, string | undefined>>;

/** The level that PLUMBLINE_LOG_LEVEL names, `absent` where it is not set or empty. One that names none is told by `logLevelRefusal`. */
export function readLogLevel(environment: Environment, absent: LogLevel): LogLevel {
  return logLevels.find((level) => level === environment['PLUMBLINE_LOG_LEVEL']) ?? absent;
}

/** One line, without a full stop, where PLUMBLINE_LOG_LEVEL names no level; null where it does, or is not set. */
export function logLevelRefusal(environment: Environment): string | null {
  const written = environment['PLUMBLINE_LOG_LEVEL'] ?? '';
  if (written === '' || logLevels.some((level) => level === written)) return null;
  return `PLUMBLINE_LOG_LEVEL is "${written}", and must be one of ${logLevels.join(', ')}`;
}

/** Makes the log of one process on standard error: words on a terminal, JSON lines elsewhere; level from PLUMBLINE_LOG_LEVEL (default info). */
export function createLog(name: string, level = readLogLevel(process.env, 'info')): Log {
  const options = { name, level, timestamp: stdTimeFunctions.isoTime };
  if (!process.stderr.isTTY) {
    const lines = pino.destination({ dest: 2, sync: true });
    // Whoever looks at them with `kubectl logs` has a terminal.
    return pino(options, { write: (line: string) => lines.write(legibleJson(line)) });
  }
  return pino(options, { write: (line: string) => process.stderr.write(`${cleanForLog(line)}\n`) });
}

/** A log that keeps nothing, for tests. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};
