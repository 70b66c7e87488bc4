import type { Observation, StatusSummary } from '#lib/domain/observation/observation.ts';

/** An observation without any message of a condition, where only reasons may be kept. */
export function withoutMessages(observation: Observation): Observation {
  const { summary, drift } = observation;
  const quiet: StatusSummary = 'message' in summary ? { ...summary, message: '' } : summary;
  return {
    ...observation,
    summary: quiet.said === 'busy' && quiet.before ? { ...quiet, before: { ...quiet.before, message: '' } } : quiet,
    drift: drift.drift === 'found' ? { ...drift, message: '' } : drift,
    conditions: observation.conditions.map((condition) => ({ ...condition, message: '' })),
  };
}
