import { describe, expect, it } from 'vitest';
import { wholeFleet, type Scope } from '#lib/api/scope.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { goodCommit, helmGroup, sampleObject, sampleRef, sourceGroup } from '../../testing/sample.ts';
import { objectMatcher } from './object-matcher.ts';

const release = { name: 'api', kind: 'HelmRelease', group: helmGroup, namespace: 'web' };
const secret = { name: 'token', kind: 'Secret', group: '', namespace: '' };

const objects: Readonly<Record<string, CurrentObject>> = {
  checkout: sampleObject({ name: 'checkout' }, { reason: 'BuildFailed' }),
  release: sampleObject(release, { deliveredBy: sampleRef({ name: 'shop' }), path: null, commit: null }),
  orphan: sampleObject({ ...release, name: 'loner' }, { deliveredBy: null, path: null, commit: null }),
  claimed: sampleObject(secret, { deliveredBy: sampleRef({ name: 'shop' }), path: null, commit: null }),
  chart: sampleObject(
    { ...release, name: 'chart' },
    { deliveredBy: sampleRef({ name: 'shop', kind: 'HelmChart' }), path: null, commit: null },
  ),
  source: sampleObject(
    { cluster: 'us-east-1', kind: 'HelmRepository', group: sourceGroup, name: 'charts' },
    { role: 'source', path: null, commit: null },
  ),
};

function kept(scope: Partial<Scope>): string[] {
  const matches = objectMatcher({ ...wholeFleet, ...scope });
  return matches === null ? ['all'] : Object.keys(objects).filter((name) => objects[name] && matches(objects[name]));
}

describe('of a scope', () => {
  it.each<[Partial<Scope>, string[]]>([
    [{}, ['all']],
    [{ q: '  ' }, ['all']],
    [{ group: '-' }, ['claimed']],
    [{ group: helmGroup }, ['release', 'orphan', 'chart']],
    [{ namespace: '-' }, ['claimed']],
    [{ namespace: 'web', name: 'api' }, ['release']],
    [{ kind: 'Secret' }, ['claimed']],
    [{ reconciler: 'none' }, []],
    [{ q: 'CHECK' }, ['checkout']],
    [{ q: 'buildf' }, ['checkout']],
    [{ q: 'us-east' }, ['source']],
    [{ q: 'helm.toolkit' }, ['release', 'orphan', 'chart']],
    [{ q: 'apps' }, ['checkout']],
    [{ q: 'app' }, []],
    [{ q: 'shop' }, ['release']],
    [{ q: 'repositories' }, ['source']],
    [{ q: 'eu-west-3/helmrelease/web/api' }, ['release']],
    [{ q: 'secret//tok' }, ['claimed']],
    [{ q: 'kustomization/flux-system' }, ['checkout']],
    [{ q: goodCommit.slice(0, 4) }, ['checkout']],
    [{ q: goodCommit.slice(0, 3) }, []],
    [{ q: goodCommit.slice(1, 9) }, []],
    [{ q: 'zzz' }, []],
  ])('%j matches %j', (scope, names) => {
    expect(kept(scope)).toEqual(names);
  });
});
