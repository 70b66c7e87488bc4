import { hash } from 'node:crypto';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { textAt } from '#lib/foreign.ts';
import { isObserveOnly, managementPolicies } from './pause.ts';

/**
 * Which external resource a managed resource manages, as a number of 52 bits (docs/facts/crossplane.md). Two with one number
 * manage the same: of one kind whether or not its group is the namespaced one (".m."), and
 * - of one ARN, Azure or Google Cloud id where the provider has told it: across clusters as well
 * - else of one external name by one ProviderConfig in one region of one cluster
 *
 * Null for who manages none: paused, observed only, or not made yet. Names are digested: neither ids nor regions are kept.
 */
export function externalIdOf(object: unknown, own: ObjectRef, isPaused: boolean): number | null {
  const name = textAt(object, 'metadata', 'annotations', 'crossplane.io/external-name');
  if (isPaused || isObserveOnly(managementPolicies(object))) return null;
  const kind = `${own.group.replace('.m.', '.')}/${own.kind}`;
  const worldwide = worldwideId(object);
  if (worldwide !== null) return digest([kind, worldwide]);
  if (name === null || name === '') return null;
  const config = textAt(object, 'spec', 'providerConfigRef', 'name') ?? 'default';
  const region =
    textAt(object, 'spec', 'forProvider', 'region') ?? textAt(object, 'spec', 'forProvider', 'location') ?? '';
  return digest([own.cluster, kind, name, config, region]);
}

/** An id that names one resource in the whole world; null where the provider has told none. */
function worldwideId(object: unknown): string | null {
  const arn = textAt(object, 'status', 'atProvider', 'arn');
  if (arn?.startsWith('arn:')) return arn;
  const id = textAt(object, 'status', 'atProvider', 'id');
  if (id?.toLowerCase().startsWith('/subscriptions/')) return id.toLowerCase();
  return id?.startsWith('projects/') ? id : null;
}

function digest(parts: readonly string[]): number {
  return Number.parseInt(hash('sha1', parts.join('\n')).slice(0, 13), 16);
}
