import { sameRef, type ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Transition } from '#lib/domain/record/current.ts';
import type { PastTraits } from '#server/store/record/past-object.ts';
import { addOnce, isOf, type Growing, type Owner } from './growing.ts';

/** Adds a change of verdict. Nothing of its object was noticed later than it: if so, the clock was set back meanwhile. */
export function addTransition(record: Growing, transition: Transition, traits: PastTraits | null): void {
  const { ref, at, noticedAt, to } = transition;
  const before = record.transitions.findLast((other) => sameRef(other.ref, ref));
  const isNew = addOnce(
    record.transitions,
    transition,
    (other) => sameRef(other.ref, ref) && other.at === at && other.noticedAt === noticedAt && other.to === to,
  );
  if (!isNew) return;
  if (traits !== null) record.traits.set(transition, traits);
  if (before !== undefined && before.noticedAt > noticedAt) setTransitionsBack(record, ref, noticedAt);
}

/** Ends the last span of an object whose cluster is forgotten at `at` (ms). */
export function endTransitions(record: Growing, ref: ObjectRef, at: number): void {
  const last = record.transitions.findLast((other) => sameRef(other.ref, ref));
  if (last === undefined || last.to === null) return;
  const { uid, to } = last;
  const gone = { reason: 'Forgotten', message: '', commit: null, attempted: null, rootCause: null };
  addTransition(record, { ref, uid, at, bound: 'exact', noticedAt: at, from: to, to: null, ...gone }, null);
}

/** The machine's clock was set back to `now` (ms): nothing of an owner was noticed later. */
export function setTransitionsBack(record: Growing, owner: Owner, now: number): void {
  for (const [place, transition] of record.transitions.entries()) {
    if (transition.noticedAt <= now || !isOf(owner, transition.ref)) continue;
    const back = { ...transition, noticedAt: now };
    record.transitions[place] = back;
    const traits = record.traits.get(transition);
    if (traits !== undefined) record.traits.set(back, traits);
    record.traits.delete(transition);
  }
}
