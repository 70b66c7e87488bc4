import { setTimeout as pause } from 'node:timers/promises';
import type { Verdict } from '#lib/domain/verdict.ts';
import type { Plumbline, Subject } from './plumbline.ts';

/** A verdict as somebody with the page open saw it. `at` is ms since the epoch. */
export interface Glimpse {
  readonly at: number;
  readonly verdict: Verdict;
  readonly reason: string;
}

/** Somebody who looks at every object four times a second and forgets nothing. */
export interface Onlooker {
  /** Verdicts that were seen of the object since `since` (ms), the one that stood then included. */
  since(subject: Subject, since: number): readonly Glimpse[];
  stop(): Promise<void>;
}

/** Begins to look. */
export function startOnlooker(plumbline: Plumbline): Onlooker {
  const seen = new Map<string, Glimpse[]>();
  let stopped = false;
  const keyOf = (subject: Subject): string => `${subject.cluster}/${subject.kind}/${subject.namespace}/${subject.name}`;

  async function look(): Promise<void> {
    while (!stopped) {
      const objects = await plumbline.objects().catch(() => []);
      const at = Date.now();
      for (const object of objects) {
        const glimpses = seen.get(keyOf(object)) ?? [];
        seen.set(keyOf(object), glimpses);
        if (glimpses.at(-1)?.verdict !== object.verdict)
          glimpses.push({ at, verdict: object.verdict, reason: object.reason });
      }
      await pause(250);
    }
  }

  const looking = look();
  return {
    since(subject, since) {
      const glimpses = seen.get(keyOf(subject)) ?? [];
      const standing = glimpses.findLastIndex((glimpse) => glimpse.at <= since);
      return glimpses.slice(Math.max(standing, 0));
    },
    async stop() {
      stopped = true;
      await looking;
    },
  };
}
