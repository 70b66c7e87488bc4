import type { AlarmState } from '#lib/domain/alarm/link.ts';
import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import type {
  WireCause,
  WireCommitRange,
  WireExemption,
  WireAlarm,
  WireObject,
  WireRevision,
  WireTransition,
} from '#lib/api/object.ts';
import { clusterPath, objectPath } from '#lib/api/paths.ts';
import { causeTitle } from '#lib/domain/cause/cause.ts';
import type { CommitRange } from '#lib/domain/record/commit-range.ts';
import { rangeText } from '#lib/domain/record/commit-range-text.ts';
import type { Transition } from '#lib/domain/record/current.ts';
import type { Exemption } from '#lib/domain/exemption/exemption.ts';
import { guaranteeOf } from '#lib/domain/guarantee/guarantee.ts';
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { commitOf, shortRevision } from '#lib/domain/observation/revision.ts';
import type { WireContext } from '../wire-context.ts';
import { wireOnset, wireTime, wireTimeOrNull } from '../wire-time.ts';

/** An object, already as known at `context.now`, on the wire. */
export function wireObject(object: KnownObject, context: WireContext): WireObject {
  const { ref } = object;
  return {
    cluster: ref.cluster,
    reconciler: object.reconciler,
    role: object.role,
    group: ref.group,
    kind: ref.kind,
    namespace: ref.namespace,
    name: ref.name,
    verdict: object.verdict,
    was: object.was,
    reconciling: object.reconciling,
    rolling: object.rolling,
    reason: object.reason,
    message: object.message,
    sentence: object.sentence,
    onset: wireOnset(object.onset),
    awaySince: object.awaySince ? wireOnset(object.awaySince) : null,
    confirmation: object.confirmation,
    observedAt: wireTime(object.observedAt),
    confirmedAt: wireTimeOrNull(object.confirmedAt),
    revision: { ...object.revision },
    commit: object.commit,
    commitDiffers: object.commitDiffers,
    path: object.path,
    source: object.source ? withoutCluster(object.source) : null,
    deliveredBy: object.deliveredBy ? refOnly(object.deliveredBy) : null,
    rootCause: object.rootCause ? wireCause(object.rootCause) : null,
    range: object.range === null ? null : wireRange(object.range, object, context),
    drift: object.drift,
    exemptions: object.exemptions.map(wireExemption),
    alarm: wireAlarm(object.alarm),
    guarantee: guaranteeOf(object, context.policy, context.now),
    links: {
      self: objectPath(ref),
      commit: object.commit === null ? null : commitHref(object, object.commit, context),
      tree: treeHref(object, context),
    },
  };
}

function withoutCluster({ group, kind, namespace, name }: ObjectRef): NonNullable<WireObject['source']> {
  return { group, kind, namespace, name };
}

/** The page of a commit of the object's repository on its git host; null where the host is not known. */
export function commitHref(object: KnownObject, commit: string, context: WireContext): string | null {
  return object.repository === null ? null : (context.links(object.repository)?.commit(commit) ?? null);
}

/** A range on the wire, its commits linked as those of `object`; null where nothing is known of that any more. */
export function wireRange(range: CommitRange, object: KnownObject | null, context: WireContext): WireCommitRange {
  const kind = object?.source?.kind ?? null;
  const revision = (text: string | null) =>
    text === null ? null : wireRevision(shortRevision(text), commitOf(text, kind), object, context);
  const { lastGood, firstBad, seenBetween, watched } = range;
  return { lastGood: revision(lastGood), firstBad: revision(firstBad), seenBetween, watched, text: rangeText(range) };
}

/** A revision on the wire, as the short `text`: its commit linked as those of `object`, null where nothing is known of that. */
export function wireRevision(
  text: string,
  commit: string | null,
  object: KnownObject | null,
  context: WireContext,
): WireRevision {
  return { text, commit, href: commit === null || object === null ? null : commitHref(object, commit, context) };
}

function treeHref(object: KnownObject, context: WireContext): string | null {
  if (object.repository === null || object.commit === null || object.path === null) return null;
  return context.links(object.repository)?.tree(object.commit, object.path) ?? null;
}

/** One weakening on the wire. */
export function wireExemption(exemption: Exemption): WireExemption {
  const { kind, field, meaning, by, at, reach } = exemption;
  return { kind, field, meaning, by, at: wireTimeOrNull(at), reach };
}

/** A cause on the wire: its words, and the page that shows it best. */
export function wireCause(cause: Cause): WireCause {
  const title = causeTitle(cause);
  const nothing = { group: '', kind: '', namespace: '', name: '' };
  switch (cause.type) {
    case 'object':
      return { type: cause.type, title, href: objectPath(cause.ref), ...refOnly(cause.ref) };
    case 'controller': {
      const { cluster, namespace, name } = cause;
      return { type: cause.type, title, href: clusterPath(cluster), ...nothing, cluster, namespace, name };
    }
    case 'cluster':
      return { type: cause.type, title, href: clusterPath(cause.cluster), ...nothing, cluster: cause.cluster };
    case 'feed': {
      const { cluster, group, kind } = cause;
      return { type: cause.type, title, href: clusterPath(cluster), ...nothing, cluster, group, kind };
    }
    case 'shared-error':
      return { type: cause.type, title, href: clusterPath(cause.cluster), ...refOnly(cause.providerConfig) };
    case 'outside':
      return { type: cause.type, title, href: null, ...nothing, cluster: '' };
  }
}

/** A reference on the wire, with nothing else that may hang on it. */
export function refOnly({ cluster, group, kind, namespace, name }: ObjectRef): ObjectRef {
  return { cluster, group, kind, namespace, name };
}

/** One change of verdict on the wire. */
export function wireTransition(transition: Transition): WireTransition {
  const { ref, at, bound, noticedAt, from, to, reason, message, commit } = transition;
  const times = { at: wireTime(at), bound, noticedAt: wireTime(noticedAt) };
  return { ref: refOnly(ref), ...times, from, to, reason, message, commit };
}

/** The alarm of an object for the wire. */
export function wireAlarm(alarm: AlarmState): WireAlarm {
  const nothing = { broken: null, since: null, by: null, why: null };
  switch (alarm.state) {
    case 'sounding':
      return { ...nothing, state: alarm.state, since: wireTimeOrNull(alarm.since), by: alarm.by };
    case 'pending':
    case 'silent':
      return { ...nothing, state: alarm.state, broken: alarm.broken };
    case 'not-due':
      return { ...nothing, state: alarm.state };
    case 'unknown':
      return { ...nothing, state: alarm.state, why: alarm.why };
  }
}
