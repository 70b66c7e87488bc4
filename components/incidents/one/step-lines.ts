import type { WireIncidentStep } from '#lib/api/incident.ts';
import { countOf } from '#lib/format/number.ts';
import { endClause } from '../incident-text.ts';

/** One line on how an incident went on: a step, or several in which it did the same. */
export interface StepLine {
  readonly key: string;
  readonly from: string;
  /** When the last of them was; the same as `from` of one. */
  readonly to: string;
  readonly words: string;
  /** Reach from then on. */
  readonly objects: number;
  readonly clusters: number;
}

/** The steps of an incident in lines, oldest first: growing again and again is one. */
export function stepLines(steps: readonly WireIncidentStep[]): readonly StepLine[] {
  const runs: WireIncidentStep[][] = [];
  for (const step of steps) {
    const run = runs.at(-1);
    const joins = isGradual(step) && run?.[0]?.type === step.type;
    if (joins) run?.push(step);
    else runs.push([step]);
  }
  return runs.flatMap((run, index) => {
    const [first] = run;
    const last = run.at(-1);
    if (first === undefined || last === undefined) return [];
    const before = runs[index - 1]?.at(-1);
    const { objects, clusters } = last;
    return {
      key: `${index} ${first.at}`,
      from: first.at,
      to: last.at,
      words: wordsOf(run, last, before),
      objects,
      clusters,
    };
  });
}

function isGradual({ type }: WireIncidentStep): boolean {
  return type === 'grown' || type === 'shrunk';
}

function wordsOf(
  run: readonly WireIncidentStep[],
  last: WireIncidentStep,
  before: WireIncidentStep | undefined,
): string {
  const { type, title, objects, worst, reason, ended } = last;
  const inSteps = run.length === 1 ? '' : `, in ${countOf(run.length, 'step')}`;
  switch (type) {
    case 'opened':
      return `Noticed: ${title}`;
    case 'recognised':
      return `Its cause was recognised: ${title}`;
    case 'grown':
      return `Grew${differenceText(objects, before)}${inSteps}`;
    case 'shrunk':
      return objects === 0 ? `The last were back${inSteps}` : `Shrank${differenceText(objects, before)}${inSteps}`;
    case 'changed':
      return `Worst: ${[worst, reason].filter((word) => word !== '').join(', ')}`;
    case 'closed':
      return ended === null ? 'Over' : `Over: ${endClause(ended)}`;
    case 'reopened':
      return 'Came back';
    case 'merged':
      return 'Turned out to be one with another incident';
  }
}

/** " by 3 objects"; '' where that is not known, or none. */
function differenceText(objects: number, before: WireIncidentStep | undefined): string {
  const by = before === undefined ? 0 : Math.abs(objects - before.objects);
  return by === 0 ? '' : ` by ${countOf(by, 'object')}`;
}
