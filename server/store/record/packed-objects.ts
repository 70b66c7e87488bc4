import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import { failsAtRevision } from '#lib/domain/record/commit-range.ts';
import type { AlarmState, CurrentObject } from '#lib/domain/record/current.ts';
import { pastSentence } from '#lib/domain/record/past-sentence.ts';
import { noUpstreams } from '#lib/domain/record/upstreams.ts';
import type { LastKnownOrigin, PastObject, PastSpan } from './past-object.ts';

/** One field of many objects: its values, each once, and which of them each object has; `positions` is null where all have the first. */
interface Column<T> {
  readonly values: readonly T[];
  readonly positions: Uint32Array | null;
}

type ColumnsOf<T> = { readonly [F in keyof T]: Column<T[F]> };

/**
 * Past objects by columns. They cross to another thread in a fraction of the time that objects would take one by one (60,000 of them
 * share some thousand values), and an engine makes no object that it only hands on.
 */
export interface PackedObjects {
  readonly count: number;
  readonly columns: ColumnsOf<Fields>;
  /** ms since the epoch, one of each object. */
  readonly onsetTime: Float64Array;
  readonly noticedAt: Float64Array;
}

/** Fields of which many objects share a value. */
interface Fields extends Omit<PastSpan, 'ref' | 'onset'>, LastKnownOrigin, Pick<PastObject, 'traits' | 'incident'> {
  readonly cluster: string;
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly onsetBound: PastSpan['onset']['bound'];
}

/** Packs past objects one after the other: `add` each, then take all of them `packed`. */
export function createObjectPacker() {
  const columns = {
    cluster: openColumn<string>(),
    group: openColumn<string>(),
    kind: openColumn<string>(),
    namespace: openColumn<string>(),
    name: openColumn<string>(),
    uid: openColumn<string>(),
    verdict: openColumn<PastSpan['verdict']>(),
    onsetBound: openColumn<PastSpan['onset']['bound']>(),
    reason: openColumn<string>(),
    message: openColumn<string | null>(),
    commit: openColumn<string | null>(),
    attempted: openColumn<string | null>(),
    rootCause: openColumn<PastSpan['rootCause']>(),
    traits: openColumn<PastObject['traits']>(),
    source: openColumn<LastKnownOrigin['source']>(),
    deliveredBy: openColumn<LastKnownOrigin['deliveredBy']>(),
    path: openColumn<string | null>(),
    repository: openColumn<string | null>(),
    incident: openColumn<PastObject['incident']>(),
  };
  const onsetTime: number[] = [];
  const noticedAt: number[] = [];

  return {
    add({ span, traits, origin, incident }: PastObject): void {
      const { ref, onset } = span;
      columns.cluster.put(ref.cluster);
      columns.group.put(ref.group);
      columns.kind.put(ref.kind);
      columns.namespace.put(ref.namespace);
      columns.name.put(ref.name);
      columns.uid.put(span.uid);
      columns.verdict.put(span.verdict);
      columns.onsetBound.put(onset.bound);
      columns.reason.put(span.reason);
      columns.message.put(span.message);
      columns.commit.put(span.commit);
      columns.attempted.put(span.attempted);
      columns.rootCause.put(span.rootCause);
      columns.traits.put(traits);
      columns.source.put(origin.source);
      columns.deliveredBy.put(origin.deliveredBy);
      columns.path.put(origin.path);
      columns.repository.put(origin.repository);
      columns.incident.put(incident);
      onsetTime.push(onset.time);
      noticedAt.push(onset.noticedAt);
    },
    packed: (): PackedObjects => ({
      count: onsetTime.length,
      columns: {
        cluster: columns.cluster.packed(),
        group: columns.group.packed(),
        kind: columns.kind.packed(),
        namespace: columns.namespace.packed(),
        name: columns.name.packed(),
        uid: columns.uid.packed(),
        verdict: columns.verdict.packed(),
        onsetBound: columns.onsetBound.packed(),
        reason: columns.reason.packed(),
        message: columns.message.packed(),
        commit: columns.commit.packed(),
        attempted: columns.attempted.packed(),
        rootCause: columns.rootCause.packed(),
        traits: columns.traits.packed(),
        source: columns.source.packed(),
        deliveredBy: columns.deliveredBy.packed(),
        path: columns.path.packed(),
        repository: columns.repository.packed(),
        incident: columns.incident.packed(),
      },
      onsetTime: new Float64Array(onsetTime),
      noticedAt: new Float64Array(noticedAt),
    }),
  };
}

function openColumn<T>() {
  const values: T[] = [];
  const positionOf = new Map<T, number>();
  // Filled in place: numbers in a list would be moved about by every collection of garbage.
  let positions: Uint32Array | null = null;
  let [count, position] = [0, 0];

  function find(value: T): number {
    const found = positionOf.get(value);
    if (found !== undefined) return found;
    positionOf.set(value, values.length);
    return values.push(value) - 1;
  }

  /** A list of positions with room for one more: up to now all have had the first value, where there is none yet. */
  function withRoom(before: Uint32Array | null): Uint32Array {
    if (before !== null && count < before.length) return before;
    const larger = new Uint32Array(Math.max(64, 2 * count));
    if (before !== null) larger.set(before);
    return larger;
  }

  return {
    put(value: T): void {
      // Neighbours share most values: nothing is looked up for those.
      if (count === 0 || value !== values[position]) position = find(value);
      if (position > 0 || positions !== null) {
        positions = withRoom(positions);
        positions[count] = position;
      }
      count++;
    },
    packed: (): Column<T> => ({ values, positions: positions?.slice(0, count) ?? null }),
  };
}

const noExemptions: CurrentObject['exemptions'] = [];
const unknownAlarm: AlarmState = { state: 'unknown', broken: null };
const noAlarm: AlarmState = { state: 'not-due', broken: null };

/**
 * Unpacks past objects, in the order in which they were added, each with its sentence. What was not kept of one is empty (see
 * `PastFleet`); an alarm is not known. Nothing bounds it but the coverage of its cluster: had its proof run out then, that would be
 * another span.
 */
export function unpackObjects({ count, columns, onsetTime, noticedAt }: PackedObjects): readonly CurrentObject[] {
  const attempted = columns.attempted.values.map((revision) => ({ applied: null, attempted: revision, offered: null }));
  const revisions = { ...columns.attempted, values: attempted };
  return Array.from({ length: count }, (_, index): CurrentObject => {
    const ref = {
      cluster: valueAt(columns.cluster, index),
      group: valueAt(columns.group, index),
      kind: valueAt(columns.kind, index),
      namespace: valueAt(columns.namespace, index),
      name: valueAt(columns.name, index),
    };
    const verdict = valueAt(columns.verdict, index);
    const reason = valueAt(columns.reason, index);
    const rootCause = valueAt(columns.rootCause, index);
    const revision = valueAt(revisions, index);
    const { reconciler, role, was, confirmation, drift, commitDiffers } = valueAt(columns.traits, index);
    const incident = valueAt(columns.incident, index);
    const noticed = noticedAt[index] ?? 0;
    return {
      ref,
      uid: valueAt(columns.uid, index),
      reconciler,
      role,
      verdict,
      was,
      reconciling: false,
      rolling: false,
      reason,
      message: valueAt(columns.message, index) ?? '',
      sentence: pastSentence({ ref, role, verdict, drift, reason, rootCause, revision }),
      onset: { time: onsetTime[index] ?? 0, bound: valueAt(columns.onsetBound, index), noticedAt: noticed },
      awaySince: incident && { time: incident.openedAt, bound: incident.bound, noticedAt: incident.noticedAt },
      confirmation,
      observedAt: noticed,
      confirmedAt: null,
      validUntil: null,
      revision,
      commit: valueAt(columns.commit, index),
      commitDiffers,
      path: valueAt(columns.path, index),
      source: valueAt(columns.source, index),
      deliveredBy: valueAt(columns.deliveredBy, index),
      upstreams: noUpstreams,
      repository: valueAt(columns.repository, index),
      rootCause,
      // The incident may have begun otherwise, and its failing later.
      range: failsAtRevision(was ?? verdict) ? (incident?.range ?? null) : null,
      drift,
      exemptions: noExemptions,
      alarm: isAway(verdict) ? unknownAlarm : noAlarm,
    };
  });
}

function valueAt<T>({ values, positions }: Column<T>, index: number): T {
  const value = values[positions?.[index] ?? 0];
  if (value === undefined) throw new Error(`packed objects have no object ${index}`);
  return value;
}
