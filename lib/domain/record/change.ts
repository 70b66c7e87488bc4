import type { ExemptionKind } from '../exemption/exemption.ts';
import type { ObjectRef } from '../observation/ref.ts';

/**
 * Fact of a change. Texts are redacted and bounded. `by` is a field manager as managedFields name it (`kubectl-edit`,
 * `kustomize-controller`), null where they do not tell.
 * - spec-edited: `generation - from` edits, the last of them by `by`
 * - suspended, resumed: by `field`
 * - revision: what a source offers; or, for an applier without a source of its own, what it tried
 * - deletion-asked: it has a deletionTimestamp and waits for its finalizers
 * - exemption-added, exemption-removed: a weakening of the guarantee other than a suspension
 * - controller-version, controller-restarted: of its Deployment, of the holder of its lease
 * - package-revision: another revision of a Crossplane package is active, e.g. a ProviderRevision
 */
export type ChangeFact =
  | { readonly type: 'spec-edited'; readonly by: string | null; readonly from: number; readonly generation: number }
  | { readonly type: 'suspended'; readonly by: string | null; readonly field: string }
  | { readonly type: 'resumed'; readonly by: string | null; readonly field: string }
  | { readonly type: 'revision'; readonly from: string | null; readonly to: string | null }
  | { readonly type: 'created' }
  | { readonly type: 'deletion-asked' }
  | { readonly type: 'deleted' }
  | {
      readonly type: 'exemption-added' | 'exemption-removed';
      readonly kind: ExemptionKind;
      readonly field: string;
      readonly by: string | null;
    }
  | {
      readonly type: 'controller-version';
      readonly namespace: string;
      readonly name: string;
      readonly from: string;
      readonly to: string;
    }
  | { readonly type: 'controller-restarted'; readonly namespace: string; readonly name: string }
  | {
      readonly type: 'package-revision';
      /** Its image without tag or digest. */
      readonly package: string;
      /** ProviderRevision, ConfigurationRevision or FunctionRevision, and the name of the one that is active now. */
      readonly kind: string;
      readonly name: string;
      readonly from: string;
      readonly to: string;
    }
  | { readonly type: 'kubernetes-version'; readonly from: string; readonly to: string };

/**
 * Something that was changed on a cluster: a fact that is never taken back. Never a quiet pass, and never what was merely seen
 * for the first time.
 *
 * Which changes are kept is the least that answers "what changed before it broke", so that a commit that rolls over a million
 * objects does not make a million of them: what arrives from git is told once per source and cluster (`revision`), not by each
 * applier that tries it, whose own transitions tell the rest; an object has a change of its own only where its own spec,
 * suspension or exemptions were edited, by whomever, which is what an applier changes in what it delivers and nothing else.
 * Times are ms since the epoch.
 */
export interface NotedChange {
  readonly cluster: string;
  /** Object that was changed; null for the cluster as a whole, a controller or a package. */
  readonly ref: ObjectRef | null;
  /** When it happened by the API server's own clock (managedFields, creationTimestamp, a condition), else when it was noticed. */
  readonly at: number;
  /** It happened no earlier: `at` where it was seen or is dated, else the last moment at which the former state was still seen. */
  readonly notBefore: number;
  readonly noticedAt: number;
  readonly fact: ChangeFact;
}

/** Every kind of change. */
export const changeTypes = [
  'spec-edited',
  'suspended',
  'resumed',
  'revision',
  'created',
  'deletion-asked',
  'deleted',
  'exemption-added',
  'exemption-removed',
  'controller-version',
  'controller-restarted',
  'package-revision',
  'kubernetes-version',
] as const satisfies readonly ChangeFact['type'][];

/** Key that tells two changes of one object at one moment apart. */
export function changeKey(fact: ChangeFact): string {
  switch (fact.type) {
    case 'exemption-added':
    case 'exemption-removed':
      return `${fact.type} ${fact.kind} ${fact.field}`;
    case 'controller-version':
    case 'controller-restarted':
      return `${fact.type} ${fact.namespace}/${fact.name}`;
    case 'package-revision':
      return `${fact.type} ${fact.package}`;
    case 'spec-edited':
    case 'suspended':
    case 'resumed':
    case 'revision':
    case 'created':
    case 'deletion-asked':
    case 'deleted':
    case 'kubernetes-version':
      return fact.type;
  }
}
