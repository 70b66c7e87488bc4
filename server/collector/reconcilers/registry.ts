import type { Observation, Reconciler } from '#lib/domain/observation.ts';
import { redact } from '#lib/domain/redact.ts';
import type { ForeignObject } from '#lib/foreign.ts';
import type { EventWord, GroupKind, WatchedKind } from '../clusters/cluster-event.ts';
import type { Adapter, AdapterContext, CorrectionStep } from './adapter.ts';
import { argocd } from './argocd/adapter.ts';
import type { CorrectionMemory } from './correction-memory.ts';
import { crossplane } from './crossplane/adapter.ts';
import { envelope, unrecognised } from './envelope.ts';
import { flux } from './flux/adapter.ts';
import { helm } from './helm/adapter.ts';
import { terraform } from './terraform/adapter.ts';

/** The one table of adapters; the compiler sees that none is missing. */
export const adapters = { flux, helm, crossplane, terraform, argocd } satisfies Record<Reconciler, Adapter>;

/** Crossplane comes last: it takes kinds by category, the others by name. */
const inOrder: readonly Adapter[] = [
  adapters.flux,
  adapters.helm,
  adapters.terraform,
  adapters.argocd,
  adapters.crossplane,
];

/** The adapter that reads a kind, or null where none does (the kind is then not watched). */
export function adapterFor(kind: GroupKind & { readonly categories: readonly string[] }): Adapter | null {
  return inOrder.find((adapter) => adapter.handles(kind)) ?? null;
}

/**
 * An object of a watched kind as an observation; null where no adapter reads this kind. Never throws: what an adapter
 * cannot read becomes the word `unrecognised`. `receivedAt` is ms since the epoch.
 */
export function observe(
  kind: WatchedKind,
  object: ForeignObject,
  context: Omit<AdapterContext, 'kind'> & Partial<AdapterContext>,
): Observation | null {
  const adapter = adapterFor(kind);
  if (adapter === null) return null;
  const whole: AdapterContext = { cluster: context.cluster, kind, receivedAt: context.receivedAt };
  try {
    return adapter.observe(object, whole);
  } catch (error) {
    // An adapter that throws is a bug of ours; the object must show it rather than take the collector down.
    const why = redact(error instanceof Error ? error.message : String(error), 256);
    return {
      ...envelope({ metadata: object['metadata'] }, whole, adapter.reconciler, 'applier'),
      word: unrecognised(`it could not be read: ${why}`),
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
  event: EventWord | null,
  observation: Observation,
  now: number,
): CorrectionStep | null {
  const adapter: Adapter = adapters[reconciler];
  return adapter.corrections?.(memory, event, observation, now) ?? null;
}
