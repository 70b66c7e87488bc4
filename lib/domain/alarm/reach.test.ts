import { expect, it } from 'vitest';
import { reachSteps, type AlarmReach } from './finding.ts';
import { answerOf, reachAnswers, reaches } from './reach.ts';

const values = [true, false, null] as const;
const all: readonly AlarmReach[] = values.flatMap((exported) =>
  values.flatMap((ruled) => values.map((routed) => ({ exported, ruled, routed }))),
);

it.each(all)('of %j exactly one answer of each step is true', (reach) => {
  const given = reachAnswers.filter((answer) => reaches(reach, answer));
  expect(given).toEqual(reachSteps.map((step) => answerOf(step, reach[step])));
});
