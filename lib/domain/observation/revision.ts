/**
 * A revision string, taken apart. Forms: docs/facts/flux.md.
 * - git: a commit (40 or 64 hex, lower case) on a ref (`main`, `v1.2.3`, `feature/x`, `refs/heads/main`); ref null where it names none
 * - digest: an artifact's digest (`sha256:...`) under a tag; tag null where it names none
 * - version: a chart's version; `build` is what follows the "+" (a short commit, a digest's first 12, or a number)
 * - unknown: text in none of these forms
 */
export type Revision =
  | { readonly type: 'git'; readonly ref: string | null; readonly commit: string }
  | { readonly type: 'digest'; readonly tag: string | null; readonly digest: string }
  | { readonly type: 'version'; readonly version: string; readonly build: string | null }
  | { readonly type: 'unknown'; readonly text: string };

const hexText = /^[0-9a-f]+$/;
const versionText = /^v?\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+([0-9A-Za-z.-]+))?$/;

/**
 * Reads a revision as the source of the given kind writes it (source-controller's artifact revisions, pkg/git SplitRevision:
 * the last "@" and the last ":"). `sourceKind` decides where a text could be several things: a HelmChart offers versions, an
 * OCIRepository, Bucket or HelmRepository digests, a GitRepository commits. Null is "any kind".
 */
export function parseRevision(text: string, sourceKind: string | null): Revision {
  const mark = text.lastIndexOf('@');
  const name = mark > 0 ? text.slice(0, mark) : null;
  const rest = text.slice(mark + 1);
  const colon = rest.lastIndexOf(':');
  if (colon > 0) {
    const hash = rest.slice(0, colon);
    const hex = rest.slice(colon + 1).toLowerCase();
    if (!hexText.test(hex)) return { type: 'unknown', text };
    const git = hash === 'sha1' || (hash === 'sha256' && sourceKind === 'GitRepository');
    if (git && isCommit(hex)) return { type: 'git', ref: name, commit: hex };
    if (hash.startsWith('sha') && !git) return { type: 'digest', tag: name, digest: `${hash}:${hex}` };
    return { type: 'unknown', text };
  }
  if (mark < 0 && sourceKind !== 'HelmChart') {
    const legacy = legacyCommit(text);
    if (legacy !== null) return legacy;
  }
  const version = mark < 0 ? versionText.exec(text) : null;
  if (version !== null) return { type: 'version', version: text, build: version[1] ?? null };
  return { type: 'unknown', text };
}

/** Before Flux 0.40: `main/<sha>`, `HEAD/<sha>`, a bare sha; still found in annotations of OCI artifacts. */
function legacyCommit(text: string): Revision | null {
  const slash = text.lastIndexOf('/');
  const hex = text.slice(slash + 1).toLowerCase();
  if (!isCommit(hex) || !hexText.test(hex)) return null;
  const ref = slash > 0 ? text.slice(0, slash) : null;
  return { type: 'git', ref: ref === 'HEAD' ? null : ref, commit: hex };
}

/** SHA-1 has 40 digits, git's SHA-256 repositories 64. */
function isCommit(hex: string): boolean {
  return hex.length === 40 || hex.length === 64;
}

/** The whole git commit that a revision names, or null. `origin` (the annotated revision of an OCI artifact) is asked second. */
export function commitOf(
  revision: string | null,
  sourceKind: string | null,
  origin: string | null = null,
): string | null {
  const own = revision === null ? null : parseRevision(revision, sourceKind);
  if (own?.type === 'git') return own.commit;
  const annotated = origin === null ? null : parseRevision(origin, 'GitRepository');
  return annotated?.type === 'git' ? annotated.commit : null;
}

/** A commit as people write it: its first 7 digits; what is shorter stays whole. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 7);
}

/** A revision short enough for a matrix cell: `2d81a0c`, `v1.2.3`, `0.1.0`; unknown text is cut at 16 characters. */
export function shortRevision(text: string, sourceKind: string | null = null): string {
  const revision = parseRevision(text, sourceKind);
  switch (revision.type) {
    case 'git':
      return shortCommit(revision.commit);
    case 'digest':
      return revision.tag ?? shortCommit(revision.digest.slice(revision.digest.indexOf(':') + 1));
    case 'version':
      return revision.build === null ? revision.version : revision.version.slice(0, revision.version.indexOf('+'));
    case 'unknown':
      return revision.text.length > 16 ? `${revision.text.slice(0, 15)}…` : revision.text;
  }
}
