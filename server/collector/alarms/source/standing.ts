import type { AlarmProgram, ProgramStanding } from '#lib/domain/alarm/source.ts';

/** So long is believed what a program told, from the beginning of the reading on (ms). */
const believedFor = 60_000;

/** Where one program stands, from how its tasks end. Times in ms since the epoch. */
export interface Standing {
  /** A task was done whole, which began at `from`; one that `proves` has told what changes all the time. */
  succeeded(task: string, from: number, now: number, proves: boolean): void;
  failed(task: string, reason: string, now: number): void;
  now(): ProgramStanding;
}

/** Begins the standing of a program that has told nothing yet; it is live once each of `tasks` was done whole. */
export function createStanding(program: AlarmProgram, url: string, tasks: readonly string[], now: number): Standing {
  const faults = new Map<string, string>();
  const done = new Set<string>();
  let standing: ProgramStanding = {
    program,
    url,
    state: 'reading',
    since: now,
    reason: null,
    readAt: null,
    validUntil: now,
  };

  function move(at: number, proof: Partial<ProgramStanding> = {}): void {
    const [reason = null] = faults.values();
    const whole = tasks.every((task) => done.has(task)) ? 'live' : 'reading';
    const state = reason === null ? whole : 'failed';
    standing = { ...standing, ...proof, state, reason, since: state === standing.state ? standing.since : at };
  }

  return {
    succeeded(task, from, at, proves) {
      faults.delete(task);
      done.add(task);
      move(at, proves ? { readAt: from, validUntil: from + believedFor } : {});
    },
    failed(task, reason, at) {
      faults.set(task, reason);
      move(at);
    },
    now: () => standing,
  };
}
