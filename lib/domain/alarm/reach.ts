import type { AlarmReach, ReachStep } from './finding.ts';

/** Answers to a step: that the chain goes there, that it does not, that it is not known. */
export const reachAnswers = [
  'exported',
  'not-exported',
  'unknown-exported',
  'ruled',
  'not-ruled',
  'unknown-ruled',
  'routed',
  'not-routed',
  'unknown-routed',
] as const;

export type ReachAnswer = (typeof reachAnswers)[number];

/** True if the answer is that of an object whose chain goes so far. */
export function reaches(reach: AlarmReach, asked: ReachAnswer): boolean {
  return (['exported', 'ruled', 'routed'] as const).some((step) => asked === answerOf(step, reach[step]));
}

/** The answer of a step. */
export function answerOf(step: ReachStep, known: boolean | null): ReachAnswer {
  if (known === null) return `unknown-${step}`;
  return known ? step : `not-${step}`;
}
