import type { LinkDeps } from './link.ts';

interface QuietDeps extends Pick<LinkDeps, 'clock' | 'tuning'> {
  /** True while nothing is asked, and so nothing has to be answered. */
  isIdle?(): boolean;
  /** Something was received: any byte, or the answer to a ping. */
  onReceived(): void;
  /** Asks for a sign of life; false where it could not be sent. */
  ping(onAnswer: () => void): boolean;
  lose(reason: string): void;
}

/** Pings when nothing was received for `pingAfter`; without an answer in time the link is lost. One timer per link. */
export function watchQuiet({ clock, tuning, isIdle, onReceived, ping, lose }: QuietDeps) {
  const { pingAfter, pingTimeout } = tuning;
  let lastReceived = clock.now();
  let stopped = false;
  let timer = clock.after(pingAfter, check);

  function check(): void {
    const askedAt = clock.now();
    const quiet = askedAt - lastReceived;
    if (quiet < pingAfter || isIdle?.() === true) {
      timer = clock.after(quiet < pingAfter ? pingAfter - quiet : pingAfter, check);
      return;
    }
    timer = clock.after(pingTimeout, () => {
      // A process that was held up has not read yet what lies in the socket: it may be the answer.
      timer = clock.after(1, () => unanswered(askedAt));
    });
    if (!ping(answered)) lose('a ping could not be sent');
  }

  function received(): void {
    lastReceived = clock.now();
    onReceived();
  }

  function answered(): void {
    if (stopped) return;
    timer.cancel();
    received();
    timer = clock.after(pingAfter, check);
  }

  /** Whatever came since is as good as the answer, which may wait behind it. */
  function unanswered(askedAt: number): void {
    if (lastReceived > askedAt) timer = clock.after(pingAfter, check);
    else lose(`no answer to a ping within ${pingTimeout / 1_000} s`);
  }

  return {
    received,
    stop(): void {
      stopped = true;
      timer.cancel();
    },
  };
}
