import type { GitReader } from '#server/git/port/git-reader.ts';
import { answerTo } from '../turns/asked-by.ts';

/** An answer stands for so long (ms): what is told of mirrors says itself as of when it is. */
const keptFor = 1_000;

/** The same answers, with the states of the mirrors asked for at most once a second, however many ask. `now` in ms. */
export function sharedStates(git: GitReader, now: () => number): GitReader {
  let kept: { readonly states: ReturnType<GitReader['repositories']>; until: number } | null = null;

  function ask(): ReturnType<GitReader['repositories']> {
    // All wait for it: not behind the questions of the one who happens to be the first.
    const asked = { states: answerTo('', () => git.repositories()), until: Number.POSITIVE_INFINITY };
    const since = now();
    kept = asked;
    // While it is waited for all wait for the same one. Its age counts from the question.
    void asked.states.then(() => (asked.until = since + keptFor));
    return asked.states;
  }

  return {
    ...git,
    repositories: () => {
      const at = now();
      // A clock that was set back would keep it for ever.
      const isFresh = kept !== null && (kept.until === Infinity || (at < kept.until && at >= kept.until - keptFor));
      return isFresh && kept !== null ? kept.states : ask();
    },
  };
}
