import type { Verdict } from '../verdict/verdict.ts';

/**
 * States of an object for a commit, the one to look at first in front.
 * - stuck: the commit does not come: it was tried and failed, or nothing brings it while that lasts
 * - failed-later: what runs holds the commit and has worked with it; by now the object is not in order, though no later commit touches it
 * - unknown: Plumbline cannot see the object, nobody looks at it any more, or what it runs is not known of the repository
 * - on-its-way: an older commit runs, and nothing says that this one will not come
 * - superseded: what runs holds the commit, and a later one that touches the object too; or it worked there, and fails since a later one
 * - converged: what runs holds the commit, nothing later touches the object, and it is converged
 * - not-concerned: the commit touches nothing that the object is built from
 */
export const fates = [
  'stuck',
  'failed-later',
  'unknown',
  'on-its-way',
  'superseded',
  'converged',
  'not-concerned',
] as const;
/** State of an object for a commit. */
export type FateName = (typeof fates)[number];

/** An object for a commit. What git tells is null where it does not know. */
export interface FateFacts {
  readonly verdict: Verdict;
  /** Verdict beneath one that hides it; null where none does. */
  readonly was: Verdict | null;
  readonly reason: string;
  /** The commit touches what the object is built from. */
  readonly touches: boolean | null;
  /** True if what runs holds the commit; null too where nothing that runs is known. */
  readonly runs: boolean | null;
  /** True if what was tried last holds the commit. */
  readonly tried: boolean | null;
  /** The newest commit between this one and what runs that touches the object too; null where there is none. */
  readonly later: string | null;
  /** False where git does not tell what lies between: then there may be a later one. */
  readonly laterKnown: boolean;
  /** Of an object that fails by an attempt of its own; null where it does not. */
  readonly failing: FailingFacts | null;
  /** True of drift that can only have come after what runs was applied in full. */
  readonly driftedLater: boolean;
  /** Of an object that waits: for what, and why that does not come by itself, in a few words; null where it may come. */
  readonly held: string | null;
  /** Why git does not know, for people; null where it knows. */
  readonly unknown: string | null;
}

/** An object that fails, by the range in which that began, for a commit. */
export interface FailingFacts {
  /** True if the last commit at which it worked holds this one: it was seen to arrive. null where that is not known. */
  readonly worked: boolean | null;
  /** The newest commit between this one and the first failed one that touches the object too; null where there is none. */
  readonly later: string | null;
  /** False where git does not tell what lies between. */
  readonly laterKnown: boolean;
}

/** State of an object for a commit, with why in a few words ('' where nothing is to be said) and, where it is superseded, by which commit. */
export interface Fate {
  readonly state: FateName;
  readonly why: string;
  readonly by: string | null;
}

/** Tells the state of one object for one commit. */
export function fateOf(facts: FateFacts): Fate {
  const { verdict, reason, touches, runs, tried, held, laterKnown, failing, unknown } = facts;
  if (touches === false) return { state: 'not-concerned', why: '', by: null };
  if (touches === null) return untold(unknown ?? 'what it is built from is not known');
  if (verdict === 'unobserved') return untold(reason === '' ? 'not seen' : reason);
  if (failing?.worked === true) {
    const by = failing.later ?? (runs === true ? facts.later : null);
    if (by !== null) return { state: 'superseded', why: brokenText(facts), by };
    if (!failing.laterKnown) return untold(unknown ?? laterUntold);
  }
  if (runs === null) return untold(unknown ?? 'what it runs is not known');
  if (runs && !laterKnown) return untold(unknown ?? laterUntold);
  if (runs) return arrived(facts);
  switch (verdict) {
    case 'diverged':
    case 'unhealthy':
      // What failed before this commit was tried may be mended by it.
      return tried === false ? onItsWay('') : stuck(verdict, reason);
    case 'stale':
    case 'suspended':
    case 'behind':
      return stuck(verdict, reason);
    case 'waiting':
      return held === null ? onItsWay(reason) : stuck(verdict, held);
    case 'drifted':
    case 'progressing':
    case 'unconfirmed':
    case 'converged':
      return onItsWay('');
  }
}

function arrived(facts: FateFacts): Fate {
  const { verdict, was, reason, later, held, failing } = facts;
  // What was tried with a later commit only, and failed, may be at fault itself.
  if (later !== null && failing?.worked === null) return untold('that it worked at this commit is not known');
  if (later !== null && (failing === null || verdict === 'converged'))
    return { state: 'superseded', why: verdict === 'converged' ? '' : reason, by: later };
  switch (verdict) {
    case 'converged':
      return { state: 'converged', why: '', by: null };
    case 'diverged':
    case 'drifted':
    case 'unhealthy':
      return broken(facts, verdict, reason === '' ? verdict : reason);
    // Nobody looks at it any more: that it was in order is not that it is, and what ended the looking is not the commit's.
    case 'stale':
      if (was !== null && isFailure(was)) return broken(facts, was, beneath(reason, `${was} when last confirmed`));
      return untold(`ran it when last confirmed${reason === '' ? '' : `; ${reason}`}`);
    case 'suspended':
      if (was !== null && isFailure(was)) return broken(facts, was, beneath(reason, `${was} when last seen`));
      return untold('suspended, and ran it when last seen');
    case 'waiting':
      return held === null ? onItsWay(reason) : broken(facts, verdict, held);
    case 'behind':
    case 'progressing':
    case 'unconfirmed':
      return onItsWay(reason);
    case 'unobserved':
      return untold(reason);
  }
}

/** An object that runs the commit and is not in order, by its verdict or the one beneath: was it ever, with this commit? */
function broken({ failing, driftedLater }: FateFacts, verdict: Verdict, why: string): Fate {
  // What runs while it waits was applied in full (`runningOf`): a wait is no attempt.
  const isOnlyLater = verdict === 'waiting' || (verdict === 'drifted' && driftedLater);
  const worked = failing === null ? isOnlyLater : failing.worked === true;
  return worked ? { state: 'failed-later', why, by: null } : stuck(verdict, why);
}

/** Why nobody looks at it any more, with what was known before. */
function beneath(reason: string, before: string): string {
  return reason === '' ? before : `${reason} (${before})`;
}

const laterUntold = 'what came after it is not known';

/** Words on an object that had the commit and fails by now. */
function brokenText({ verdict, reason }: FateFacts): string {
  const fails = verdict === 'diverged' || verdict === 'unhealthy';
  return fails ? `fails at a later commit: ${reason === '' ? verdict : reason}` : 'failed at a later commit';
}

/** True of what an object says of itself that is not in order. */
function isFailure(verdict: Verdict): boolean {
  return verdict === 'diverged' || verdict === 'drifted' || verdict === 'unhealthy';
}

/** True of an object for which others wait in vain, as long as it stays as it is: it fails, or nothing brings it further. */
export function holdsUp({ verdict }: Pick<FateFacts, 'verdict'>): boolean {
  return isFailure(verdict) || verdict === 'stale' || verdict === 'suspended' || verdict === 'behind';
}

function untold(why: string): Fate {
  return { state: 'unknown', why, by: null };
}

function onItsWay(why: string): Fate {
  return { state: 'on-its-way', why, by: null };
}

function stuck(verdict: Verdict, reason: string): Fate {
  return { state: 'stuck', why: reason === '' ? verdict : reason, by: null };
}
