import { describe, expect, it } from 'vitest';
import type { ObjectRef } from '../observation/ref.ts';
import { givenLabels, wantedOf, withGuessedCluster } from './given.ts';
import { assumptionText, matchOf } from './match.ts';

const kustomize = 'kustomize.toolkit.fluxcd.io';

function object(cluster: string, kind: string, namespace: string, name: string, group = kustomize): { ref: ObjectRef } {
  return { ref: { cluster, group, kind, namespace, name } };
}

const objects = [
  object('eu', 'Kustomization', 'flux-system', 'apps'),
  object('eu', 'Kustomization', 'team-a', 'apps'),
  object('eu', 'Kustomization', 'flux-system', 'infra'),
  object('eu', 'HelmRelease', 'flux-system', 'web', 'helm.toolkit.fluxcd.io'),
  object('eu', 'GitRepository', 'flux-system', 'fleet', 'source.toolkit.fluxcd.io'),
  object('eu', 'Instance', '', 'db', 'rds.aws.upbound.io'),
  object('eu', 'Instance', '', 'db', 'sql.gcp.upbound.io'),
  object('us', 'Kustomization', 'flux-system', 'apps'),
  object('us', 'Bucket', '', 'assets', 's3.aws.upbound.io'),
];

const fleet = ['eu', 'us'].map((name) => ({ name, objects: objects.filter(({ ref }) => ref.cluster === name) }));

function matched(params: Readonly<Record<string, string>>, clusters = fleet): string {
  const { labels } = givenLabels(params);
  const wanted = withGuessedCluster(wantedOf(labels), labels, (name) => clusters.some((each) => each.name === name));
  const match = matchOf(wanted, clusters);
  const words = ({ ref: { cluster, group, kind, namespace, name } }: { ref: ObjectRef }): string =>
    [cluster, group.split('.')[0], kind, namespace, name].join('/');
  switch (match.type) {
    case 'exact':
      return `exact ${words(match.object)}`;
    case 'inferred':
      return `inferred ${words(match.object)}: ${match.assumed.map(({ type }) => type).join(', ')}`;
    case 'several':
      return `several ${match.objects.length}${match.assumed.length === 0 ? '' : `: ${match.assumed.map(({ type }) => type).join(', ')}`}`;
    case 'none':
      return 'none';
  }
}

const apps = { cluster: 'eu', kind: 'Kustomization', namespace: 'flux-system', name: 'apps' };
const appsFound = 'exact eu/kustomize/Kustomization/flux-system/apps';

describe('labels lead to', () => {
  it.each<[string, Record<string, string>, string]>([
    ['the object that they name', apps, appsFound],
    ['it where its kind is in lower case', { ...apps, kind: 'kustomization' }, appsFound],
    ['it where its kind is the plural of its resource', { ...apps, kind: 'kustomizations' }, appsFound],
    ['it where the group stands behind', { ...apps, kind: `kustomizations.${kustomize}` }, appsFound],
    ['nothing where another group stands behind', { ...apps, kind: 'kustomizations.other.io' }, 'none'],
    [
      'it where the kind ends in y',
      { cluster: 'eu', kind: 'gitrepositories', name: 'fleet' },
      'exact eu/source/GitRepository/flux-system/fleet',
    ],
    [
      'it by labels of kube-state-metrics, beside those of the exporter',
      {
        cluster: 'eu',
        customresource_group: kustomize,
        customresource_kind: 'Kustomization',
        exported_namespace: 'flux-system',
        name: 'apps',
        namespace: 'monitoring',
        job: 'kube-state-metrics',
        kind: 'Alert',
      },
      appsFound,
    ],
    [
      'it by labels of the notification-controller',
      {
        alertname: 'FluxKustomizationBuildFailed',
        reportingcontroller: 'kustomize-controller',
        severity: 'error',
        ...apps,
      },
      appsFound,
    ],
    [
      'it by exported_name and exported_kind',
      { cluster: 'us', exported_kind: 'bucket', exported_name: 'assets', name: 'x' },
      'exact us/s3/Bucket//assets',
    ],
    ['it by resource', { cluster: 'us', kind: 'Bucket', resource: 'assets' }, 'exact us/s3/Bucket//assets'],
    [
      'it by labels in one text',
      { labels: '{cluster="eu",kind="Kustomization",namespace="flux-system",name="apps"}' },
      appsFound,
    ],
    ['what stands in the link before what stands in the text', { ...apps, labels: 'name=infra' }, appsFound],
    ['none where a part is another', { ...apps, name: 'nope' }, 'none'],
    ['none where the cluster is another', { ...apps, cluster: 'ap' }, 'none'],
    [
      'none where exported_namespace is another: it is never left out',
      { cluster: 'us', kind: 'Kustomization', exported_namespace: 'x', name: 'apps' },
      'none',
    ],
    [
      'one where namespace may be that of the exporter',
      { cluster: 'us', kind: 'Kustomization', namespace: 'monitoring', name: 'apps' },
      'inferred us/kustomize/Kustomization/flux-system/apps: namespace-dropped',
    ],
    [
      'one where group may be no API group',
      { ...apps, group: 'sre' },
      'inferred eu/kustomize/Kustomization/flux-system/apps: group-dropped',
    ],
    [
      'none where customresource_group is another: it is never left out',
      { ...apps, customresource_group: 'sre' },
      'none',
    ],
    [
      'one by leaving out both',
      { cluster: 'us', kind: 'Kustomization', group: 'sre', namespace: 'monitoring', name: 'apps' },
      'inferred us/kustomize/Kustomization/flux-system/apps: namespace-dropped, group-dropped',
    ],
    [
      'one on a cluster that another label names',
      { kind: 'Kustomization', namespace: 'flux-system', name: 'apps', k8s_cluster: 'us' },
      'inferred us/kustomize/Kustomization/flux-system/apps: cluster-guessed',
    ],
    [
      'several where two labels name two clusters',
      { kind: 'Kustomization', namespace: 'flux-system', name: 'apps', a: 'us', b: 'eu' },
      'several 2: no-cluster',
    ],
    [
      'one where no cluster is named and only one has it',
      { kind: 'Bucket', name: 'assets' },
      'inferred us/s3/Bucket//assets: no-cluster',
    ],
    [
      'one where no kind is named',
      { cluster: 'eu', name: 'web' },
      'inferred eu/helm/HelmRelease/flux-system/web: no-kind',
    ],
    [
      'one where no name is given',
      { cluster: 'eu', kind: 'helmrelease' },
      'inferred eu/helm/HelmRelease/flux-system/web: no-name',
    ],
    ['several in several namespaces', { cluster: 'eu', kind: 'Kustomization', name: 'apps' }, 'several 2'],
    ['several of several groups', { cluster: 'eu', kind: 'Instance', name: 'db' }, 'several 2'],
    [
      'the one of the group that is named',
      { cluster: 'eu', kind: 'Instance', group: 'sql.gcp.upbound.io', name: 'db' },
      'exact eu/sql/Instance//db',
    ],
    ['several of a kind', { cluster: 'eu', kind: 'Kustomization' }, 'several 3: no-name'],
    ['none by a cluster alone', { cluster: 'eu' }, 'none'],
    ['none by a namespace alone: every alert has one', { cluster: 'eu', namespace: 'flux-system' }, 'none'],
    ['none by a fingerprint', { fingerprint: '3b15fd163d36582e' }, 'none'],
    ['none by nothing', {}, 'none'],
    ['none by values that a template left empty', { cluster: 'eu', kind: '', name: '<no value>' }, 'none'],
  ])('%s', (_what, params, expected) => {
    expect(matched(params)).toBe(expected);
  });

  it('the object without a cluster where there is only one', () => {
    const { cluster: _any, ...rest } = apps;
    expect(matched(rest, fleet.slice(0, 1))).toBe(appsFound);
  });
});

it('every assumption is said', () => {
  const texts = [
    assumptionText({ type: 'namespace-dropped', namespace: 'monitoring' }),
    assumptionText({ type: 'group-dropped', group: 'sre' }),
    assumptionText({ type: 'cluster-guessed', cluster: 'us', label: 'k8s_cluster' }),
    ...(['no-cluster', 'no-kind', 'no-name'] as const).map((type) => assumptionText({ type })),
  ];
  expect(texts).toEqual([
    'The label namespace is monitoring, where there is none; it may be the namespace of the exporter, and is left out.',
    'The label group is sre, where there is none; it may be no API group, and is left out.',
    'No label cluster was given; k8s_cluster is the name of a cluster, and is taken for it.',
    'No cluster was named: every cluster was searched.',
    'No kind was named: every kind was searched.',
    'No name was given: everything of that kind was searched.',
  ]);
});

it('what is given in all is bounded, whichever way it comes', () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`l${index}`, 'x'.repeat(500)]));
  expect(givenLabels({ ...apps, ...many })).toMatchObject({ labels: [], unread: [{ type: 'too-large' }] });
});

it('a name that is given in the text with another value is said', () => {
  expect(givenLabels({ name: 'a', labels: 'name=b' }).unread).toEqual([{ type: 'differs', name: 'name' }]);
});
