import type { DriftStatus, Observation, StatusSummary } from '#lib/domain/observation/observation.ts';
import type { ObservedEvent } from '../../clusters/cluster-event.ts';
import { combined } from '../../reconcilers/correction-run.ts';

/** "ConfigMap/apps/drifty configured": the name of an object, and what was done to it. */
const deed = /^[\w.-]+(?:\/[\w.:-]+){1,2} (?:configured|created)$/;

/** An observation without any message of a condition, for `messages: { keep: reason-only }`. */
export function withoutMessages(observation: Observation): Observation {
  const { summary, drift } = observation;
  const quiet: StatusSummary = 'message' in summary ? { ...summary, message: '' } : summary;
  return {
    ...observation,
    summary: quiet.said === 'busy' && quiet.before ? { ...quiet, before: { ...quiet.before, message: '' } } : quiet,
    drift: quietDrift(drift, observation),
    conditions: observation.conditions.map((condition) => ({ ...condition, message: '' })),
  };
}

/** Where a message says why drift is not measured, its reason does. */
function quietDrift(drift: DriftStatus, { conditions }: Observation): DriftStatus {
  if (drift.drift === 'found') return { ...drift, message: '' };
  if (drift.drift !== 'not-measured') return drift;
  const teller = conditions.find(({ message }) => message !== '' && message === drift.why);
  return teller === undefined ? drift : { ...drift, why: teller.reason };
}

/** An Event of whose message only those lines are left that name an object and say what was done to it. */
export function withoutWords(event: ObservedEvent): ObservedEvent {
  const isCombined = event.message.startsWith(combined);
  const lines = event.message.slice(isCombined ? combined.length + 2 : 0).split('\n');
  const deeds = lines.map((line) => line.trim()).filter((line) => deed.test(line));
  return { ...event, message: `${isCombined ? `${combined}: ` : ''}${deeds.join('\n')}` };
}
