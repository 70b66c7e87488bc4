import { commitApi } from '#lib/api/commit.ts';
import { addressOf } from '#lib/api/endpoint.ts';
import { isSettled } from '#lib/api/waiting/settled-commit.ts';
import { second } from '#lib/domain/time/length.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Ask } from './ask.ts';
import { foreignLine, readAnswer, type Reading } from './reading.ts';

/** Longest time that one question waits, in s: proxies cut a connection that is silent for a minute, many of them earlier. */
const longestPiece = 50;
const shortestPiece = 5;
/** Time beyond the wait for which an answer is awaited (ms). */
const grace = 10 * second;
/** Between two questions that are answered sooner than they asked for, and at most while nobody answers (ms). */
const pauseBetween = 2 * second;
const longestPause = 15 * second;

/** A question for a commit: to which Plumbline, and how long it is asked. */
export interface Question {
  /** Scheme and host. */
  readonly origin: string;
  /** First digits of the commit. */
  readonly sha: string;
  /** Filters of the API: `cluster`, `label`. */
  readonly filter: Readonly<Record<string, string>>;
  /** ms; 0: it is asked once. */
  readonly wait: number;
  /** Nobody named the origin: where nothing listens there, nothing will. */
  readonly isGuess: boolean;
}

/** The way out to a Plumbline. `say` tells a person how it goes. */
export interface Asking {
  readonly clock: Clock;
  readonly ask: Ask;
  readonly say: (line: string) => void;
}

/** Asks until the commit has arrived, failed or concerns nothing, nobody can tell, or the time is over; the last answer. */
export async function awaitCommit({ clock, ask, say }: Asking, question: Question): Promise<Reading> {
  const end = clock.now() + question.wait;
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => void clock.after(Math.min(ms, Math.max(0, end - clock.now())), resolve));
  const tell = teller(say, question.origin);
  let piece = longestPiece;
  let lost = 0;
  for (;;) {
    const left = Math.max(0, Math.floor((end - clock.now()) / second));
    const seconds = Math.min(piece, left);
    const began = clock.now();
    const reading = readAnswer(await ask(addressFor(question, seconds), seconds * second + grace), question.sha);
    const isLast =
      left === 0 || (reading.type === 'lost' && reading.isNobody && question.isGuess && !tell.hasAnswered());
    if (isLast || isEnd(reading)) return reading;
    tell.reading(reading);
    if (reading.type === 'lost') {
      // Somebody between us does not wait as long.
      if (reading.isCut) piece = Math.max(shortestPiece, Math.floor(piece / 2));
      await pause(Math.min(longestPause, second * 2 ** Math.min(lost, 10)));
      lost += 1;
    } else {
      lost = 0;
      if (clock.now() - began < pauseBetween) await pause(pauseBetween);
    }
  }
}

function addressFor({ origin, sha, filter }: Question, wait: number): string {
  return `${origin}${addressOf(commitApi, { sha, ...filter, wait: String(wait) })}`;
}

function isEnd(reading: Reading): boolean {
  return reading.type === 'refused' || (reading.type === 'page' && isSettled(reading.page));
}

/** Tells how it goes, each thing once as long as it lasts. */
function teller(say: (line: string) => void, origin: string) {
  let told = '';
  let isLost = false;
  let hasAnswered = false;

  return {
    hasAnswered: () => hasAnswered,
    reading(reading: Reading): void {
      if (reading.type === 'lost') {
        if (!isLost) say(`${origin} cannot be asked now (${reading.why}): trying again until the time is over.`);
        isLost = true;
        return;
      }
      const words = reading.type === 'page' ? foreignLine(reading.page.sentence) : reading.why;
      if (isLost) say(`${origin} answers again.`);
      if (words !== told) say(`Waiting: ${words}`);
      told = words;
      isLost = false;
      hasAnswered = true;
    },
  };
}
