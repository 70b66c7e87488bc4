import { waveStates, type WaveState } from './wave-cluster.ts';
import { formatDuration } from '../../format/duration.ts';
import { countOf, formatCount } from '../../format/number.ts';

/** A piece of the answer; a count of clusters has the state that it counts. */
export interface SaidPiece {
  readonly text: string;
  readonly state: WaveState | null;
}

/** A cluster that a commit concerns: why it stands there as it does in a word or a few, and since when it is away (ms, null where that is not known). */
export interface StandsOn {
  readonly cluster: string;
  readonly state: WaveState;
  readonly why: string;
  readonly since: number | null;
}

interface Standing {
  /** Clusters that the commit concerns, by where it stands on each. */
  readonly counts: Readonly<Record<WaveState, number>>;
  /** Those that are named where something fails there. */
  readonly clusters: readonly StandsOn[];
}

/** So many clusters are named of a state. */
const told = 2;

/** The answer to "is my commit out?" in one sentence, as it is at a time (ms). */
export function commitSentence({ counts, clusters }: Standing, now: number): readonly SaidPiece[] {
  const total = waveStates.reduce((sum, state) => sum + counts[state], 0);
  if (total === 0)
    return [said('It concerns no cluster: nothing that is deployed builds from a file that it changes.')];
  const only = waveStates.find((state) => counts[state] === total);
  if (only !== undefined)
    return [said(capital(verb[only])), count(allOf(total), only), said(`${named(only, clusters, now)}.`)];
  const shown = order.filter((state) => counts[state] > 0);
  const clauses = shown.flatMap((state, index) => {
    const begin = index === 0 ? capital(verb[state]) : `; ${verb[state]}`;
    const of =
      index === 0 ? `${formatCount(counts[state])} of ${countOf(total, 'cluster')}` : formatCount(counts[state]);
    const names = named(state, clusters, now);
    return [said(begin), count(of, state), ...(names === '' ? [] : [said(names)])];
  });
  return [...clauses, said('.')];
}

/** States where something fails stand last: the clusters of each follow it. */
const order = [
  'converged',
  'superseded',
  'on-its-way',
  'unknown',
  'failed-later',
  'stuck',
] as const satisfies readonly WaveState[];

const verb: Readonly<Record<WaveState, string>> = {
  converged: 'converged on ',
  superseded: 'superseded on ',
  'on-its-way': 'on its way to ',
  unknown: 'not known on ',
  'failed-later': 'failed later on ',
  stuck: 'stuck on ',
};

function allOf(total: number): string {
  return total === 1 ? 'the 1 cluster that it concerns' : `all ${formatCount(total)} clusters that it concerns`;
}

/** ": eu-west-3, BuildFailed for 12 min" after a state in which something fails; '' after others. */
function named(state: WaveState, clusters: readonly StandsOn[], now: number): string {
  const of = state === 'stuck' || state === 'failed-later' ? clusters.filter((one) => one.state === state) : [];
  if (of.length === 0) return '';
  const names = of.slice(0, told).map(({ cluster, why, since }) => {
    const length = since === null ? '' : ` for ${formatDuration(now - since)}`;
    return why === '' && length === '' ? cluster : `${cluster}, ${why}${length}`;
  });
  const more = of.length - names.length;
  return `: ${names.join('; ')}${more > 0 ? `; and ${formatCount(more)} more` : ''}`;
}

function said(text: string): SaidPiece {
  return { text, state: null };
}

function count(text: string, state: WaveState): SaidPiece {
  return { text, state };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
