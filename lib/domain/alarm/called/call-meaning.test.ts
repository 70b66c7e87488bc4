import { describe, expect, it } from 'vitest';
import type { AlarmCall } from '../call.ts';
import type { ObjectRef } from '../../observation/ref.ts';
import { meaningOf, meansObject } from './call-meaning.ts';

const apps: ObjectRef = {
  ...{ cluster: 'eu', group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization' },
  ...{ namespace: 'team-1', name: 'apps' },
};
const provider: ObjectRef = { cluster: 'eu', group: 'pkg.crossplane.io', kind: 'Provider', namespace: '', name: 'aws' };

type Labels = AlarmCall['labels'];

/** Meaning of a call with these labels for an object: its type where it means no objects. */
function meant(labels: Labels, readsObjects: boolean | null, ref = apps, cluster: string | null = 'eu'): string | null {
  const meaning = meaningOf({ cluster, labels, readsObjects });
  if (meaning.type === 'objects') return meansObject(meaning.named, ref);
  return meaning.type === 'cluster' ? `any of ${meaning.cluster ?? 'all'}` : 'none';
}

const whole = { kind: 'Kustomization', exported_namespace: 'team-1', name: 'apps' };

describe('a call', () => {
  it.each<[string, Labels, boolean | null, string | null]>([
    ['names its object', whole, true, 'called'],
    ['names it whatever its rule reads', whole, false, 'called'],
    ['names it in the plural', { ...whole, kind: 'kustomizations' }, null, 'called'],
    ['names another', { ...whole, name: 'infra' }, true, null],
    ['names one of another namespace', { ...whole, exported_namespace: 'team-2' }, true, null],
    ['names one of another group', { ...whole, customresource_group: 'other.example.org' }, true, null],
    ['without a namespace may name several', { kind: 'Kustomization', name: 'apps' }, false, 'perhaps'],
    ['names a Deployment', { deployment: 'apps', namespace: 'team-1' }, true, null],
    ['means a group of its kind', { kind: 'Kustomization' }, true, 'perhaps'],
    ['means a group of another kind', { kind: 'HelmRelease' }, true, null],
    ['means a group of its namespace', { exported_namespace: 'team-1' }, true, 'perhaps'],
    ['means a group of another namespace', { exported_namespace: 'team-2' }, true, null],
    ['with a namespace of the exporter means any', { namespace: 'monitoring' }, true, 'perhaps'],
    ['means anything where its rule reads objects', { severity: 'page' }, true, 'any of eu'],
    ['of a rule that reads none means none', { severity: 'page' }, false, 'none'],
    ['of a rule that is not known means none without a kind', { exported_namespace: 'team-1' }, null, 'none'],
    ['of a rule that is not known may mean a kind', { kind: 'Kustomization' }, null, 'perhaps'],
    ['of a rule that reads none means no kind', { kind: 'Kustomization' }, false, 'none'],
    ['with a name alone may be what others wait for', { name: 'apps' }, true, 'any of eu'],
    ['with a name alone of a service means none', { name: 'sshd.service' }, null, 'none'],
    ['with blank labels names nothing', { kind: ' ', name: '', severity: 'page' }, false, 'none'],
  ])('%s', (_, labels, reads, expected) => {
    expect(meant(labels, reads)).toBe(expected);
  });

  it.each<[string, Labels, string | null]>([
    ['by name', { kind: 'Provider', name: 'aws' }, 'called'],
    ['with the namespace of its exporter', { kind: 'Provider', namespace: 'monitoring', name: 'aws' }, 'called'],
    ['not with a namespace of its own', { kind: 'Provider', exported_namespace: 'x', name: 'aws' }, null],
  ])('names an object without a namespace %s', (_, labels, expected) => {
    expect(meant(labels, false, provider)).toBe(expected);
  });

  it.each<[string, Labels, boolean | null, string]>([
    ['that names an object', whole, false, 'any of all'],
    ['whose rule reads objects', {}, true, 'any of all'],
    ['of nothing', {}, null, 'none'],
  ])('of no cluster %s', (_, labels, reads, expected) => {
    expect(meant(labels, reads, apps, null)).toBe(expected);
  });
});
