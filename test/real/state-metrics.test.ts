// What `plumbline rules` has kube-state-metrics export, on the real one: with its configuration, and with no right but those of its role.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ForeignObject } from '#lib/foreign.ts';
import { minute } from '#lib/domain/time/length.ts';
import { fleetKinds } from '#server/cli/rules/fleet-kinds.ts';
import { plainNaming } from '#server/cli/rules/cluster-naming.ts';
import { writtenRules } from '#server/cli/rules/rules.ts';
import { seenOn } from '#server/cli/rules/testing.ts';
import { startStateMetrics, type StateMetricsBench } from './alarms/state-metrics-bench.ts';
import { buildPrograms } from './build.ts';
import type { ProgramName } from './programs.ts';
import { notRun } from './report.ts';

const results = await buildPrograms((line) => void process.stdout.write(`  ${line}\n`));
const bringCrds = [
  'kustomize-controller',
  'source-controller',
  'helm-controller',
  'crossplane',
  'provider-nop',
] as const;
const needed: readonly ProgramName[] = ['etcd', 'kube-apiserver', 'kube-state-metrics', ...bringCrds];
const refused = needed.flatMap((name) => {
  const result = results.get(name);
  return result?.type === 'refused' ? [result] : [];
});
const reason = refused.map(({ program, why }) => `${program} could not be built: ${why}`).join('; ');
if (refused.length > 0) await notRun([{ name: 'what kube-state-metrics exports', reason }]);

function binary(name: ProgramName): string {
  const result = results.get(name);
  return result?.type === 'built' ? result.binary : '';
}

const seen = [
  ...seenOn(['bench'], 'flux', 'kustomize.toolkit.fluxcd.io/Kustomization', 'source.toolkit.fluxcd.io/HelmRepository'),
  ...seenOn(['bench'], 'helm', 'helm.toolkit.fluxcd.io/HelmRelease'),
  ...seenOn(
    ['bench'],
    'crossplane',
    'nop.crossplane.io/NopResource',
    'apiextensions.crossplane.io/CompositeResourceDefinition',
  ),
  ...seenOn(['bench'], 'crossplane', 'pkg.crossplane.io/Provider', 'pkg.crossplane.io/ProviderRevision'),
];

function conditions(...of: readonly (readonly [type: string, status: string, reason?: string])[]): ForeignObject[] {
  const lastTransitionTime = '2026-11-29T00:00:00Z';
  return of.map(([type, status, why = 'Known']) => ({ type, status, reason: why, message: '', lastTransitionTime }));
}

const inApps = (name: string) => ({ name, namespace: 'apps' });

function kustomization(name: string, suspend: boolean) {
  const sourceRef = { kind: 'GitRepository', name: 'fleet' };
  const spec = { interval: '1m', prune: true, suspend, sourceRef };
  return { apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization', metadata: inApps(name), spec };
}

describe.skipIf(refused.length > 0)('kube-state-metrics exports', () => {
  let bench: StateMetricsBench;
  beforeAll(async () => {
    const policy = { alarmWithin: 15 * minute, publicUrl: null, naming: plainNaming };
    const { files } = await writtenRules(fleetKinds([], seen, false), policy, 'prometheus', false);
    const crds = bringCrds.flatMap((name) => {
      const result = results.get(name);
      return result?.type === 'built' && result.crds !== null ? [result.crds] : [];
    });
    const programs = { etcd: binary('etcd'), apiServer: binary('kube-apiserver'), crds };
    bench = await startStateMetrics({ ...programs, stateMetrics: binary('kube-state-metrics') }, files);
  }, 120_000);
  afterAll(() => bench?.stop());

  it('one series an object, of every kind, with what its conditions say as labels', async () => {
    await bench.put(kustomization('checkout', false), {
      conditions: conditions(['Ready', 'False']),
      lastAppliedRevision: 'main@sha1:2d81a0c4',
    });
    await bench.put(kustomization('born', true), null);
    const oci = { type: 'oci', url: 'oci://charts.example.org/apps' };
    const charts = { apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'HelmRepository', metadata: inApps('charts') };
    await bench.put({ ...charts, spec: oci }, null);
    const chart = { spec: { chart: 'cart', sourceRef: { kind: 'HelmRepository', name: 'charts' } } };
    const release = { apiVersion: 'helm.toolkit.fluxcd.io/v2', kind: 'HelmRelease', metadata: inApps('cart') };
    const deployed = { firstDeployed: '2026-11-29T00:00:00Z', lastDeployed: '2026-11-29T00:00:00Z', version: 1 };
    await bench.put(
      { ...release, spec: { interval: '1m', chart } },
      {
        conditions: conditions(['Ready', 'True']),
        history: [
          {
            ...deployed,
            ...inApps('cart'),
            digest: 'sha256:1',
            configDigest: 'sha256:2',
            status: 'deployed',
            chartName: 'cart',
            chartVersion: '1.2.3',
          },
        ],
      },
    );
    const nop = { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', metadata: inApps('bucket') };
    const paused = conditions(['Synced', 'False', 'ReconcilePaused']);
    await bench.put({ ...nop, spec: { forProvider: {} } }, { conditions: paused });
    const annotations = { 'crossplane.io/paused': 'true' };
    const provider = { apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata: { name: 'nop', annotations } };
    const installed = conditions(['Installed', 'True'], ['Healthy', 'False']);
    await bench.put({ ...provider, spec: { package: 'charts.example.org/nop:v1' } }, { conditions: installed });
    expect(await bench.series(6)).toMatchInlineSnapshot(`
      [
        "crossplane_package_info{customresource_group="pkg.crossplane.io",customresource_kind="Provider",customresource_version="v1",healthy="False",installed="True",name="nop",paused="true"} 1",
        "crossplane_resource_info{customresource_group="nop.crossplane.io",customresource_kind="NopResource",customresource_version="v1alpha1",exported_namespace="apps",name="bucket",synced="False",synced_reason="ReconcilePaused"} 1",
        "gotk_resource_info{chart_name="cart",chart_source_name="charts",customresource_group="helm.toolkit.fluxcd.io",customresource_kind="HelmRelease",customresource_version="v2",exported_namespace="apps",name="cart",ready="True",revision="1.2.3"} 1",
        "gotk_resource_info{customresource_group="kustomize.toolkit.fluxcd.io",customresource_kind="Kustomization",customresource_version="v1",exported_namespace="apps",name="born",source_name="fleet",suspended="true"} 1",
        "gotk_resource_info{customresource_group="kustomize.toolkit.fluxcd.io",customresource_kind="Kustomization",customresource_version="v1",exported_namespace="apps",name="checkout",ready="False",revision="main@sha1:2d81a0c4",source_name="fleet",suspended="false"} 1",
        "gotk_resource_info{customresource_group="source.toolkit.fluxcd.io",customresource_kind="HelmRepository",customresource_version="v1",exported_namespace="apps",name="charts",type="oci"} 1",
      ]
    `);
  }, 60_000);
});
