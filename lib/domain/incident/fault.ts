import { causeKey } from '../cause/cause.ts';
import { likenesses, type Alikeness } from '../cause/failing-alike.ts';
import { isAway } from '../guarantee/guarantee.ts';
import type { CommitRange } from '../record/commit-range.ts';
import type { Cause } from '../verdict/judgement.ts';
import type { Verdict } from '../verdict/verdict.ts';

/** Why an object, or a whole cluster, is not as in git. */
export interface Fault {
  readonly verdict: Verdict;
  readonly reason: string;
  /** The far end of the chain: the object itself where nothing else carries the fault. */
  readonly cause: Cause;
  /** True if it fails itself. */
  readonly own: boolean;
  /** True if it makes an incident by itself. */
  readonly opens: boolean;
  /** Two faults are of one incident where they share one of these. The first is that of the cause. */
  readonly keys: readonly string[];
  /** Between which revisions it broke; null where it did not fail itself. */
  readonly range: CommitRange | null;
}

/** The fault of an object's record. See docs/design/incidents.md. */
export function faultOf(record: Alikeness): Fault {
  const { ref, verdict, reason, rootCause, range } = record;
  const cause: Cause = rootCause ?? { type: 'object', ref };
  const own = rootCause === null;
  const opens = opensIncident(verdict);
  const alike = own && opens ? likenesses(record) : [];
  return { verdict, reason, cause, own, opens, keys: [causeKey(cause), ...alike], range: own ? range : null };
}

/** True if a verdict alone makes an incident. What waits, or has never settled and may still, is none by itself. */
export function opensIncident(verdict: Verdict): boolean {
  return isAway(verdict) && verdict !== 'waiting' && verdict !== 'progressing';
}

/** True if a fault only says that the loop of an object gives no sign of life: why may become known later. */
export function isSilence({ reason }: Pick<Fault, 'reason'>): boolean {
  return reason === 'NoPass';
}

const lossStates: ReadonlySet<string> = new Set(['unreachable', 'unauthorized', 'misconfigured']);

/** True if a cluster in this state is lost: its API server, or the way to it, or the right to read it. */
export function isLoss(state: string): boolean {
  return lossStates.has(state);
}

/** The fault of a cluster that is lost. Clusters that are lost in the same way share a key; `together` says for how long it counts. */
export function faultOfLoss(cluster: string, state: string): Fault {
  const cause: Cause = { type: 'cluster', cluster };
  return {
    verdict: 'unobserved',
    reason: state,
    cause,
    own: true,
    opens: true,
    keys: [causeKey(cause), lostKey(state)],
    range: null,
  };
}

/** The key of what clusters share that are lost in the same way. */
function lostKey(state: string): string {
  return `lost:${state}`;
}

/** True if a key counts only for `lostTogether`: that two clusters are unreachable is one cause only where they went at once. */
export function countsAtOnceOnly(key: string): boolean {
  return key.startsWith('lost:');
}
