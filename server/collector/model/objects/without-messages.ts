import type { Observation, StatusSummary } from '#lib/domain/observation/observation.ts';

/** An observation without any message of a condition, where only reasons may be kept. */
export function withoutMessages(observation: Observation): Observation {
  const { word, drift } = observation;
  const quiet: StatusSummary = 'message' in word ? { ...word, message: '' } : word;
  return {
    ...observation,
    word: quiet.said === 'busy' && quiet.before ? { ...quiet, before: { ...quiet.before, message: '' } } : quiet,
    drift: drift.drift === 'found' ? { ...drift, message: '' } : drift,
    conditions: observation.conditions.map((condition) => ({ ...condition, message: '' })),
  };
}
