import type { Observation } from './observation.ts';

/**
 * What a source offers, written as its applier would write it once applied. A Kustomization writes the artifact's revision
 * (string equality is what the controller compares); a HelmRelease writes the chart's version, and for an OCIRepository
 * "<tag>+<first 12 of the digest>" (facts/flux.md B4). Null where the two cannot be compared.
 */
export function offeredTo(applier: Observation, source: Observation | null): string | null {
  const artifact = source?.revisions.artifact ?? null;
  if (artifact === null || applier.role !== 'applier') return null;
  if (applier.ref.kind !== 'HelmRelease') return artifact;
  const digest = /^(.+)@sha256:([0-9a-f]{12})[0-9a-f]{52}$/.exec(artifact);
  if (!digest) return artifact;
  const { applied } = applier.revisions;
  const tracked = `${digest[1]}+${digest[2]}`;
  // Without digest tracking the release carries the bare version, and then only that can be compared.
  return applied !== null && !applied.includes('+') && applied === digest[1] ? applied : tracked;
}
