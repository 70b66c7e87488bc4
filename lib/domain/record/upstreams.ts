import type { ObjectRef } from '../observation/ref.ts';

/**
 * Objects that an object depends on beside its source and its delivery: with them the edges of a cluster's graph. Most objects depend on
 * nothing else and share `noUpstreams`.
 */
export interface Upstreams {
  /** Further sources: spec.include of a GitRepository, all but the first of an ArtifactGenerator. */
  readonly sources: readonly ObjectRef[];
  readonly dependsOn: readonly ObjectRef[];
  /** Crossplane: composite of a managed resource, claim of a composite. */
  readonly parent: ObjectRef | null;
  /** Crossplane: the package revision that runs its kind. */
  readonly provider: ObjectRef | null;
  /** Crossplane: providerConfigRef. */
  readonly providerConfig: ObjectRef | null;
}

/** Of an object that depends on nothing else. */
export const noUpstreams: Upstreams = {
  sources: [],
  dependsOn: [],
  parent: null,
  provider: null,
  providerConfig: null,
};

/** True if there is anything in it. */
export function hasUpstreams({ sources, dependsOn, parent, provider, providerConfig }: Upstreams): boolean {
  return sources.length > 0 || dependsOn.length > 0 || parent !== null || provider !== null || providerConfig !== null;
}
