import type { Observation } from '../observation/observation.ts';

const image = /^(?:(.+)@)?sha256:([0-9a-f]{12})[0-9a-f]{52}$/;
const versioned = /^v?\d+\.\d+\.\d+/;

/**
 * Offer of a source, written as its applier would write it once applied. A Kustomization writes the artifact's revision
 * (string equality is what the controller compares); a HelmRelease writes the chart's version, and for an OCIRepository
 * "<chart version>+<first 12 of the digest>" (docs/facts/flux.md): the tag may be another word, so the digest decides. Null where
 * the two cannot be compared.
 */
export function offeredTo(applier: Observation, source: Observation | null): string | null {
  const artifact = source?.revisions.artifact ?? null;
  if (artifact === null || applier.role !== 'applier' || applier.revisions.incomparable) return null;
  const found = applier.ref.kind === 'HelmRelease' ? image.exec(artifact) : null;
  if (!found) return artifact;
  const [, tag, digest = ''] = found;
  const { applied } = applier.revisions;
  const build = applied?.split('+')[1];
  if (applied !== null && build?.endsWith(digest)) return applied;
  const isVersion = tag !== undefined && versioned.test(tag);
  // Without digest tracking the release carries the bare version, and then only that can be compared.
  if (applied !== null && build === undefined) {
    if (!isVersion) return null;
    if (tag === applied || tag === `v${applied}`) return applied;
  }
  return isVersion ? `${tag}+${digest}` : artifact;
}

/**
 * Revisions that an object uses of its source and that the source offers, where they can be compared: an applier by what it applied, a
 * HelmChart out of a GitRepository or Bucket by the revision that it was packaged from (helmchart_controller.go sets
 * observedSourceArtifactRevision on every pass, also where the chart's version stays). Null where they cannot.
 */
export function takenFrom(
  observation: Observation,
  source: Observation | null,
  offered: string | null,
): { readonly used: string; readonly offered: string } | null {
  const { applied, origin } = observation.revisions;
  if (observation.role === 'applier') return applied === null || offered === null ? null : { used: applied, offered };
  const packaged = observation.ref.kind === 'HelmChart' && source !== null && source.ref.kind !== 'HelmRepository';
  const artifact = source?.revisions.artifact ?? null;
  return packaged && origin !== null && artifact !== null ? { used: origin, offered: artifact } : null;
}
