import { setTimeout as pause } from 'node:timers/promises';
import type { Act, Finding, Never, Situation, Stage } from './situation.ts';
import { titleOf } from './subjects.ts';

/** Time for which everything must stay as expected (ms). */
const steady = 1_500;

/** One line of a situation's outcome: what was expected, and what was found instead; null where it was the same. */
export interface OutcomeLine {
  readonly expected: string;
  readonly got: string | null;
}

/** Outcome of a situation, and how long it took in ms. */
export interface Outcome {
  readonly lines: readonly OutcomeLine[];
  readonly took: number;
}

/** Plays acts one after the other, the chapters of an act beside each other; the outcome of each situation as it comes. */
export function playActs(
  acts: readonly Act[],
  stage: Stage,
  mayPlay: (situation: Situation) => boolean,
): ReadonlyMap<Situation, Promise<Outcome>> {
  const outcomes = new Map<Situation, Promise<Outcome>>();
  let before: Promise<unknown> = Promise.resolve();
  for (const act of acts) {
    const begin = before;
    const ends = act.chapters.map((chapter) => {
      let last: Promise<unknown> = begin;
      for (const situation of chapter.situations.filter(mayPlay)) {
        const outcome = last.then(() => play(situation, stage));
        outcomes.set(situation, outcome);
        last = outcome;
      }
      return last;
    });
    before = Promise.all(ends);
  }
  return outcomes;
}

/** Plays one situation: does what it does, then checks until all is as expected or its time is over. Never throws. */
async function play(situation: Situation, stage: Stage): Promise<Outcome> {
  const since = Date.now();
  try {
    await situation.act?.(stage);
  } catch (failure) {
    return { lines: [{ expected: 'it can be played', got: messageOf(failure) }], took: Date.now() - since };
  }
  const deadline = Date.now() + situation.within;
  let lines = await checkTwice(situation, stage, since);
  while (!fit(lines) && Date.now() < deadline) {
    await pause(500);
    lines = await checkTwice(situation, stage, since);
  }
  return { lines: [...lines, ...flashes(situation, stage, since)], took: Date.now() - since };
}

function fit(lines: readonly OutcomeLine[]): boolean {
  return lines.every((line) => line.got === null);
}

/** Checks twice: what fits only for a moment, on the way from what was done to something else, does not fit. */
async function checkTwice(situation: Situation, stage: Stage, since: number): Promise<readonly OutcomeLine[]> {
  const lines = await checkAll(situation, stage, since);
  if (!fit(lines) || situation.act === undefined) return lines;
  await pause(steady);
  return checkAll(situation, stage, since);
}

async function checkAll(situation: Situation, stage: Stage, since: number): Promise<readonly OutcomeLine[]> {
  const lines: OutcomeLine[] = [];
  for (const check of situation.checks) {
    const found: Finding = await check
      .find(stage, since)
      .catch((failure: unknown) => ({ fits: false, got: messageOf(failure) }));
    lines.push({ expected: check.expects, got: found.fits ? null : found.got });
  }
  return lines;
}

function flashes(situation: Situation, stage: Stage, since: number): readonly OutcomeLine[] {
  return (situation.never ?? []).map(({ subject, verdicts }) => {
    const glimpses = stage.onlooker
      .since(subject, since)
      .filter(({ verdict }) =>
        verdicts === 'all but converged' ? verdict !== 'converged' : verdicts.includes(verdict),
      );
    const seen = glimpses.map(
      ({ at, verdict, reason }) => `${verdict} (${reason}) ${Math.max(at - since, 0)} ms after the act`,
    );
    const title = neverTitle({ subject, verdicts });
    return { expected: title, got: seen.length === 0 ? null : `it was seen as ${seen.join(', ')}` };
  });
}

/** Title of what must never be seen, in words. */
export function neverTitle({ subject, verdicts }: Never): string {
  const what = verdicts === 'all but converged' ? 'anything but converged' : verdicts.join(', ');
  return `${titleOf(subject)}: never ${what}, not for a moment`;
}

function messageOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  // fetch says only that it failed; why is beneath.
  return failure.cause instanceof Error ? `${failure.message}: ${failure.cause.message}` : failure.message;
}
