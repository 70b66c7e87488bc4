const quiet = 30_000;

export interface AnnouncerDeps {
  now(): number;
  after(delay: number, task: () => void): { cancel(): void };
  say(text: string): void;
}

export interface Announcer {
  announce(text: string): void;
  stop(): void;
}

/** Says at most one thing in 30 s; of what came meanwhile only the last is worth hearing. */
export function startAnnouncer({ now, after, say }: AnnouncerDeps): Announcer {
  let last = Number.NEGATIVE_INFINITY;
  let next: string | null = null;
  let waiting: { cancel(): void } | null = null;

  function speak(text: string): void {
    last = now();
    next = null;
    waiting = null;
    say(text);
  }

  return {
    announce(text) {
      const left = last + quiet - now();
      if (left <= 0) {
        speak(text);
        return;
      }
      next = text;
      waiting ??= after(left, () => {
        if (next !== null) speak(next);
      });
    },
    stop: () => waiting?.cancel(),
  };
}
