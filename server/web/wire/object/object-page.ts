import type { AlarmChain } from '#lib/domain/alarm/chain.ts';
import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { WireObjectPage } from '#lib/api/object.ts';
import type { Conflict } from '#lib/domain/observation/conflict.ts';
import type { ObjectDetail, Transition } from '#lib/domain/record/current.ts';
import type { Gap } from '#lib/domain/record/gap.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { KnownCluster } from '../../cache/known-cluster.ts';
import { readOnlyCommands } from './commands.ts';
import { concerns, wireConflict } from '../lists/conflict-list.ts';
import { alikeOf, elsewhereOf } from './elsewhere.ts';
import { dependentsOf, upstreamLines } from './dependencies.ts';
import type { WireContext } from '../wire-context.ts';
import { wireChain } from './wire-chain.ts';
import { wireObject, wireTransition } from './wire-object.ts';
import { wirePlannedWork, wireTime, wireTimeOrNull } from '../wire-time.ts';

/** Everything that the page of one object is made from; objects are as known at `context.now`. */
export interface ObjectPageQuestion {
  readonly object: KnownObject;
  readonly detail: ObjectDetail | null;
  /** Newest first; one more than are listed, where there are more. */
  readonly transitions: readonly Transition[];
  /** When it was not being seen, oldest first. */
  readonly gaps: readonly Gap[];
  /** Changes before it broke; null where the record cannot be read. */
  readonly before: WireObjectPage['before'];
  readonly cluster: KnownCluster;
  readonly fleet: readonly KnownCluster[];
  /** The same name on every other cluster that has it. */
  readonly namesakes: readonly KnownObject[];
  /** Conflicts of ownership on its cluster. */
  readonly conflicts: readonly Conflict[];
  /** Its alarm with all its links, as known now. */
  readonly chain: AlarmChain;
  readonly notified: WireObjectPage['notified'];
  /** Any object as known now. */
  readonly find: (ref: ObjectRef) => KnownObject | null;
  readonly context: WireContext;
}

const SHOWN = 100;
/** So many changes of verdict are listed, the newest. */
export const mostTransitions = 500;

/** The page of one object on the wire. Without its detail (store unreachable) what the fleet cache knows is still shown. */
export function objectPage(question: ObjectPageQuestion): WireObjectPage {
  const { object, detail, transitions, gaps, before, chain, cluster, fleet, namesakes, context } = question;
  const observation = detail?.observation ?? null;
  const dependents = dependentsOf(object, fleet);
  const { lastAttempt, nextAttempt } = attempts(object, detail, context.now);
  return {
    asOf: wireTime(context.now),
    object: wireObject(object, context),
    message: detail?.message ?? object.message,
    conditions: (observation?.conditions ?? []).map(({ type, status, reason, message, lastTransitionTime }) => ({
      type,
      status,
      reason,
      message,
      lastTransitionTime: wireTimeOrNull(lastTransitionTime),
    })),
    evidence: (detail?.evidence ?? []).map(({ from, text, at }) => ({ from, text, at: wireTimeOrNull(at) })),
    driftSays: driftSays(detail),
    target: detail?.target
      ? { url: detail.target.url, reference: detail.target.reference, floating: detail.target.floating }
      : null,
    suspended: observation?.suspended
      ? {
          field: observation.suspended.field,
          by: observation.suspended.by,
          at: wireTimeOrNull(observation.suspended.at),
        }
      : null,
    specEditedBy: observation?.specEditedBy
      ? { manager: observation.specEditedBy.manager, at: wireTimeOrNull(observation.specEditedBy.at) }
      : null,
    cadence: {
      // What is only its reconciler's default is not said of the object.
      intervalMs: observation?.cadence.assumed ? null : (observation?.cadence.interval ?? null),
      retryIntervalMs: observation?.cadence.retryInterval ?? null,
      timeoutMs: observation?.cadence.timeout ?? null,
    },
    lastAttempt: wireTimeOrNull(lastAttempt),
    nextAttempt: wireTimeOrNull(nextAttempt),
    corrections: (detail?.corrections ?? []).map(({ at, certainty, said, count }) => ({
      at: wireTime(at),
      certainty,
      said,
      count,
    })),
    transitions: transitions.slice(0, mostTransitions).map(wireTransition),
    more: { transitions: transitions.length > mostTransitions, gaps: gaps.length > SHOWN },
    gaps: gaps
      .slice(-SHOWN)
      .map(({ from, to, state, reason }) => ({ from: wireTime(from), to: wireTimeOrNull(to), state, reason })),
    upstreams: upstreamLines(object, question.find, context),
    waitsForThis: dependents.deviating.slice(0, SHOWN).map((other) => wireObject(other, context)),
    dependents: dependents.total,
    conflicts: conflictsOf(question),
    alike: alikeOf(object, fleet)
      .slice(0, SHOWN)
      .map((other) => wireObject(other, context)),
    before,
    elsewhere: elsewhereOf(object, namesakes),
    chain: wireChain(chain),
    notified: question.notified,
    commands: [...readOnlyCommands(object)],
    cluster: {
      name: cluster.name,
      state: cluster.known.state,
      reason: cluster.known.reason,
      labels: { ...cluster.labels },
      plannedWork: wirePlannedWork(cluster.plannedWork),
    },
  };
}

function attempts(
  object: KnownObject,
  detail: ObjectDetail | null,
  now: number,
): { lastAttempt: number | null; nextAttempt: number | null } {
  const lastAttempt = detail?.observation.passes.last ?? object.confirmedAt;
  const cadence = detail?.observation.cadence;
  const { interval = null, retryInterval = null } = cadence && !cadence.assumed ? cadence : {};
  const failing = detail?.observation.summary.said === 'bad';
  const wait = failing ? (retryInterval ?? interval) : interval;
  if (lastAttempt === null || wait === null || object.verdict === 'suspended')
    return { lastAttempt, nextAttempt: null };
  const next = lastAttempt + wait;
  return { lastAttempt, nextAttempt: next > now ? next : null };
}

function driftSays(detail: ObjectDetail | null): string | null {
  const drift = detail?.observation.drift;
  switch (drift?.drift) {
    case undefined:
    case 'none':
      return null;
    case 'found':
      return drift.message === '' ? null : drift.message;
    case 'not-measured':
      return drift.why === '' ? null : drift.why;
  }
}

function conflictsOf({ object, conflicts, find }: ObjectPageQuestion): WireObjectPage['conflicts'] {
  const { ref } = object;
  return conflicts
    .filter((conflict) => concerns(ref.cluster, conflict, ref))
    .slice(0, SHOWN)
    .map((conflict) => wireConflict(ref.cluster, conflict, (other) => find(other) !== null));
}
