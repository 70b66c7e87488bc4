import type { Correction } from '#lib/domain/record/current.ts';
import type { ObservedEvent } from '../../clusters/cluster-event.ts';
import { corrections } from '../../reconcilers/registry.ts';
import type { ConflictIndex } from './conflict-index.ts';
import type { Entry } from '../objects/entry.ts';
import type { ObjectGraph } from '../objects/object-graph.ts';
import { stateWeight } from '../objects/weight.ts';
import { effectiveObservation } from '../judging/knowledge.ts';

/** Corrections that are kept with an object, newest first. */
const kept = 20;

/** A fight is one thing that goes on, not a correction each time. */
function add(all: readonly Correction[], correction: Correction): readonly Correction[] {
  const [newest, ...older] = all;
  const goesOn = newest?.certainty === 'contested' && correction.certainty === 'contested';
  if (goesOn && newest.said === correction.said)
    return [{ ...correction, count: newest.count + correction.count }, ...older];
  return [correction, ...all].slice(0, kept);
}

/**
 * Those that the record has yet to be told, with one more. It may be told of none for as long as its cluster likes (one of which no kind can be read is not
 * judged): then the newest stands for those before it, with their number.
 */
function waiting(all: readonly Correction[], correction: Correction): readonly Correction[] {
  const newest = all.at(-1);
  if (newest === undefined || all.length < kept) return [...all, correction];
  return [...all.slice(0, -1), { ...correction, count: newest.count + correction.count }];
}

/** Parts that a correction changes beside its object. */
interface Around {
  readonly conflicts: Pick<ConflictIndex, 'explains' | 'noteCorrections'>;
  readonly graph: Pick<ObjectGraph, 'weigh'>;
}

/**
 * Takes an event about an object, or with null the pass after which it has settled; tells whether a correction became
 * known. `at` is ms since the epoch. What others hold as well did not drift: it is contested from the first time on.
 */
export function noteCorrection(
  entry: Entry,
  event: ObservedEvent | null,
  at: number,
  { conflicts, graph }: Around,
): boolean {
  const settled = effectiveObservation(entry);
  // An edit is one from its write on: what follows it at once is not yet settled, and was prompted by it all the same.
  const observation = event === null ? settled : { ...settled, generation: entry.state.track.latest.generation };
  const step = corrections(observation.reconciler, entry.state.correctionMemory, event, observation, at);
  if (!step) return false;
  entry.change({ correctionMemory: step.memory });
  if (step.correction) take(entry, step.correction, conflicts);
  graph.weigh(entry, stateWeight(entry.state.track.latest, entry.state));
  return step.correction !== null;
}

function take(entry: Entry, correction: Correction, conflicts: Around['conflicts']): void {
  const fought = conflicts.explains(entry.key, correction.said);
  const found: Correction = fought ? { ...correction, certainty: 'contested' } : correction;
  entry.change({ corrections: add(entry.state.corrections, found) });
  entry.change({ unrecorded: waiting(entry.state.unrecorded, found) });
  // What it was found by is remembered with the record, in one transaction with its entry in the ledger: so it is told once.
  entry.change({ shape: '' });
  conflicts.noteCorrections(entry.key, entry.state.corrections);
}
