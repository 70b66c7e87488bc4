import { second } from '#lib/domain/time/length.ts';
import type { GitReader, Told } from '#server/git/port/git-reader.ts';
import { askedBy, refuseQuestion } from './asked-by.ts';
import { fairQueue } from '#server/runtime/turns/fair-queue.ts';

/** Questions under way at once: the git process answers them one after the other in the end. One reader leaves some to others. */
const bounds = { all: 8, ofOne: 6 };
/** Questions of one reader that may wait for their turn. */
const mostWaiting = 2_000;
/** Who has waited so long (ms) has been told by now that nothing is told. */
const longestWait = 10 * second;
const busy = {
  type: 'not-told',
  reason: 'Too much is asked about repositories at once: ask again in a minute.',
} as const;

/**
 * The same answers, the questions of all readers in turn: one who asks for thousands of commits makes nobody else wait for more than one of
 * them. `now` in ms.
 */
export function fairGit(git: GitReader, now: () => number): GitReader {
  const queue = fairQueue(bounds);

  async function inTurn<Answer>(ask: () => Promise<Told<Answer>>): Promise<Told<Answer>> {
    const began = now();
    const by = askedBy();
    const inItsTurn = (): Promise<Told<Answer>> => (now() - began > longestWait ? Promise.resolve(busy) : ask());
    const told = queue.waitingOf(by) < mostWaiting ? await queue.run(by, inItsTurn) : busy;
    if (told === busy) refuseQuestion();
    return told;
  }

  return {
    want: (repositories) => git.want(repositories),
    repositories: () => inTurn(() => git.repositories()),
    commits: (...given) => inTurn(() => git.commits(...given)),
    find: (...given) => inTurn(() => git.find(...given)),
    log: (...given) => inTurn(() => git.log(...given)),
    between: (...given) => inTurn(() => git.between(...given)),
    distances: (...given) => inTurn(() => git.distances(...given)),
    touches: (...given) => inTurn(() => git.touches(...given)),
    contain: (...given) => inTurn(() => git.contain(...given)),
    onBranch: (...given) => inTurn(() => git.onBranch(...given)),
    files: (...given) => inTurn(() => git.files(...given)),
    closure: (...given) => inTurn(() => git.closure(...given)),
    builtFrom: (...given) => inTurn(() => git.builtFrom(...given)),
    compare: (...given) => inTurn(() => git.compare(...given)),
    diff: (...given) => inTurn(() => git.diff(...given)),
    owners: (...given) => inTurn(() => git.owners(...given)),
  };
}
