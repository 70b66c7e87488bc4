import type { Observation } from '#lib/domain/observation/observation.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { lettersIn } from '../../row-budget/letters.ts';
import type { EntryState } from './entry.ts';

/** Memory of an object that says nothing, and of an entry that it lists (bytes, about). */
const bare = 1_000;
const entry = 100;
/** Memory of a word beside its letters: a list of a million short ones is no small thing (measured: 80 for an id of an inventory). */
const word = 80;

/** Memory of a name that it gives: it stands in what is packed, and in the index of who depends on whom. */
function nameWeight({ group, kind, namespace, name }: ObjectRef): number {
  return 2 * (entry + group.length + kind.length + namespace.length + name.length);
}

/** Memory that an object takes, about (bytes): it grows with all that its cluster says of it. */
export function weightOf(observation: Observation): number {
  const { conditions, history, inventory, finalizers, provides, rivals, exemptions } = observation;
  const { children, dependsOn, otherSources, path, target, originUrl, revisions } = observation;
  let weight = bare + lettersIn([path, target, originUrl, revisions]);
  for (const refs of [children, dependsOn, otherSources]) for (const ref of refs) weight += nameWeight(ref);
  for (const list of [history, rivals, exemptions])
    if (list.length > 0) weight += entry * list.length + lettersIn(list);
  for (const { type, reason, message } of conditions) weight += entry + type.length + reason.length + message.length;
  for (const list of [inventory, finalizers, provides]) for (const { length } of list) weight += word + length;
  return weight;
}

/** Letters of corrections that an object has without being counted: twenty of usual length. */
const usual = 2_000;

/** Memory of corrections, beside what the object says itself. */
type Corrected = Pick<EntryState, 'corrections' | 'correctionMemory' | 'unrecorded'>;

/** Memory that all that is remembered of an object takes, about (bytes): Events say as much of it as the object itself. */
export function stateWeight(
  observation: Observation,
  { corrections, correctionMemory, unrecorded }: Corrected,
): number {
  return weightOf(observation) + Math.max(0, lettersIn([corrections, correctionMemory, unrecorded]) - usual);
}
