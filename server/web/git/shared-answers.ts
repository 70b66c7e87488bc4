import { LRUCache } from 'lru-cache';
import { second } from '#lib/domain/time/length.ts';
import type { GitReader } from '#server/git/port/git-reader.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { inTime } from './in-time.ts';
import { askedBy, watchedAnswer } from '../turns/asked-by.ts';

/** Answers speak of times ("waits for 12 min"): they are made anew at least so often (ms). */
const longestKept = 10 * second;
/** A git process that does not tell how its mirrors stand by then (ms) is not waited for: only who asks at the same time shares an answer. */
const longestWait = 500;
/** Another one's answer is waited for so long (ms): it comes after whatever else he asks git. */
const longestJoined = 2 * second;
const mostAnswers = 200;
/** Entries that all answers of one endpoint have together. */
const mostEntries = 20_000;

interface Shared<Answer> {
  readonly stamp: number;
  /** null: git did not tell. */
  readonly mirrors: string | null;
  readonly at: number;
  readonly answer: Promise<Answer>;
  /** For whom it is made (`askedBy`). */
  readonly by: string;
  /** True once a question of it was refused as he asks too much: nobody else is given it. */
  readonly isRefused: () => boolean;
  pending: boolean;
}

/**
 * Answers a question about the fleet and git once for all who ask while neither has changed, and keeps it for at most 10 s. What an answer says
 * of its time is so. Who has many questions to git waiting makes others wait 2 s at most: they ask themselves then. `weigh`: how many entries an
 * answer has; null where it is not to be kept. `patience`: time (ms) in which git has to tell how its mirrors stand.
 */
export function sharedAnswers<Moment extends KnownMoment, Query extends object, Answer extends object>(
  ask: (moment: Moment, query: Query) => Promise<Answer>,
  weigh: (answer: Answer) => number | null,
  patience: (query: Query) => number = () => longestWait,
): (moment: Moment, query: Query) => Promise<Answer> {
  const books = new WeakMap<Moment, LRUCache<string, Shared<Answer>>>();

  function bookOf(moment: Moment): LRUCache<string, Shared<Answer>> {
    const known = books.get(moment);
    if (known !== undefined) return known;
    const made = new LRUCache<string, Shared<Answer>>({ max: mostAnswers, maxSize: mostEntries });
    books.set(moment, made);
    return made;
  }

  function make(moment: Moment, query: Query, as: Pick<Shared<Answer>, 'stamp' | 'mirrors' | 'at'>): Promise<Answer> {
    const [book, key] = [bookOf(moment), JSON.stringify(query)];
    const making = watchedAnswer(() => ask(moment, query));
    const made: Shared<Answer> = { ...as, ...making, by: askedBy(), pending: true };
    book.set(key, made, { size: 1 });
    const forget = (): void => void (book.peek(key) === made && book.delete(key));
    made.answer.then((answer) => {
      made.pending = false;
      const weight = weigh(answer);
      if (made.mirrors === null || weight === null || made.isRefused()) forget();
      else if (book.peek(key) === made) book.set(key, made, { size: Math.max(1, weight) });
    }, forget);
    return made.answer;
  }

  /** `late`: the answer that was waited for in vain. */
  async function share(moment: Moment, query: Query, late: Shared<Answer> | null): Promise<Answer> {
    const mirrors = await inTime(moment, Math.min(longestWait, patience(query)), mirrorsOf(moment.git));
    const now = moment.now();
    const stamp = moment.fleet.stamp(now);
    const known = bookOf(moment).get(JSON.stringify(query));
    if (known === undefined || known === late || !holds(known, { stamp, mirrors, now }))
      return make(moment, query, { stamp, mirrors, at: now });
    if (!known.pending || known.by === askedBy()) return known.answer;
    const found = await inTime(moment, longestJoined, known.answer);
    return found === null || known.isRefused() ? share(moment, query, known) : found;
  }

  return (moment, query) => share(moment, query, null);
}

function holds(
  { stamp, mirrors, at, pending }: Shared<object>,
  now: { readonly stamp: number; readonly mirrors: string | null; readonly now: number },
): boolean {
  if (stamp !== now.stamp || mirrors !== now.mirrors) return false;
  return pending || (mirrors !== null && now.now >= at && now.now - at < longestKept);
}

const texts = new WeakMap<object, string>();

/** States of all mirrors as text: another one after each fetch. */
async function mirrorsOf(git: GitReader): Promise<string> {
  const told = await git.repositories();
  if (told.type === 'not-told') return told.reason;
  const known = texts.get(told.answer);
  if (known !== undefined) return known;
  const made = JSON.stringify(told.answer);
  texts.set(told.answer, made);
  return made;
}
