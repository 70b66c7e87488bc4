import { pino, stdTimeFunctions } from 'pino';

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

/** Makes the log of one process: JSON lines on standard error, level from PLUMBLINE_LOG_LEVEL (default info). */
export function createLog(name: string, level = process.env['PLUMBLINE_LOG_LEVEL'] ?? 'info'): Log {
  return pino({ name, level, timestamp: stdTimeFunctions.isoTime }, pino.destination({ dest: 2, sync: true }));
}

/** A log that keeps nothing, for tests. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};
