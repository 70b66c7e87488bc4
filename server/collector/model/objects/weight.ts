import type { Observation } from '#lib/domain/observation/observation.ts';

/** Memory of an object that says nothing, and of a name that it gives (bytes, about). */
const bare = 1_000;
const named = 100;

/** Memory that an object takes, about (bytes): it grows with all that its cluster says of it. */
export function weightOf(observation: Observation): number {
  const { conditions, history, inventory, finalizers, provides, rivals, exemptions } = observation;
  const refs = observation.children.length + observation.dependsOn.length + observation.otherSources.length;
  let weight = bare + named * (refs + history.length + rivals.length + exemptions.length);
  for (const { type, reason, message } of conditions) weight += named + type.length + reason.length + message.length;
  for (const list of [inventory, finalizers, provides]) for (const word of list) weight += word.length;
  return weight;
}
