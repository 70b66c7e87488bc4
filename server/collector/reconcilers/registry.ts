import { alarmingKind, alarmingKinds } from '#lib/domain/alarm/alarming/kinds.ts';
import { compareText } from '#lib/domain/observation/compare-text.ts';
import type { Observation, Reconciler } from '#lib/domain/observation/observation.ts';
import { redact } from '#lib/domain/observation/redact.ts';
import type { ForeignObject } from '#lib/foreign.ts';
import { type GroupKind, kindKey } from '#lib/domain/observation/ref.ts';
import type { ObservedEvent, WatchedKind } from '../clusters/cluster-event.ts';
import type { Adapter, AdapterContext, CorrectionStep, NamedKind } from './adapter.ts';
import type { CorrectionMemory } from './correction-run.ts';
import { envelope, unrecognised } from './envelope.ts';
import * as registered from './registered.ts';

/** Every adapter, by name. */
export const adapters: readonly Adapter[] = Object.values<Adapter>(registered);

const byReconciler: ReadonlyMap<Reconciler, Adapter> = new Map(
  adapters.map((adapter) => [adapter.reconciler, adapter]),
);
const byKind: ReadonlyMap<string, Adapter> = new Map(
  adapters.flatMap((adapter) => adapter.kinds.map((kind) => [kindKey(kind), adapter] as const)),
);
const byCategory: ReadonlyMap<string, Adapter> = new Map(
  adapters.flatMap((adapter) => (adapter.categories ?? []).map((category) => [category, adapter] as const)),
);
const byLease: ReadonlyMap<string, string> = new Map(
  adapters.flatMap((adapter) =>
    adapter.controllers.flatMap(({ name, lease }) => (lease ? [[lease, name] as const] : [])),
  ),
);
const byController: ReadonlyMap<string, string | null | undefined> = new Map(
  adapters.flatMap((adapter) => adapter.controllers.map(({ name, lease }) => [name, lease] as const)),
);

/** The kinds that are judged and watched by name on every cluster that serves them, by group and kind. */
export const namedKinds: readonly NamedKind[] = adapters
  .flatMap((adapter) => adapter.kinds)
  .toSorted((a, b) => compareText(kindKey(a), kindKey(b)));

/** Everything that is watched by name, and granted by the ClusterRole: what is judged, and what only says who is called. */
export const watchedByName: readonly (GroupKind & { readonly resource: string })[] = [...namedKinds, ...alarmingKinds];

/** True if objects of a kind are read, to be judged or for what they say of who is called. */
export function isRead(kind: GroupKind & { readonly categories: readonly string[] }): boolean {
  return alarmingKind(kind) !== null || adapterFor(kind) !== null;
}

const defining: ReadonlySet<string> = new Set(namedKinds.filter(({ defines }) => defines).map(kindKey));

/** True if objects of a kind make their cluster serve other kinds. */
export function definesKinds(kind: GroupKind): boolean {
  return defining.has(kindKey(kind));
}

const unjudged: ReadonlyMap<string, string> = new Map(
  adapters.flatMap((adapter) => adapter.unjudged ?? []).map((kind) => [kindKey(kind), kind.why]),
);
const unjudgedCategories: ReadonlySet<string> = new Set(adapters.flatMap(({ unjudgedBy }) => unjudgedBy ?? []));
const knownGroups: ReadonlySet<string> = new Set(
  adapters.flatMap((adapter) => [...adapter.kinds, ...(adapter.unjudged ?? [])]).map(({ group }) => group),
);

/**
 * Why a served kind is not judged though its API group is known: its reason, or null where Plumbline does not know the kind.
 * Undefined where it is read, or where its group is none of a reconciler's.
 */
export function whyUnjudged(kind: GroupKind & { readonly categories: readonly string[] }): string | null | undefined {
  if (isRead(kind)) return undefined;
  const why = unjudged.get(kindKey(kind));
  const byCategory = kind.categories.some((category) => unjudgedCategories.has(category));
  const ofItsOwn = byCategory ? unjudged.get(`*/${kind.kind}`) : undefined;
  return why ?? ofItsOwn ?? (knownGroups.has(kind.group) ? null : undefined);
}

/** Namespaces in which controllers that hold a Lease are installed by default: Leases are read there. */
export const controllerNamespaces: readonly string[] = [
  ...new Set(
    adapters
      .flatMap((adapter) => adapter.controllers)
      .filter(({ lease, leasesAreListed }) => lease !== null && leasesAreListed !== false)
      .map(({ namespace }) => namespace),
  ),
].toSorted();

const homes: ReadonlyMap<string, string> = new Map(
  adapters.flatMap((adapter) => adapter.controllers.map(({ name, namespace }) => [name, namespace] as const)),
);

/** The namespace in which a controller is installed by default; null where no adapter names it. */
export function homeOf(controller: string): string | null {
  return homes.get(controller) ?? null;
}

const suites: ReadonlyMap<string, string> = new Map(
  adapters.flatMap((adapter) =>
    adapter.controllers.flatMap(({ name, suite }) => (suite === undefined ? [] : [[name, suite] as const])),
  ),
);

/** Name of what a controller is installed together with; null where that is nothing. */
export function suiteOf(controller: string): string | null {
  return suites.get(controller) ?? null;
}

/** The controller behind a Lease that is not called after it; null for any other Lease. */
export function controllerOfLease(lease: string): string | null {
  return byLease.get(lease) ?? null;
}

/** The Lease that a controller holds when it elects a leader; null where it holds none. */
export function leaseOfController(controller: string): string | null {
  const lease = byController.get(controller);
  return lease === undefined ? `${controller}-leader-election` : lease;
}

/** True if an adapter names this controller. */
export function isNamedController(controller: string): boolean {
  return byController.has(controller);
}

/** The adapter that reads a kind, or null where none does (the kind is then not watched). Who names a kind comes first. */
export function adapterFor(kind: GroupKind & { readonly categories: readonly string[] }): Adapter | null {
  const named = byKind.get(kindKey(kind));
  if (named) return named;
  for (const category of kind.categories) {
    const found = byCategory.get(category);
    if (found) return found;
  }
  return null;
}

/**
 * An object of a watched kind as an observation; null where no adapter reads this kind. Never throws: what an adapter
 * cannot read becomes the summary `unrecognised`. `receivedAt` is ms since the epoch.
 */
export function observe(
  kind: WatchedKind,
  object: ForeignObject,
  context: Omit<AdapterContext, 'kind'>,
): Observation | null {
  const adapter = adapterFor(kind);
  if (adapter === null) return null;
  const whole: AdapterContext = { ...context, kind };
  try {
    return adapter.observe(object, whole);
  } catch (error) {
    // An adapter that throws is a bug of ours; the object must show it rather than take the collector down.
    const why = redact(error instanceof Error ? error.message : String(error), 256);
    return {
      ...envelope({ metadata: object['metadata'] }, whole, adapter.reconciler, 'applier'),
      summary: unrecognised(`it could not be read: ${why}`),
    };
  }
}

/**
 * The one door to corrections: null where the reconciler reveals none. Call it with each Event about an object (with the newest
 * settled observation of it), and with null for the event whenever an observation has settled; keep `memory` as JSON, null at
 * first. `now` is ms since the epoch.
 */
export function corrections(
  reconciler: Reconciler,
  memory: CorrectionMemory | null,
  event: ObservedEvent | null,
  observation: Observation,
  now: number,
): CorrectionStep | null {
  return byReconciler.get(reconciler)?.corrections?.(memory, event, observation, now) ?? null;
}
