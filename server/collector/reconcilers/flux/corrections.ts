import { mayBeSince } from '#lib/domain/time/api-time.ts';
import type { Observation } from '#lib/domain/observation/observation.ts';
import type { ObservedEvent } from '../../clusters/cluster-event.ts';
import type { CorrectionStep } from '../adapter.ts';
import {
  corrected,
  occurrences,
  noCorrections,
  type CorrectionClaim,
  type CorrectionMemory,
  type PassSeen,
} from '../correction-run.ts';

const revisionKey = 'kustomize.toolkit.fluxcd.io/revision';

/**
 * Corrections of a Kustomization (docs/facts/flux.md). There is no reason for them: an apply that changed
 * or created something is one where the pass before had applied the same content, by the digest of the history
 * (kustomization_controller.go: of what was built). Before Flux 2.7 there is no digest: then the same revision makes it probable.
 *
 * Give it every Event of the object, and null with every settled observation; either may come first. `now` in ms.
 */
export function kustomizationCorrections(
  memory: CorrectionMemory | null,
  event: ObservedEvent | null,
  observation: Observation | null,
  now: number,
): CorrectionStep {
  let next = memory ?? noCorrections;
  if (observation !== null) next = withPass(next, observation);
  if (event !== null && changesIn(event) !== '') next = withClaim(next, event, observation, now);
  return settleClaim(next, observation);
}

/** The lines of an apply event that change something: "Deployment/apps/x configured" or "... created", joined by ", ". */
function changesIn(event: ObservedEvent): string {
  if (event.type !== 'Normal' || event.reason === 'ReconciliationSucceeded') return '';
  return event.message
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.endsWith(' configured') || line.endsWith(' created'))
    .join(', ');
}

function withPass(memory: CorrectionMemory, observation: Observation): CorrectionMemory {
  const pass = passOf(observation);
  if (pass === null || memory.passes.some((known) => known.at > pass.at || isSamePass(known, pass))) return memory;
  return { ...memory, passes: [...memory.passes, pass].slice(-4) };
}

/** Two passes may end within one second: then what they applied tells them apart. */
function isSamePass(known: PassSeen, pass: PassSeen): boolean {
  return (
    known.at === pass.at && known.digest === pass.digest && (pass.digest !== null || known.applied === pass.applied)
  );
}

/** The last pass that an observation shows. In the middle of one, its history (where it has one) still tells of the pass before. */
function passOf(observation: Observation): PassSeen | null {
  const newest = observation.history[0];
  const { applied, attempted } = observation.revisions;
  if (newest === undefined) {
    if (observation.summary.said === 'busy' || observation.passes.last === null) return null;
    return { at: observation.passes.last, applied, digest: null, generation: observation.generation };
  }
  const halfWritten = observation.summary.said === 'good' && attempted !== applied;
  if (newest.last === null || halfWritten) return null;
  return { at: newest.last, applied, digest: newest.digest, generation: observation.generation };
}

function withClaim(
  memory: CorrectionMemory,
  event: ObservedEvent,
  observation: Observation | null,
  now: number,
): CorrectionMemory {
  const { fresh, memory: next } = occurrences(memory, event, now);
  if (fresh === 0) return next;
  // A repeated Event is patched in count, time and text only: its annotations stay those of the first.
  const revision = event.count > 1 ? null : (event.annotations[revisionKey] ?? null);
  const generation = observation?.generation ?? 0;
  const claim: CorrectionClaim = {
    at: event.lastAt ?? now,
    said: changesIn(event),
    count: fresh,
    revision,
    generation,
    passKnown: next.passes.at(-1)?.at ?? null,
  };
  return { ...next, claims: [...next.claims, claim].slice(-8) };
}

/** Settles the oldest claim whose pass has ended. */
function settleClaim(memory: CorrectionMemory, observation: Observation | null): CorrectionStep {
  let next = memory;
  for (const claim of memory.claims) {
    const passes = passesOf(claim, next.passes);
    if (passes === null) break;
    next = { ...next, claims: next.claims.filter((other) => other !== claim) };
    const certainty = certaintyInAny(claim, passes, next.passes, observation);
    if (certainty === null) continue;
    return corrected(next, { ...claim, certainty }, observation?.cadence.interval ?? null);
  }
  return { memory: next, correction: null };
}

/**
 * The passes in which a claim may have been made; null while the last of them has not ended. The history tells in whole seconds
 * (an Event may tell more), so a pass that was known before the claim and ended in its second may have ended before it: then the
 * claim may as well be of the next.
 */
function passesOf(claim: CorrectionClaim, passes: readonly PassSeen[]): readonly PassSeen[] | null {
  const possible = passes.filter((pass) => mayBeSince(pass.at, claim.at));
  const sure = possible.findIndex(
    (pass) => pass.at > claim.at || claim.passKnown === null || pass.at > claim.passKnown,
  );
  return sure === -1 ? null : possible.slice(0, sure + 1);
}

/** A claim that may be of either of two passes is a correction only where it is one in both, and then by the weaker proof. */
function certaintyInAny(
  claim: CorrectionClaim,
  possible: readonly PassSeen[],
  all: readonly PassSeen[],
  observation: Observation | null,
): 'confirmed' | 'probable' | null {
  const found = possible
    .filter(({ applied }) => applied !== null && (claim.revision ?? applied) === applied)
    .map((after) => certaintyOf(claim, all[all.indexOf(after) - 1] ?? null, after, observation));
  if (found.length === 0 || found.includes(null)) return null;
  return found.includes('probable') ? 'probable' : 'confirmed';
}

function certaintyOf(
  claim: CorrectionClaim,
  before: PassSeen | null,
  after: PassSeen,
  observation: Observation | null,
): 'confirmed' | 'probable' | null {
  if (before === null) {
    // Seen from here on only: the content of that pass had been applied before, by the history's own dates.
    const newest = observation?.history[0];
    const old =
      newest !== undefined && newest.digest === after.digest && newest.first !== null && newest.first < claim.at;
    return old ? 'probable' : null;
  }
  // An edit of the spec may change what is applied without changing what is built (spec.commonMetadata, which the digest leaves out).
  if (before.digest !== after.digest || before.generation !== after.generation) return null;
  // Of equal content it is drift that was undone, whichever commit it came with.
  if (after.digest !== null) return 'confirmed';
  return before.applied === after.applied ? 'probable' : null;
}
