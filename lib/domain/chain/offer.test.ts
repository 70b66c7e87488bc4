import { describe, expect, it } from 'vitest';
import { offeredTo } from './offer.ts';
import { observed, revisionB, source } from '../testing/observed.ts';

const digest = `sha256:${'0123456789ab'.padEnd(64, 'c')}`;
const other = `sha256:${'ba9876543210'.padEnd(64, 'c')}`;
const ref = { ...observed().ref, group: 'helm.toolkit.fluxcd.io', kind: 'HelmRelease' };

function revisions(part: { applied?: string; artifact?: string }) {
  return { applied: part.applied ?? null, attempted: null, artifact: part.artifact ?? null, origin: null };
}

describe('what a source offers, as its applier would write it', () => {
  it('a Kustomization writes the revision of the artifact', () => {
    expect(offeredTo(observed(), source({ revisions: revisions({ artifact: revisionB }) }))).toBe(revisionB);
  });

  it.each<[string, string | null, string, string | null]>([
    ['a chart of the same version', '6.0.3', '6.0.3', '6.0.3'],
    ['a chart of a newer version', '6.0.3', '6.0.4', '6.0.4'],
    ['an image of the same digest under its version', '1.2.3+0123456789ab', `1.2.3@${digest}`, '1.2.3+0123456789ab'],
    [
      'an image of the same digest under a tag that is no version',
      '1.2.3+0123456789ab',
      `latest@${digest}`,
      '1.2.3+0123456789ab',
    ],
    [
      'an image of the same digest under a version with a letter',
      '1.2.3+0123456789ab',
      `v1.2.3@${digest}`,
      '1.2.3+0123456789ab',
    ],
    ['an image that is pinned by its digest', '1.2.3+0123456789ab', digest, '1.2.3+0123456789ab'],
    ['another image of the same version', '1.2.3+0123456789ab', `1.2.3@${other}`, '1.2.3+ba9876543210'],
    ['another image that is pinned by its digest', '1.2.3+0123456789ab', other, other],
    ['a version without its digest being tracked', '1.2.3', `1.2.3@${digest}`, '1.2.3'],
    ['a newer version without its digest being tracked', '1.2.3', `1.2.4@${digest}`, '1.2.4+0123456789ab'],
    ['nothing to compare where neither digest nor version is told', '1.2.3', `latest@${digest}`, null],
    ['nothing to compare with a pinned digest that is not tracked', '1.2.3', digest, null],
    ['nothing applied yet', null, `1.2.3@${digest}`, '1.2.3+0123456789ab'],
  ])('a HelmRelease: %s', (_name, applied, artifact, offered) => {
    const release = observed({ ref, reconciler: 'helm', revisions: revisions(applied === null ? {} : { applied }) });
    expect(offeredTo(release, source({ revisions: revisions({ artifact }) }))).toBe(offered);
  });
});
