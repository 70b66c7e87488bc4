import type { Correction } from '#lib/domain/record/current.ts';
import type { ObservedEvent } from '../../clusters/cluster-event.ts';
import { corrections } from '../../reconcilers/registry.ts';
import type { ConflictIndex } from './conflict-index.ts';
import type { Entry } from '../objects/entry.ts';
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
 * Takes an event about an object, or with null the pass after which it has settled; tells whether a correction became
 * known. `at` is ms since the epoch. What others hold as well did not drift: it is contested from the first time on.
 */
export function noteCorrection(
  entry: Entry,
  event: ObservedEvent | null,
  at: number,
  conflicts: Pick<ConflictIndex, 'explains' | 'noteCorrections'>,
): boolean {
  const settled = effectiveObservation(entry);
  // An edit is one from its write on: what follows it at once is not yet settled, and was prompted by it all the same.
  const observation = event === null ? settled : { ...settled, generation: entry.state.track.latest.generation };
  const step = corrections(observation.reconciler, entry.state.correctionMemory, event, observation, at);
  if (!step) return false;
  entry.change({ correctionMemory: step.memory });
  if (!step.correction) return false;
  const { correction } = step;
  const fought = conflicts.explains(entry.key, correction.said);
  const found: Correction = fought ? { ...correction, certainty: 'contested' } : correction;
  entry.change({ corrections: add(entry.state.corrections, found) });
  entry.change({ unrecorded: [...entry.state.unrecorded, found] });
  // What it was found by is remembered with the record, in one transaction with its entry in the ledger: so it is told once.
  entry.change({ shape: '' });
  conflicts.noteCorrections(entry.key, entry.state.corrections);
  return true;
}
