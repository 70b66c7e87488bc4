import type { Log } from '#server/runtime/log.ts';

/** A log that keeps what is said at level error: by the project's own rule each is a bug of ours. */
export interface Complaints extends Log {
  readonly said: readonly string[];
}

/** Makes an empty one. */
export function complaints(): Complaints {
  const said: string[] = [];
  const log: Complaints = {
    said,
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error(data, message) {
      said.push(
        `${message} ${JSON.stringify(data, (_key, value: unknown) => (value instanceof Error ? value.stack : value))}`,
      );
    },
    child: () => log,
  };
  return log;
}
