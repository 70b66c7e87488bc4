import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { askerOf } from '../stream/asker.ts';
import { fairTurns, goRound } from './fair-turns.ts';
import { chooseEncoding } from './send.ts';

/** A file that is made while it is being sent. */
export interface LinesAnswer {
  readonly type: string;
  /** Under which name a browser keeps it. */
  readonly name: string;
  readonly lines: Iterable<string> | AsyncIterable<string>;
}

/** A list as a file of CSV. */
export function csvFile(name: string, lines: LinesAnswer['lines']): LinesAnswer {
  return { type: 'text/csv; charset=utf-8', name, lines };
}

/** Pieces are small and many: the loop goes round once between two of them. */
const turns = fairTurns((then) => goRound(then, 1));

/**
 * Sends text piece by piece, each in its turn, reader by reader: a hundred files at once had all made a piece each before anybody else was answered.
 * Who leaves early is let go.
 */
export async function sendLines(
  request: IncomingMessage,
  response: ServerResponse,
  { type, name, lines }: LinesAnswer,
): Promise<void> {
  const zipped = chooseEncoding(request.headers['accept-encoding']) !== 'identity';
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Vary', 'Accept-Encoding');
  if (zipped) response.setHeader('Content-Encoding', 'gzip');
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const breakOff = (): void => void (request.httpVersion === '1.0' && response.socket?.resetAndDestroy());
  const source = Readable.from(inTurns(lines, askerOf(request), breakOff));
  try {
    await (zipped ? pipeline(source, createGzip({ level: 4 }), response) : pipeline(source, response));
  } catch (error) {
    if (!response.destroyed) throw error;
  }
}

/** `breakOff`: where a piece cannot be made. To HTTP/1.0 the mere end of a connection ends a file, and it would be taken for whole. */
async function* inTurns(lines: LinesAnswer['lines'], by: string, breakOff: () => void): AsyncGenerator<string> {
  try {
    for await (const piece of lines) {
      yield piece;
      await turns.take(by);
    }
  } catch (error) {
    breakOff();
    throw error;
  }
}
