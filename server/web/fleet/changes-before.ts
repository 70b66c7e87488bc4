import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { WireObjectChanges } from '#lib/api/object.ts';
import type { NotedChange } from '#lib/domain/record/change.ts';
import type { ObjectDetail } from '#lib/domain/record/current.ts';
import { gapsOf } from '#lib/domain/record/gap.ts';
import { type ObjectRef } from '#lib/domain/observation/ref.ts';
import { day, minute } from '#lib/domain/time/length.ts';
import type { CoverageChange, StoreReader } from '#server/store/port/port.ts';
import { relatedRefsOf, type RelatedRef } from '../wire/object/dependencies.ts';
import { wireChange } from '../wire/object/wire-change.ts';
import type { WireContext } from '../wire/wire-context.ts';
import { wireTime, wireTimeOrNull } from '../wire/wire-time.ts';

/** Parameters of the question; `object` is as known at `context.now`, `coverage` that of its cluster, from before the span on. */
export interface ChangesBeforeQuestion {
  readonly store: StoreReader;
  readonly object: KnownObject;
  readonly detail: ObjectDetail | null;
  readonly coverage: readonly CoverageChange[];
  readonly find: (ref: ObjectRef) => KnownObject | null;
  readonly context: WireContext;
}

const halfAnHour = 30 * minute;
/** Of one object, and in all. */
const most = 50;

interface Found {
  readonly relation: string;
  readonly change: NotedChange;
}

/** Times in ms. */
interface Asked {
  readonly span: WireObjectChanges['span'];
  readonly from: number;
  readonly to: number;
}

function spanOf({ object, detail, context: { now } }: ChangesBeforeQuestion): Asked {
  if (object.verdict === 'converged') return { span: 'last-day', from: now - day, to: now };
  const { time, sinceMade } = object.awaySince ?? object.onset;
  if (sinceMade !== true) return { span: 'before-away', from: time - halfAnHour, to: time };
  return { span: 'since-made', from: Math.min(detail?.observation.createdAt ?? time, time), to: now };
}

/** The controllers whose loops turn for an object and for what it depends on. */
async function controllersOf(
  { store, detail }: ChangesBeforeQuestion,
  related: readonly RelatedRef[],
): Promise<Set<string>> {
  const others = related.filter(({ relation }) => relation !== 'itself' && relation !== 'made of');
  const details = await Promise.all(others.map(({ ref }) => store.detail(ref)));
  const names = [detail, ...details].map((one) => one?.observation.controller ?? null);
  return new Set(names.filter((name) => name !== null));
}

/** Relation of a change to an object. One of the cluster as a whole bears only by its controllers and, for Crossplane's, its packages. */
function relationOf({ fact }: NotedChange, object: KnownObject, controllers: ReadonlySet<string>): string | null {
  switch (fact.type) {
    case 'kubernetes-version':
      return 'Kubernetes';
    case 'controller-version':
    case 'controller-restarted': {
      // A shard's is called after its program; a provider's Deployment after the revision that it runs.
      const own = [...controllers].some((name) => fact.name === name || fact.name.startsWith(`${name}-`));
      return own || object.upstreams.provider?.name === fact.name ? 'controller' : null;
    }
    case 'package-revision': {
      if (object.role === 'managed') {
        // While none runs its kind it may be any.
        const provider = object.upstreams.provider?.name ?? fact.name;
        return provider === fact.name && fact.kind === 'ProviderRevision' ? 'provider' : null;
      }
      const composes = object.role === 'composite' || object.role === 'claim';
      return composes && fact.kind !== 'ProviderRevision' ? 'package' : null;
    }
    case 'spec-edited':
    case 'suspended':
    case 'resumed':
    case 'revision':
    case 'created':
    case 'deletion-asked':
    case 'deleted':
    case 'exemption-added':
    case 'exemption-removed':
      return null;
  }
}

/**
 * Changes in the half hour before an object left converged (since it was made, where it never was converged for good; in
 * the last 24 h, while it is) of itself, of what it depends on, of their controllers, and of Kubernetes. What is not dated is among
 * them where it may have happened then.
 */
export async function changesBefore(question: ChangesBeforeQuestion): Promise<WireObjectChanges> {
  const { store, object, detail, coverage, find, context } = question;
  const { span, from, to } = spanOf(question);
  const range = { from, to, limit: most + 1 };
  const related = relatedRefsOf(object, detail, find, context);
  const clusters = [...new Set(related.map(({ ref }) => ref.cluster))];
  const controllers = await controllersOf(question, related);
  const own = related.map(async ({ relation, ref }): Promise<readonly Found[]> => {
    const changes = await store.changes({ ...range, ref });
    return changes.map((change) => ({ relation, change }));
  });
  const whole = clusters.map(async (cluster): Promise<readonly Found[]> => {
    const changes = await store.changes({ ...range, limit: most * 10, cluster, ref: null });
    return changes.flatMap((change) => {
      const relation = relationOf(change, object, controllers);
      return relation === null ? [] : [{ relation, change }];
    });
  });
  const found = (await Promise.all([...own, ...whole])).flat().toSorted((a, b) => b.change.at - a.change.at);
  const since = coverage.filter(({ kind }) => kind === null).map(({ at }) => at);
  return {
    span,
    from: wireTime(from),
    to: wireTime(to),
    changes: found.slice(0, most).map(({ relation, change }) => ({ ...wireChange(change, find, context), relation })),
    more: found.length > most,
    searched: [
      ...related.filter(({ relation }) => relation !== 'itself').map(({ ref }) => `${ref.kind} ${ref.name}`),
      ...controllers,
      'Kubernetes',
    ],
    recordedSince: wireTimeOrNull(since.length === 0 ? null : Math.min(...since)),
    gaps: gapsOf(coverage, object.ref)
      .filter((gap) => gap.from < to && (gap.to === null || gap.to > from))
      .map((gap) => ({ ...gap, from: wireTime(gap.from), to: wireTimeOrNull(gap.to) })),
  };
}
