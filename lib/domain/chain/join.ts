import type { Finding } from '../verdict/finding.ts';
import type { Cause } from '../verdict/judgement.ts';
import { sameRef, type ObjectRef } from '../observation/ref.ts';
import type { RelatedObject } from '../verdict/subject.ts';
import type { Verdict } from '../verdict/verdict.ts';

/** A finding of which only the verdict, the sentence with what it names, and the root cause are of interest. */
export function finding(
  part: Partial<Finding> & Pick<Finding, 'verdict' | 'sentence' | 'names' | 'rootCause'>,
): Finding {
  return { reason: '', message: '', evidence: [], since: null, reviewAt: null, ...part };
}

/** A finding that says nothing but when to look again (ms). */
export function quietUntil(until: number): Finding {
  return finding({ verdict: 'converged', sentence: '', names: [], rootCause: null, reviewAt: until });
}

/** The far end of the chain behind something that `self` depends on; in a circle, where the chain comes back to it, the nearest. */
export function farEnd(related: RelatedObject, self: ObjectRef): Cause {
  const far = related.judgement?.rootCause;
  return far && !(far.type === 'object' && sameRef(far.ref, self)) ? far : { type: 'object', ref: related.ref };
}

/**
 * The far end behind a composite or a part. None where nothing is known of it: who names it may have no proof that it is his, and by its name as a cause
 * he would be told who is called for it.
 */
export function provenEnd(related: RelatedObject, self: ObjectRef): Cause | null {
  return related.observation === null ? null : farEnd(related, self);
}

/** Kind and name, and the cluster where it is not the one that `self` is on. */
export function nameOf(related: RelatedObject, self: ObjectRef): string {
  const { kind, name, cluster } = related.ref;
  return cluster === self.cluster ? `${kind} ${name}` : `${kind} ${name} on ${cluster}`;
}

/** Join with what it shows as its evidence. */
export function joined(related: RelatedObject, self: ObjectRef, relation: string): Finding['evidence'] {
  const verdict = related.judgement?.verdict ?? related.state;
  const text = `${relation} ${nameOf(related, self)}: ${verdict}`;
  return [{ from: 'join', text, names: [related.ref], at: related.awaySince }];
}

/** Makes findings from one related object: it is their evidence, and the far end behind it their root cause. */
export function findingsFrom(related: RelatedObject, self: ObjectRef, relation: string) {
  const base = { names: [related.ref], evidence: joined(related, self, relation), rootCause: farEnd(related, self) };
  return (verdict: Verdict, reason: string, sentence: string): Finding => {
    return finding({ ...base, verdict, reason, sentence });
  };
}
