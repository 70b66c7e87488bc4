import { setTimeout as pause } from 'node:timers/promises';
import type { Situation, Stage } from './situation.ts';

const onsetTolerance = 5_000;

/** What came of a situation: what is wrong, [] where nothing is, and how long it took in ms. */
export interface Outcome {
  readonly wrong: readonly string[];
  readonly took: number;
}

/** Plays one situation: does what it does, then looks until all is as expected or its time is over. */
export async function play(situation: Situation, stage: Stage): Promise<Outcome> {
  const since = Date.now();
  await situation.act?.(stage);
  const deadline = Date.now() + situation.within;
  let wrong = await lookAtAll(situation, stage, since);
  while (wrong.length > 0 && Date.now() < deadline) {
    await pause(500);
    wrong = await lookAtAll(situation, stage, since);
  }
  return {
    wrong: [
      ...wrong,
      ...flashes(situation, stage, since),
      ...(wrong.length > 0 ? [] : await lateOnset(situation, stage, since)),
    ],
    took: Date.now() - since,
  };
}

async function lookAtAll(situation: Situation, stage: Stage, since: number): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const look of situation.looks) {
    wrong.push(
      ...(await look(stage, since).catch((failure: unknown) => [
        failure instanceof Error ? failure.message : String(failure),
      ])),
    );
  }
  return wrong;
}

function flashes(situation: Situation, stage: Stage, since: number): readonly string[] {
  return (situation.never ?? []).flatMap(({ subject, verdicts }) => {
    const glimpses = stage.onlooker.since(subject, since);
    const forbidden = glimpses.filter(({ verdict }) =>
      verdicts === 'all but converged' ? verdict !== 'converged' : verdicts.includes(verdict),
    );
    return forbidden.map(
      ({ at, verdict, reason }) =>
        `${subject.kind}/${subject.name} was seen as ${verdict} (${reason}) ${Math.max(at - since, 0)} ms after the act`,
    );
  });
}

async function lateOnset(situation: Situation, stage: Stage, since: number): Promise<readonly string[]> {
  if (situation.onset === undefined) return [];
  const { subject, shownBy } = situation.onset;
  const title = `${subject.kind}/${subject.name}`;
  const shown = stage.witness.first(subject.kind, subject.name, since, shownBy);
  const object = await stage.plumbline.object(subject);
  if (shown === null) return [`the witness saw no write of ${title} that shows it`];
  if (object === null) return [`the API knows no ${title}`];
  const off = Date.parse(object.onset.time) - shown.at;
  if (object.onset.bound !== 'exact') return [`the onset of ${title} is ${object.onset.bound}, not exact`];
  return Math.abs(off) <= onsetTolerance
    ? []
    : [`the onset of ${title} is ${off} ms from the first write that shows it`];
}
