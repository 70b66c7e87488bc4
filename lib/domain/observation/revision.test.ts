import { describe, expect, it } from 'vitest';
import { commitOf, parseRevision, shortCommit, shortRevision, type Revision } from './revision.ts';

const sha = 'ab00a320eb789dbf2deff7bf3de6752bfc745ba4';
const digest = 'e9bfdfadcfa3602c44a61d50bb0c2161c4cc889460aed4417d65dbccd6746e28';

describe('parseRevision', () => {
  it.each<readonly [string, string | null, Revision]>([
    [`main@sha1:${sha}`, 'GitRepository', { type: 'git', ref: 'main', commit: sha }],
    [`v1.2.3@sha1:${sha}`, 'GitRepository', { type: 'git', ref: 'v1.2.3', commit: sha }],
    [`feature/x@sha1:${sha}`, 'GitRepository', { type: 'git', ref: 'feature/x', commit: sha }],
    [`odd@name@sha1:${sha}`, 'GitRepository', { type: 'git', ref: 'odd@name', commit: sha }],
    [`refs/heads/main@sha1:${sha}`, 'GitRepository', { type: 'git', ref: 'refs/heads/main', commit: sha }],
    [`refs/pull/420/head@sha1:${sha}`, 'GitRepository', { type: 'git', ref: 'refs/pull/420/head', commit: sha }],
    [`@sha1:${sha}`, 'GitRepository', { type: 'git', ref: null, commit: sha }],
    [`/${sha}`, 'GitRepository', { type: 'git', ref: null, commit: sha }],
    [`@${sha}`, 'GitRepository', { type: 'unknown', text: `@${sha}` }],
    ['@6.0.3', 'HelmChart', { type: 'unknown', text: '@6.0.3' }],
    [`sha1:${sha}`, 'GitRepository', { type: 'git', ref: null, commit: sha }],
    [`main@sha1:${sha.toUpperCase()}`, 'GitRepository', { type: 'git', ref: 'main', commit: sha }],
    [`main@sha256:${digest}`, 'GitRepository', { type: 'git', ref: 'main', commit: digest }],
    [`main/${sha}`, 'GitRepository', { type: 'git', ref: 'main', commit: sha }],
    [`feature/x/${sha}`, 'GitRepository', { type: 'git', ref: 'feature/x', commit: sha }],
    [`HEAD/${sha}`, 'GitRepository', { type: 'git', ref: null, commit: sha }],
    [sha, null, { type: 'git', ref: null, commit: sha }],
    [`6.1.8/${sha}`, null, { type: 'git', ref: '6.1.8', commit: sha }],
    [`latest@sha256:${digest}`, 'OCIRepository', { type: 'digest', tag: 'latest', digest: `sha256:${digest}` }],
    [`sha256:${digest}`, 'OCIRepository', { type: 'digest', tag: null, digest: `sha256:${digest}` }],
    [`sha256:${digest}`, 'Bucket', { type: 'digest', tag: null, digest: `sha256:${digest}` }],
    [`latest@sha256:${digest}`, 'ExternalArtifact', { type: 'digest', tag: 'latest', digest: `sha256:${digest}` }],
    [`main@sha1:${sha}`, 'ExternalArtifact', { type: 'git', ref: 'main', commit: sha }],
    ['6.0.3', 'HelmChart', { type: 'version', version: '6.0.3', build: null }],
    ['6.0.3+1', 'HelmChart', { type: 'version', version: '6.0.3+1', build: '1' }],
    ['6.0.3+4e5cbb7b97d0', 'HelmChart', { type: 'version', version: '6.0.3+4e5cbb7b97d0', build: '4e5cbb7b97d0' }],
    ['v1.0.0-rc.1', null, { type: 'version', version: 'v1.0.0-rc.1', build: null }],
    ['main@sha1:nothex', 'GitRepository', { type: 'unknown', text: 'main@sha1:nothex' }],
    ['main@sha1:ab00', 'GitRepository', { type: 'unknown', text: 'main@sha1:ab00' }],
    ['', null, { type: 'unknown', text: '' }],
    ['main', 'GitRepository', { type: 'unknown', text: 'main' }],
  ])('%s of a %s', (text, kind, revision) => {
    expect(parseRevision(text, kind)).toEqual(revision);
  });
});

describe('commitOf', () => {
  const otherDigest = '0123456789abcdef'.repeat(4);

  it('is the own commit, else the annotated one, else none', () => {
    expect(commitOf(`main@sha1:${sha}`, 'GitRepository')).toBe(sha);
    expect(commitOf(`latest@sha256:${digest}`, 'OCIRepository', `main@sha1:${sha}`)).toBe(sha);
    expect(commitOf(`latest@sha256:${digest}`, 'OCIRepository', `6.1.8/${sha}`)).toBe(sha);
    expect(commitOf(`latest@sha256:${digest}`, 'OCIRepository', `main@sha256:${otherDigest}`)).toBe(otherDigest);
    expect(commitOf(`latest@sha256:${digest}`, 'OCIRepository')).toBeNull();
    expect(commitOf('6.0.3+4e5cbb7b97d0', 'HelmChart')).toBeNull();
    expect(commitOf(null, 'GitRepository')).toBeNull();
  });
});

describe('short forms', () => {
  it.each([
    [`main@sha1:${sha}`, 'GitRepository', 'ab00a32'],
    [`latest@sha256:${digest}`, 'OCIRepository', 'latest'],
    [`sha256:${digest}`, 'OCIRepository', 'e9bfdfa'],
    ['6.0.3+4e5cbb7b97d0', 'HelmChart', '6.0.3'],
    ['something that is long', null, 'something that …'],
  ])('%s', (text, kind, short) => {
    expect(shortRevision(text, kind)).toBe(short);
  });

  it('a commit is its first 7 digits', () => {
    expect(shortCommit(sha)).toBe('ab00a32');
  });
});
