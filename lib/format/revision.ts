/** The first 7 digits of a commit or digest; "sha1:" or "sha256:" before it falls away. */
export function shortCommit(commit: string): string {
  return commit.replace(/^sha\d+:/, '').slice(0, 7);
}

/**
 * A Flux revision as short as it can be said: "main@sha1:2d81e55..." is "main@2d81e55", "latest@sha256:..." is "latest@1f2e3d4",
 * a bare commit or "sha1:..." its 7 digits; a chart's version stays as it is. Form: fluxcd/pkg/git, RFC-0005.
 */
export function shortRevision(revision: string): string {
  if (/^[0-9a-f]{40}$/.test(revision)) return shortCommit(revision);
  const match = /^(?:(.*)@)?sha\d+:([0-9a-f]{7})[0-9a-f]*$/.exec(revision);
  if (match === null) return revision;
  const [, name, digits] = match;
  return name === undefined || name === '' ? `${digits}` : `${name}@${digits}`;
}
