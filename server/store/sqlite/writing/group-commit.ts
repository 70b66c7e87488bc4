import type { DatabaseSync } from 'node:sqlite';
import type { Dictionary } from '../rows/dictionary.ts';
import { isOfTheStore } from '../failure.ts';

/** Outcome of a task: its value, or the error that undid it. */
export type Outcome<T> =
  | { readonly type: 'committed'; readonly value: T }
  | { readonly type: 'undone'; readonly error: unknown };

/** Work within a transaction. It cannot await: its result is no promise. */
type TransactionTask<T> = () => T extends PromiseLike<unknown> ? never : T;

/** Runs tasks in transactions, as many in one as are waiting. */
export interface GroupCommit {
  /**
   * Queues a task; it runs in order, and its outcome is known after the commit.
   * After one that was undone, those of the same `line` in the same group are undone too: a line never skips a step.
   */
  run<T>(line: string, task: TransactionTask<T>): Promise<Outcome<T>>;
  /** Runs everything that waits, now. */
  flush(): void;
}

interface Waiting {
  readonly line: string;
  /** Runs the task within the open transaction, keeping its value. */
  readonly attempt: () => void;
  readonly settle: (
    outcome: { readonly type: 'committed' } | { readonly type: 'undone'; readonly error: unknown },
  ) => void;
}

/** Groups tasks over a database whose only writer in this process it is. */
export function openGroupCommit(database: DatabaseSync, dictionary: Dictionary): GroupCommit {
  let waiting: Waiting[] = [];

  function transaction(tasks: readonly Waiting[]): unknown {
    dictionary.begin();
    try {
      database.exec('BEGIN IMMEDIATE');
      for (const task of tasks) task.attempt();
      database.exec('COMMIT');
      return null;
    } catch (error) {
      dictionary.rollback();
      if (database.isTransaction) database.exec('ROLLBACK');
      return error ?? new Error('undone');
    }
  }

  function oneByOne(tasks: readonly Waiting[]): void {
    const broken = new Map<string, unknown>();
    for (const task of tasks) {
      const error = broken.get(task.line) ?? transaction([task]);
      if (error === null) task.settle({ type: 'committed' });
      else {
        broken.set(task.line, error);
        task.settle({ type: 'undone', error });
      }
    }
  }

  function flush(): void {
    const tasks = waiting;
    waiting = [];
    if (tasks.length === 0) return;
    const error = transaction(tasks);
    if (error === null) for (const task of tasks) task.settle({ type: 'committed' });
    // One task with values that cannot be stored must not hold up the others.
    else if (tasks.length > 1 && !isOfTheStore(error)) oneByOne(tasks);
    else for (const task of tasks) task.settle({ type: 'undone', error });
  }

  return {
    run<T>(line: string, task: TransactionTask<T>) {
      return new Promise<Outcome<T>>((resolve) => {
        let value: { readonly of: T } | null = null;
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({
          line,
          attempt: () => {
            value = { of: task() };
          },
          settle: (outcome) => {
            if (outcome.type === 'undone') resolve(outcome);
            else if (value !== null) resolve({ type: 'committed', value: value.of });
          },
        });
      });
    },
    flush,
  };
}
