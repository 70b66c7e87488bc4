import type { Finding } from '../verdict/finding.ts';
import { finding, findingsFrom, nameOf } from './join.ts';
import type { ObjectRef } from '../observation/ref.ts';
import type { RelatedObject } from '../verdict/subject.ts';
import type { Verdict } from '../verdict/verdict.ts';

/** Finding from the Kustomization or HelmRelease that delivers `self`: at best unconfirmed unless it is converged. */
export function deliveryFinding(delivery: RelatedObject, self: ObjectRef): Finding | null {
  const found = findingsFrom(delivery, self, 'delivered by');
  const name = nameOf(delivery, self);
  if (delivery.state !== 'present') {
    // One of another cluster (spec.kubeConfig) could be meant, that nobody reads here.
    const sentence =
      delivery.state === 'missing'
        ? `${name}, which its labels name, is not there, and none of that name on another cluster is known to deliver it.`
        : `${name}, which delivers it, is not seen.`;
    return found('unconfirmed', 'DeliveryNotSeen', sentence);
  }
  if (!delivery.judgement || delivery.judgement.verdict === 'converged') return null;
  const sentence = `${name}, which delivers it, is ${delivery.judgement.verdict}.`;
  return found('unconfirmed', 'DeliveryNotConverged', sentence);
}

/** Several appliers could deliver `self`, or the one that its labels name does not: which one does cannot be told, so nothing proves it. */
export function unsureDeliveryFinding(candidates: readonly ObjectRef[], self: ObjectRef): Finding | null {
  const [first, ...others] = candidates;
  if (!first) return null;
  if (others.length === 0 && first.cluster === self.cluster) {
    return finding({
      verdict: 'unconfirmed',
      reason: 'DeliveryUncertain',
      sentence: `${first.kind} ${first.name}, which its labels name, delivers to another cluster and does not list it.`,
      evidence: [{ from: 'join', text: `not in the inventory of ${first.kind} ${first.name}`, at: null }],
      rootCause: null,
    });
  }
  const where = candidates.map((ref) => ref.cluster).join(' and ');
  return finding({
    verdict: 'unconfirmed',
    reason: 'DeliveryUncertain',
    sentence: `${first.kind} ${first.name} on ${where} could deliver it; which of them does cannot be told.`,
    evidence: candidates.map((ref) => ({
      from: 'join',
      text: `in the inventory of ${ref.kind} ${ref.name} on ${ref.cluster}`,
      at: null,
    })),
    rootCause: null,
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
    return findingsFrom(composer, self, 'part of')('unconfirmed', 'CompositeNotSeen', sentence);
  }
  const { judgement } = composer;
  const alone = judgement?.withoutParts ?? judgement;
  if (!alone || handsOn[alone.verdict] || alone.reason === 'NeverSettled') return null;
  return finding({
    verdict: 'unconfirmed',
    reason: 'CompositeNotConverged',
    sentence: `${name}, which it is a part of, is ${alone.verdict}.`,
    evidence: [{ from: 'join', text: `part of ${name}: ${alone.verdict}`, at: composer.awaySince }],
    rootCause: alone.rootCause ?? { type: 'object', ref: composer.ref },
  });
}
