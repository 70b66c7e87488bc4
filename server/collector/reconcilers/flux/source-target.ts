import type { SourceTarget } from '#lib/domain/observation/observation.ts';
import { at } from '#lib/foreign.ts';
import { nameAt, urlAt, wordAt } from '#lib/foreign-words.ts';

export interface Reference {
  readonly text: string;
  readonly floating: boolean;
  /** Path of the field that decides; null where a default does. */
  readonly path: readonly string[] | null;
}

/** Where a source points; null for a HelmChart (its own source tells) and for what is generated. */
export function sourceTarget(object: unknown, kind: string): SourceTarget | null {
  const url = targetUrl(object, kind);
  const reference = referenceOf(object, kind);
  if (url === null || reference === null) return null;
  return { url, reference: reference.text, floating: reference.floating };
}

function targetUrl(object: unknown, kind: string): string | null {
  if (kind !== 'Bucket') return urlAt(object, 'spec', 'url');
  const endpoint = urlAt(object, 'spec', 'endpoint');
  return endpoint === null ? null : `${endpoint}/${urlAt(object, 'spec', 'bucketName') ?? ''}`;
}

/** Which content a source asks for, by the reference that counts; null where it asks for none. */
export function referenceOf(object: unknown, kind: string): Reference | null {
  switch (kind) {
    case 'GitRepository':
      return gitReference(object);
    case 'OCIRepository':
      return ociReference(object);
    case 'HelmChart':
      return chartVersion(object);
    case 'HelmRepository':
      return { text: 'index', floating: true, path: null };
    case 'Bucket':
      return { text: `prefix ${wordAt(object, 'spec', 'prefix') ?? '/'}`, floating: true, path: null };
    default:
      return null;
  }
}

/** Precedence of source-controller: commit, name, semver, tag, branch (default master). */
function gitReference(object: unknown): Reference {
  const ref = at(object, 'spec', 'ref');
  for (const field of ['commit', 'name', 'semver', 'tag', 'branch']) {
    const value = wordAt(ref, field);
    if (value !== null && value !== '')
      return { text: `${field} ${value}`, floating: field !== 'commit', path: ['spec', 'ref', field] };
  }
  return { text: 'branch master', floating: true, path: null };
}

/** Precedence of source-controller: digest, semver, tag (default latest). */
function ociReference(object: unknown): Reference {
  const ref = at(object, 'spec', 'ref');
  for (const field of ['digest', 'semver', 'tag']) {
    const value = wordAt(ref, field);
    if (value !== null && value !== '')
      return { text: `${field} ${value}`, floating: field !== 'digest', path: ['spec', 'ref', field] };
  }
  return { text: 'tag latest', floating: true, path: null };
}

/** A chart's version counts only where it comes from a HelmRepository; from git or a bucket the directory decides. */
function chartVersion(object: unknown): Reference | null {
  if (nameAt(object, 'spec', 'sourceRef', 'kind') !== 'HelmRepository') return null;
  const version = wordAt(object, 'spec', 'version');
  return { text: `version ${version ?? '*'}`, floating: !isExactVersion(version), path: ['spec', 'version'] };
}

const exact = /^v?\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/;

/** True if a chart version names one version; a range, "*" and none do not. */
export function isExactVersion(version: string | null): boolean {
  return version !== null && exact.test(version);
}
