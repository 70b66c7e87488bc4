import { pino, stdTimeFunctions } from 'pino';
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

/** Makes the log of one process on standard error: words on a terminal, JSON lines elsewhere; level from PLUMBLINE_LOG_LEVEL (default info). */
export function createLog(name: string, level = process.env['PLUMBLINE_LOG_LEVEL'] ?? 'info'): Log {
  const options = { name, level, timestamp: stdTimeFunctions.isoTime };
  if (!process.stderr.isTTY) return pino(options, pino.destination({ dest: 2, sync: true }));
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
