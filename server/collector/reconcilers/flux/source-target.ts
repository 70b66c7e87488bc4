import type { SourceTarget } from '#lib/domain/observation/observation.ts';
import { redactUrl } from '#lib/domain/observation/redact.ts';
import { at, textAt } from '#lib/foreign.ts';

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
  return { url: redactUrl(url), reference: reference.text, floating: reference.floating };
}

function targetUrl(object: unknown, kind: string): string | null {
  if (kind !== 'Bucket') return textAt(object, 'spec', 'url');
  const endpoint = textAt(object, 'spec', 'endpoint');
  return endpoint === null ? null : `${endpoint}/${textAt(object, 'spec', 'bucketName') ?? ''}`;
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
      return { text: `prefix ${textAt(object, 'spec', 'prefix') ?? '/'}`, floating: true, path: null };
    default:
      return null;
  }
}

/** Precedence of source-controller: commit, name, semver, tag, branch (default master). */
function gitReference(object: unknown): Reference {
  const ref = at(object, 'spec', 'ref');
  for (const field of ['commit', 'name', 'semver', 'tag', 'branch']) {
    const value = textAt(ref, field);
    if (value !== null && value !== '')
      return { text: `${field} ${value}`, floating: field !== 'commit', path: ['spec', 'ref', field] };
  }
  return { text: 'branch master', floating: true, path: null };
}

/** Precedence of source-controller: digest, semver, tag (default latest). */
function ociReference(object: unknown): Reference {
  const ref = at(object, 'spec', 'ref');
  for (const field of ['digest', 'semver', 'tag']) {
    const value = textAt(ref, field);
    if (value !== null && value !== '')
      return { text: `${field} ${value}`, floating: field !== 'digest', path: ['spec', 'ref', field] };
  }
  return { text: 'tag latest', floating: true, path: null };
}

/** A chart's version counts only where it comes from a HelmRepository; from git or a bucket the directory decides. */
function chartVersion(object: unknown): Reference | null {
  if (textAt(object, 'spec', 'sourceRef', 'kind') !== 'HelmRepository') return null;
  const version = textAt(object, 'spec', 'version');
  return { text: `version ${version ?? '*'}`, floating: !isExactVersion(version), path: ['spec', 'version'] };
}

const exact = /^v?\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/;

/** True if a chart version names one version; a range, "*" and none do not. */
export function isExactVersion(version: string | null): boolean {
  return version !== null && exact.test(version);
}
