import type { Log } from '#server/runtime/log.ts';
import { createBackoff } from './backoff.ts';
import type { ClusterFault } from './cluster-event.ts';
import { pause } from './pause.ts';
import type { ReadingDeps } from './reading-deps.ts';
import { saying } from './redact.ts';

/** The boundary of one cluster: nothing that is thrown while it is read goes further. */
export interface Boundary {
  /** The fault that stands for what was thrown while something was read; it is logged once as an error of ours. */
  fault(reading: string, error: unknown): ClusterFault;
  /** Runs what nothing waits for; what it throws is logged. */
  run(reading: string, task: () => void): void;
}

/** Needed to read a cluster without harm to others. */
export interface GuardedDeps extends ReadingDeps {
  readonly boundary: Boundary;
}

/** So many different errors of one cluster are logged. */
const loggedAtMost = 100;

/** Makes the boundary of one cluster; `log` names it. */
export function createBoundary(log: Log): Boundary {
  const logged = new Set<string>();

  function fault(reading: string, error: unknown): ClusterFault {
    const reason = saying(error);
    const key = `${reading}: ${reason}`;
    if (!logged.has(key) && logged.size < loggedAtMost) {
      logged.add(key);
      log.error({ reading, reason, stack: stackOf(error) }, 'an error of Plumbline while a cluster was read');
    }
    return { type: 'protocol', message: `an error of Plumbline: ${reason}` };
  }

  return {
    fault,
    run(reading, task) {
      try {
        task();
      } catch (error) {
        fault(reading, error);
      }
    },
  };
}

/** Where it was thrown, without its message: that may hold words of the cluster. */
function stackOf(error: unknown): readonly string[] {
  const lines = error instanceof Error ? (error.stack ?? '').split('\n') : [];
  return lines.flatMap((each) => (/^ {4}at /.test(each) ? [each.trim()] : [])).slice(0, 10);
}

/** Something of a cluster that is read again and again. */
export interface Reading {
  /** Named in the log. */
  readonly what: string;
  readonly signal: AbortSignal;
  /** Reads once; pauses by itself. */
  turn(): Promise<void>;
  /** A turn threw; the next one comes after a growing pause. */
  onFault(fault: ClusterFault): void;
}

/** Takes turn after turn until it is aborted. Never rejects, whatever a turn throws. */
export async function keepReading(
  { clock, random, tuning, boundary }: GuardedDeps,
  { what, signal, turn, onFault }: Reading,
): Promise<void> {
  const backoff = createBackoff(tuning, clock.now, random);
  while (!signal.aborted) {
    try {
      await turn();
    } catch (error) {
      const fault = boundary.fault(what, error);
      boundary.run(what, () => onFault(fault));
      await pause(clock, backoff.next(), signal);
    }
  }
}
