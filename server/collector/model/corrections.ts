import type { Correction } from '#lib/domain/current.ts';
import type { EventWord } from '../clusters/cluster-event.ts';
import { corrections } from '../reconcilers/registry.ts';
import type { Entry } from './entry.ts';
import { restingObservation } from './surroundings.ts';

/** Corrections that are kept with an object, newest first. */
const kept = 20;

function add(all: readonly Correction[], correction: Correction): readonly Correction[] {
  return [correction, ...all].slice(0, kept);
}

/**
 * Takes an event about an object, or with null the pass after which it has settled; tells whether a correction became
 * known. `at` is ms since the epoch.
 */
export function noteCorrection(entry: Entry, event: EventWord | null, at: number): boolean {
  const observation = restingObservation(entry);
  const step = corrections(observation.reconciler, entry.correctionMemory, event, observation, at);
  if (!step) return false;
  entry.correctionMemory = step.memory;
  if (!step.correction) return false;
  entry.corrections = add(entry.corrections, step.correction);
  return true;
}
