import { writeSync } from 'node:fs';
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
  survivesLosses();
  // Whoever looks at lines of JSON with `kubectl logs` has a terminal.
  if (!process.stderr.isTTY)
    return pino(options, { write: lossyLines((line, isPatient) => writeWhole(legibleJson(line), isPatient)) });
  return pino(options, { write: (line: string) => process.stderr.write(`${cleanForLog(line)}\n`) });
}

/**
 * Nobody hears an error of these streams otherwise, and it ends the process: a line of another that is lost there does no harm either. The standard
 * output of a child is the same as its standard error.
 */
function survivesLosses(): void {
  for (const stream of [process.stderr, process.stdout])
    if (!stream.listeners('error').includes(takeLoss)) stream.on('error', takeLoss);
}

function takeLoss(): void {
  // There is nowhere left to tell it.
}

/** Time (ms) until a pipe that is full is tried again, and how often. */
const pipePause = 20;
const mostTries = 10;

/** Writes a line to standard error, all of it or an error; `isPatient`: a pipe that is full is waited for. */
function writeWhole(line: string, isPatient: boolean): void {
  let rest = Buffer.from(line);
  for (let tries = 0; rest.length > 0;)
    try {
      rest = rest.subarray(writeSync(2, rest));
    } catch (error) {
      tries += 1;
      const isPassing = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
      if (!isPassing || !isPatient || tries > mostTries) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pipePause);
    }
}

/**
 * Makes a writer that never throws of one that does: a log that cannot be kept (a full disk, a reader who has gone) ends no work. Lines that are lost are
 * counted, and told as a line before the next one that is kept. Of many that are lost in a row the first alone is waited for.
 */
export function lossyLines(write: (line: string, isPatient: boolean) => void): (line: string) => void {
  let lost = 0;
  return (line) => {
    try {
      if (lost > 0) write(lossLine(lost), false);
      lost = 0;
      write(line, true);
    } catch {
      lost += 1;
    }
  };
}

function lossLine(lines: number): string {
  const time = new Date().toISOString();
  // The last one may have been cut short.
  return `\n${JSON.stringify({ level: 40, time, lines, msg: 'lines of the log could not be written' })}\n`;
}

/** A log that keeps nothing, for tests. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};
