import { ReadableStream } from 'node:stream/web';
import { systemClock } from '#server/runtime/clock.ts';
import type { OpenRefusal } from '#server/store/port/open-refusal.ts';
import { openSqliteReader } from '#server/store/sqlite/reading/reader.ts';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { endpointsOfPast } from '../endpoints/answer-api.ts';
import type { AnswersOfPast } from '../asked.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { isRefused } from '../http/problem.ts';
import type { LinesAnswer } from '../http/send-lines.ts';
import { keptMoments, type AskedMoment, type PastSettings } from './kept-moments.ts';

/** The calls that the thread of past moments answers; an endpoint is named by its path. */
export function pastMethods() {
  let momentOf: (asked: AskedMoment) => Promise<KnownMoment> = () => Promise.reject(new Error('No store was opened.'));

  return {
    /** Opens the store; null, or why it cannot be read. */
    async open(path: string, settings: PastSettings): Promise<OpenRefusal | null> {
      const reader = await openSqliteReader({ path });
      if ('type' in reader) return reader;
      momentOf = keptMoments(reader, settings, systemClock);
      return null;
    },
    async read(asked: AskedMoment): Promise<void> {
      await momentOf(asked);
    },
    ask: async (asked: AskedMoment, path: string, query: unknown): Promise<object> =>
      endpointAt(path).ask(await momentOf(asked), query),
    async file(asked: AskedMoment, path: string, query: unknown, origin: string | null) {
      const file = await endpointAt(path).file(await momentOf(asked), query, origin);
      return file === null || isRefused(file) ? file : streamed(file);
    },
    summary: async (asked: AskedMoment): Promise<WireFleetSummary> => (await momentOf(asked)).summary(),
  };
}

function endpointAt(path: string): AnswersOfPast {
  const found = endpointsOfPast.get(path);
  if (found === undefined) throw new Error(`No endpoint answers ${path} of the past.`);
  return found;
}

/** A file whose lines another thread may read as they are made. */
function streamed(file: LinesAnswer): LinesAnswer {
  return { ...file, lines: ReadableStream.from<string>(file.lines) };
}
