import { setTimeout as pause } from 'node:timers/promises';
import type { WireObject } from '#lib/api/object.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import type { Plumbline, Subject } from './plumbline.ts';

/** A verdict as somebody with the page open saw it, from `at` to `until` (ms since the epoch, when it was asked for). */
export interface Glimpse {
  readonly at: number;
  readonly until: number;
  readonly verdict: Verdict;
  readonly reason: string;
}

/** Somebody who looks at every object four times a second and forgets nothing. */
export interface Onlooker {
  /** Verdicts that were seen of the object since `since` (ms), the one that still stood then included. */
  since(subject: Subject, since: number): readonly Glimpse[];
  stop(): Promise<void>;
}

/** Begins to look. */
export function startOnlooker(plumbline: Plumbline): Onlooker {
  const seen = new Map<string, Glimpse[]>();
  let stopped = false;
  const keyOf = (subject: Subject): string => `${subject.cluster}/${subject.kind}/${subject.namespace}/${subject.name}`;

  async function check(): Promise<void> {
    while (!stopped) {
      const at = Date.now();
      const objects = await plumbline.objects().catch(() => []);
      for (const object of objects) note(object, at);
      await pause(250);
    }
  }

  function note(object: WireObject, at: number): void {
    const glimpses = seen.get(keyOf(object)) ?? [];
    seen.set(keyOf(object), glimpses);
    const last = glimpses.at(-1);
    if (last?.verdict === object.verdict) glimpses[glimpses.length - 1] = { ...last, until: at };
    else glimpses.push({ at, until: at, verdict: object.verdict, reason: object.reason });
  }

  const checking = check();
  return {
    since: (subject, since) => (seen.get(keyOf(subject)) ?? []).filter((glimpse) => glimpse.until >= since),
    async stop() {
      stopped = true;
      await checking;
    },
  };
}
