import type { Alarming, AlarmingFact } from './fact.ts';
import { alarmingKinds } from './kinds.ts';

/** Most objects of one kind that are kept, longest text of one as JSON, and of all of a cluster: they stand in its own row. */
export const alarmingBounds = { ofKind: 500, one: 8_192, all: 65_536 };

const [one, all] = [alarmingBounds.one / 1_024, alarmingBounds.all / 1_024];

/** The bounds that were reached where something is left out, a clause. */
export const boundsText = `at most ${alarmingBounds.ofKind} objects of a kind, ${one} KB of one and ${all} KB of a cluster are kept`;

/** Kinds of which not all is kept: "Alert". */
export function cutKinds(alarming: Pick<Alarming, 'cut'> | null): readonly string[] {
  const cut = new Set<AlarmingFact['type']>(alarming?.cut);
  return alarmingKinds.flatMap(({ type, kind }) => (cut.has(type) ? [kind] : []));
}

/** That not all is kept of what the objects of a cluster say of who is called, a sentence; null where it is. */
export function cutText(alarming: Pick<Alarming, 'cut'> | null): string | null {
  const kinds = cutKinds(alarming);
  return kinds.length === 0
    ? null
    : `Not every ${kinds.join(', ')} is read: ${boundsText}. What is left out is not called missing, and nobody is said to be untold by it.`;
}
