import type { Figure } from './figure.ts';

/** The figures of one run, held as they are measured: what was measured before a failure or a signal is not lost. */
export interface FigureLog {
  add(...figures: readonly Figure[]): void;
  /** Does `work`; until it is done, and where it fails, what it came to so far is among the figures. */
  during<T>(soFar: () => readonly Figure[], work: () => Promise<T>): Promise<T>;
  all(): readonly Figure[];
}

/** Starts empty. `changed` is called after figures were added. */
export function createFigureLog(changed: () => void): FigureLog {
  const figures: Figure[] = [];
  let underWay: (() => readonly Figure[]) | null = null;

  const book: FigureLog = {
    add(...measured) {
      figures.push(...measured);
      changed();
    },
    async during(soFar, work) {
      underWay = soFar;
      try {
        return await work();
      } catch (error) {
        book.add(...soFar());
        throw error;
      } finally {
        underWay = null;
      }
    },
    all: () => [...figures, ...(underWay?.() ?? [])],
  };
  return book;
}
