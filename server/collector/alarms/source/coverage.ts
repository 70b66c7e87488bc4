import type { AlarmCoverage } from '#lib/domain/alarm/call.ts';
import { type AlarmSource, isBelieved } from '#lib/domain/alarm/source.ts';

/** Tells from when on a source can be read, whole, and from when on not. Times in ms since the epoch. */
export interface CoverageKeeper {
  /**
   * After a reading that began at `from`: what changed by it, and before it by time alone. `untold`: sentence on alerts of which nobody knows whether
   * they call, so that nobody knows what is silent either.
   */
  after(source: AlarmSource, from: number, now: number, untold?: string | null): readonly AlarmCoverage[];
  /** Nothing is read from now on. */
  stopped(now: number): readonly AlarmCoverage[];
}

/**
 * Begins with a source that cannot be read: not since its last proof ran out, where `stored` tells of one. What was read is covered from the
 * beginning of the reading on; what was not, from when that was noticed, or from when the last proof ran out.
 */
export function createCoverage(
  name: string,
  clusters: readonly string[],
  stored: AlarmSource | null,
  started: number,
): { readonly keeper: CoverageKeeper; readonly first: AlarmCoverage } {
  const entry = (at: number, reason: string | null): AlarmCoverage => ({
    source: name,
    at,
    read: reason === null,
    clusters,
    reason,
  });
  const first = entry(
    Math.min(started, stored === null ? started : provenUntil(stored)),
    'It has not been read whole since Plumbline started.',
  );
  let last = first;
  /** When what was read last is believed no longer. */
  let until = started;

  function change(at: number, reason: string | null): readonly AlarmCoverage[] {
    if ((reason === null) === last.read) return [];
    last = entry(Math.max(at, last.at), reason);
    return [last];
  }

  const keeper: CoverageKeeper = {
    after(source, from, now, untold = null) {
      const lapsed = last.read && until <= from ? change(until, 'It was not read in time.') : [];
      const reason = whyNotRead(source, now) ?? untold;
      const changed = change(reason === null ? from : Math.min(now, Math.max(until, from)), reason);
      if (reason === null) until = provenUntil(source);
      return [...lapsed, ...changed];
    },
    stopped: (now) => change(Math.min(now, until), 'Plumbline has stopped.'),
  };
  return { keeper, first };
}

function provenUntil({ programs }: AlarmSource): number {
  return Math.min(...programs.map(({ validUntil }) => validUntil));
}

/** Why a source is not read whole; null where it is. */
function whyNotRead({ programs, cut }: AlarmSource, now: number): string | null {
  const lost = programs.find((program) => !isBelieved(program, now));
  if (lost !== undefined) return `${lost.url}: ${lost.reason ?? 'It is being read for the first time.'}`;
  return cut[0] ?? null;
}
