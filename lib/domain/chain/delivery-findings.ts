import type { Finding } from '../verdict/finding.ts';
import { minute } from '../time/length.ts';
import { finding, findingsFrom, nameOf, provenEnd, quietUntil } from './join.ts';
import type { ObjectRef } from '../observation/ref.ts';
import type { RelatedObject, Surroundings } from '../verdict/subject.ts';
import type { Verdict } from '../verdict/verdict.ts';

/** Finding from the Kustomization or HelmRelease that delivers `self`: at best unconfirmed unless it is converged. */
export function deliveryFinding(delivery: RelatedObject, self: ObjectRef): Finding | null {
  const found = findingsFrom(delivery, self, 'delivered by');
  const name = nameOf(delivery, self);
  if (delivery.state !== 'present')
    return found('unconfirmed', 'DeliveryNotSeen', `${name}, which delivers it, is not seen.`);
  if (!delivery.judgement || delivery.judgement.verdict === 'converged') return null;
  const sentence = `${name}, which delivers it, is ${delivery.judgement.verdict}.`;
  return found('unconfirmed', 'DeliveryNotConverged', sentence);
}

/** Several appliers could deliver `self`: which one does cannot be told, so nothing proves it. */
export function unsureDeliveryFinding(candidates: readonly ObjectRef[]): Finding | null {
  const [first] = candidates;
  if (!first) return null;
  const where = candidates.map((ref) => ref.cluster).join(' and ');
  return finding({
    verdict: 'unconfirmed',
    reason: 'DeliveryUncertain',
    sentence: `${first.kind} ${first.name} on ${where} could deliver it; which of them does cannot be told.`,
    names: candidates,
    evidence: candidates.map((ref) => ({
      from: 'join',
      text: `in the inventory of ${ref.kind} ${ref.name} on ${ref.cluster}`,
      names: [ref],
      at: null,
    })),
    rootCause: null,
  });
}

/** An inventory is written once all of a pass is applied: so long an object may bear labels and be in none (ms). */
const listedWithin = minute;

/** Time after which what is contested is looked at anew (ms): that the other has gone is told by nobody. */
const contestedAgain = minute;

/**
 * Finding from owner labels alone. It is the same whatever became of the applier that they name, and whether there is one: whoever may write an
 * object may write its labels, and would be told of what he may not see.
 */
export function claimedDeliveryFinding(claimed: Surroundings['claimed'], now: number): Finding | null {
  if (claimed === null) return null;
  const { by, since, contested } = claimed;
  if (now < since + listedWithin) return quietUntil(since + listedWithin);
  return finding({
    verdict: 'unconfirmed',
    reason: 'DeliveryUncertain',
    sentence: `Its labels name ${by.kind} ${by.name}, but no inventory that is read proves it.`,
    names: [by],
    evidence: [
      { from: 'join', text: `proven by no inventory of ${by.kind} ${by.name} that is read`, names: [by], at: null },
    ],
    rootCause: null,
    reviewAt: contested ? now + contestedAgain : null,
  });
}

/**
 * True for the states in which a composite (or claim), its parts left out, still hands on what is in git. One whose parts are not
 * ready yet does: readiness is cumulative, what is declared of the other parts is applied all the same.
 */
const handsOn: Readonly<Record<Verdict, boolean>> = {
  diverged: false,
  drifted: true,
  unhealthy: true,
  stale: false,
  unobserved: false,
  suspended: false,
  behind: true,
  waiting: true,
  progressing: true,
  unconfirmed: false,
  converged: true,
};

/** Finding from the composite or claim that makes `self`: at best unconfirmed where it does not hand on what is in git. */
export function composerFinding(composer: RelatedObject, self: ObjectRef): Finding | null {
  const name = nameOf(composer, self);
  if (composer.state !== 'present') {
    const sentence = `${name}, which it is a part of, is ${composer.state === 'missing' ? 'not there' : 'not seen'}.`;
    const found = findingsFrom(composer, self, 'part of')('unconfirmed', 'CompositeNotSeen', sentence);
    return { ...found, rootCause: provenEnd(composer, self) };
  }
  const { judgement } = composer;
  const alone = judgement?.withoutParts ?? judgement;
  if (!alone || handsOn[alone.verdict] || alone.reason === 'NeverSettled') return null;
  return finding({
    verdict: 'unconfirmed',
    reason: 'CompositeNotConverged',
    sentence: `${name}, which it is a part of, is ${alone.verdict}.`,
    names: [composer.ref],
    evidence: [
      { from: 'join', text: `part of ${name}: ${alone.verdict}`, names: [composer.ref], at: composer.awaySince },
    ],
    rootCause: alone.rootCause ?? { type: 'object', ref: composer.ref },
  });
}
