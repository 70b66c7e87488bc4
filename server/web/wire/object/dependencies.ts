import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { WireObject, WireObjectPage } from '#lib/api/object.ts';
import type { ObjectDetail } from '#lib/domain/record/current.ts';
import { refKey, sameRef, type ObjectRef } from '#lib/domain/observation/ref.ts';
import type { KnownCluster } from '../../cache/known-cluster.ts';
import type { WireContext } from '../wire-context.ts';
import { refOnly, wireObject } from './wire-object.ts';

/** Chains are followed so far, and so many lines are shown. */
const hops = 4;
const mostLines = 40;

/** True if an object depends on another directly, in whatever way. */
function dependsDirectlyOn(object: KnownObject, ref: ObjectRef): boolean {
  const { source, deliveredBy, upstreams } = object;
  return (
    sameRef(source, ref) ||
    sameRef(deliveredBy, ref) ||
    sameRef(upstreams.parent, ref) ||
    sameRef(upstreams.provider, ref) ||
    sameRef(upstreams.providerConfig, ref) ||
    upstreams.dependsOn.some((other) => sameRef(other, ref)) ||
    upstreams.sources.some((other) => sameRef(other, ref))
  );
}

function isCausedBy(object: KnownObject, ref: ObjectRef): boolean {
  return object.rootCause?.type === 'object' && sameRef(object.rootCause.ref, ref);
}

/** Objects that depend on an object, or fail because of it. */
export interface Dependents {
  /** Those that are not converged. */
  readonly deviating: readonly KnownObject[];
  /** Number of them in all. */
  readonly total: number;
}

/** Objects that depend on an object, wherever in the fleet: a Kustomization may reach over to another cluster, and so may its fault. */
export function dependentsOf(object: KnownObject, fleet: readonly KnownCluster[]): Dependents {
  const { ref } = object;
  const reachesOver = object.exemptions.some(({ kind }) => kind === 'remote-cluster');
  const deviating: KnownObject[] = [];
  let total = 0;
  for (const cluster of fleet) {
    const own = cluster.name === ref.cluster;
    for (const other of cluster.deviating) {
      if (sameRef(other.ref, ref)) continue;
      if (isCausedBy(other, ref) || ((own || reachesOver) && dependsDirectlyOn(other, ref))) deviating.push(other);
    }
    if (!own && !reachesOver) continue;
    for (const other of cluster.objects) if (other.verdict === 'converged' && dependsDirectlyOn(other, ref)) total += 1;
  }
  return { deviating, total: total + deviating.length };
}

/** Everything that an object depends on, near things first, with the chain behind its source and its delivery. */
export function upstreamLines(
  object: KnownObject,
  find: (ref: ObjectRef) => KnownObject | null,
  context: WireContext,
): WireObjectPage['upstreams'] {
  const lines: { relation: string; object: WireObject | null; ref: ObjectRef }[] = [];
  function add(relation: string, ref: ObjectRef | null): KnownObject | null {
    if (ref === null || sameRef(ref, object.ref)) return null;
    const found = find(ref);
    if (lines.length < mostLines && lines.every((line) => !sameRef(line.ref, ref))) {
      lines.push({ relation, object: found ? wireObject(found, context) : null, ref: refOnly(ref) });
    }
    return found;
  }
  /** Sources whose own were looked at, and from how near. */
  const nearest = new Map<string, number>();
  function addSources(of: KnownObject, hop: number): void {
    const relation = ['source', 'source of its source'][hop] ?? 'source behind that';
    const found = [of.source, ...of.upstreams.sources].map((ref) => add(relation, ref));
    for (const source of found) {
      if (source === null || hop >= hops || lines.length >= mostLines) continue;
      // Many that name one another are each looked at once: along every way there were 256 to the power of five of them.
      const key = refKey(source.ref);
      if ((nearest.get(key) ?? Infinity) <= hop) continue;
      nearest.set(key, hop);
      addSources(source, hop + 1);
    }
  }
  const { upstreams } = object;
  addSources(object, 0);
  for (const ref of upstreams.dependsOn) add('depends on', ref);
  const delivery = add('delivered by', object.deliveredBy);
  add('source of its delivery', delivery?.source ?? null);
  let composer = add('composed by', upstreams.parent);
  for (let left = hops; composer && left > 0; left -= 1) {
    const above = composer.upstreams.parent;
    if (above === null) add('which is delivered by', composer.deliveredBy);
    composer = add('which is composed by', above);
  }
  add('provider', upstreams.provider);
  add('provider configuration', upstreams.providerConfig);
  return lines;
}

/** Something whose changes bear on an object, and what it is to the object. */
export interface RelatedRef {
  readonly relation: string;
  readonly ref: ObjectRef;
}

/** A composite may have more parts than anybody reads. */
const parts = 20;

/**
 * Whatever may be why an object broke: itself first, what it depends on, its root cause with what that depends on, and what it is
 * made of. `find` gives any object as known now.
 */
export function relatedRefsOf(
  object: KnownObject,
  detail: ObjectDetail | null,
  find: (ref: ObjectRef) => KnownObject | null,
  context: WireContext,
): readonly RelatedRef[] {
  const found = new Map<string, RelatedRef>();
  function add(relation: string, ref: ObjectRef): void {
    const key = refKey(ref);
    if (!found.has(key)) found.set(key, { relation, ref });
  }
  add('itself', object.ref);
  for (const { relation, ref } of upstreamLines(object, find, context)) add(relation, ref);
  const { rootCause } = object;
  if (rootCause?.type === 'object') {
    add('root cause', rootCause.ref);
    const cause = find(rootCause.ref);
    if (cause)
      for (const { relation, ref } of upstreamLines(cause, find, context)) add(`${relation} of its root cause`, ref);
  }
  for (const ref of detail?.observation.children.slice(0, parts) ?? []) add('made of', ref);
  return [...found.values()];
}
