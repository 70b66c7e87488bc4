import { describe, expect, it } from 'vitest';
import { keepsOf, readRule, selectorsOf } from './selectors.ts';

const prefixes = ['gotk_', 'flux_', 'crossplane_', 'upjet_', 'kube_customresource_', 'argocd_'];
const anyOfThem = '__name__=~"(?:gotk_|flux_|crossplane_|upjet_|kube_customresource_|argocd_).*"';
const info = 'gotk_resource_info';

/** Selectors in short: scope, then its matchers on states behind a bar; null where it could not be taken apart. */
function short(query: string): readonly string[] | null {
  const selectors = selectorsOf(query, prefixes);
  if (selectors === null) return null;
  return selectors.map(({ scope, states }) =>
    [scope, ...states.map(({ name, operator, value }) => `${name}${operator}${value}`)].join(' | '),
  );
}

describe('selectorsOf', () => {
  it.each<[string, string, readonly string[] | null]>([
    // As flux2-monitoring-example and the documents of Flux have them.
    ['an example of Flux', `gotk_resource_info{ready="False"} == 1`, [`${info} | ready=False`]],
    ['every state but True', `gotk_resource_info{ready!="True"}`, [`${info} | ready!=True`]],
    [
      'suspended ones left out',
      `max(gotk_resource_info{ready!="True", suspended!="true"}) by (exported_namespace, name, customresource_kind) == 1`,
      [`${info} | ready!=True | suspended!=true`],
    ],
    [
      'a metric that Flux has removed',
      `max(gotk_reconcile_condition{status="False",type="Ready"}) by (exported_namespace, name, kind) + on(exported_namespace, name, kind) (max(gotk_reconcile_condition{status="Deleted"}) by (exported_namespace, name, kind)) * 2 == 1`,
      ['gotk_reconcile_condition | status=Deleted', 'gotk_reconcile_condition | status=False | type=Ready'],
    ],
    ['suspension', `gotk_suspend_status == 1`, ['gotk_suspend_status']],
    [
      'a duration of passes',
      `histogram_quantile(0.99, sum(rate(gotk_reconcile_duration_seconds_bucket{kind="Kustomization"}[5m])) by (le, kind)) > 60`,
      ['gotk_reconcile_duration_seconds_bucket{kind="Kustomization"}'],
    ],
    [
      'no pass at all',
      `rate(gotk_reconcile_duration_seconds_count[10m]) == 0`,
      ['gotk_reconcile_duration_seconds_count'],
    ],
    [
      'one kind in one namespace',
      `gotk_resource_info{exported_namespace="flux-system",customresource_kind="HelmRelease",ready="False"} > 0`,
      [`${info}{customresource_kind="HelmRelease",exported_namespace="flux-system"} | ready=False`],
    ],
    [
      'kinds by a pattern',
      `gotk_resource_info{customresource_kind=~"Kustomization|HelmRelease",ready!="True"}`,
      [`${info}{customresource_kind=~"Kustomization|HelmRelease"} | ready!=True`],
    ],
    [
      'namespaces left out',
      `gotk_resource_info{exported_namespace!~"dev-.*",ready="False"}`,
      [`${info}{exported_namespace!~"dev-.*"} | ready=False`],
    ],
    [
      'flux-operator',
      `flux_resource_info{ready="False", suspended="False"} > 0`,
      ['flux_resource_info | ready=False | suspended=False'],
    ],
    ['an instance of flux-operator', `flux_instance_info{ready!="True"}`, ['flux_instance_info | ready!=True']],
    // Crossplane.
    [
      'a kind of Crossplane',
      `crossplane_managed_resource_exists - crossplane_managed_resource_ready > 0`,
      ['crossplane_managed_resource_exists', 'crossplane_managed_resource_ready'],
    ],
    [
      'one gvk',
      `crossplane_managed_resource_synced{gvk=~".*Bucket.*"} < on(gvk) crossplane_managed_resource_exists{gvk=~".*Bucket.*"}`,
      [
        'crossplane_managed_resource_exists{gvk=~".*Bucket.*"}',
        'crossplane_managed_resource_synced{gvk=~".*Bucket.*"}',
      ],
    ],
    ['upjet', `increase(upjet_resource_ttr_count[1h]) == 0`, ['upjet_resource_ttr_count']],
    [
      'kube-state-metrics of custom resources',
      `kube_customresource_managed_synced{status="False"} == 1 and on(name) kube_customresource_managed_ready{status="True"} == 1`,
      ['kube_customresource_managed_synced | status=False'],
    ],
    [
      'a state set',
      `kube_customresource_ready{condition="Ready",status="False"}`,
      ['kube_customresource_ready | condition=Ready | status=False'],
    ],
    // Argo CD.
    [
      'Argo CD',
      `sum by (name, dest_server) (argocd_app_info{sync_status!="Synced"}) > 0`,
      ['argocd_app_info | sync_status!=Synced'],
    ],
    // kube-prometheus: nothing of ours.
    [
      'a pod that crashes',
      `max_over_time(kube_pod_container_status_waiting_reason{reason="CrashLoopBackOff", job="kube-state-metrics"}[5m]) >= 1`,
      [],
    ],
    [
      'replicas',
      `(kube_deployment_spec_replicas{job="kube-state-metrics"} > kube_deployment_status_replicas_available{job="kube-state-metrics"}) and (changes(kube_deployment_status_replicas_updated{job="kube-state-metrics"}[10m]) == 0)`,
      [],
    ],
    ['Watchdog', `vector(1)`, []],
    [
      'a target that is down',
      `100 * (count(up == 0) BY (job, namespace, service) / count(up) BY (job, namespace, service)) > 10`,
      [],
    ],
    ['a container of a controller', `absent(up{job="flux"} == 1)`, []],
    // Set operators.
    [
      'unless: its right only takes away',
      `gotk_resource_info{ready="False"} unless on(name) gotk_resource_info{suspended="true",exported_namespace="x"}`,
      [`${info} | ready=False`],
    ],
    [
      'and: its right only takes away',
      `gotk_resource_info{ready="False"} and on(name) flux_resource_info{ready="False"}`,
      [`${info} | ready=False`],
    ],
    [
      'and: its right, where its left has none',
      `vector(1) and on() gotk_resource_info{ready="False"}`,
      [`${info} | ready=False`],
    ],
    [
      'or: both',
      `gotk_resource_info{ready="False"} or gotk_resource_info{ready="Unknown"} or flux_resource_info{ready="False"}`,
      ['flux_resource_info | ready=False', `${info} | ready=False`, `${info} | ready=Unknown`],
    ],
    [
      'group_left: both',
      `gotk_resource_info{ready="False"} * on(exported_namespace) group_left(team) kube_namespace_labels`,
      [`${info} | ready=False`],
    ],
    [
      'group_right with a matching metric of ours',
      `up * on(cluster) group_right() gotk_resource_info{ready="False"}`,
      [`${info} | ready=False`],
    ],
    // Absence.
    ['absent: no object at all is read', `absent(gotk_resource_info{customresource_kind="Kustomization"})`, []],
    [
      'absent of a state',
      `absent(gotk_resource_info{name="apps",ready="True"} == 1)`,
      [`${info}{name="apps"} | ready=True`],
    ],
    ['absent_over_time', `absent_over_time(gotk_resource_info[10m])`, []],
    // Modifiers.
    ['offset', `gotk_resource_info{ready="False"} offset 5m`, [`${info} | ready=False`]],
    ['negative offset', `gotk_resource_info offset -1w`, [info]],
    ['@', `gotk_resource_info{ready="False"} @ 1609746000`, [`${info} | ready=False`]],
    ['@ end()', `max_over_time(gotk_resource_info{ready="False"}[1h] @ end())`, [`${info} | ready=False`]],
    [
      'a subquery',
      `min_over_time((gotk_resource_info{ready!="True"} == 1)[30m:1m] offset 2m) > 0`,
      [`${info} | ready!=True`],
    ],
    ['a sign', `-gotk_resource_info > -1`, [info]],
    ['bool', `gotk_resource_info{ready="True"} == bool 0`, [`${info} | ready=True`]],
    [
      'a comment',
      `# by the platform team\ngotk_resource_info{ready="False"} # until they mend it`,
      [`${info} | ready=False`],
    ],
    [
      'an aggregation over an aggregation',
      `count(count by (name) (gotk_resource_info{ready="False"})) > 3`,
      [`${info} | ready=False`],
    ],
    ['topk', `topk(3, gotk_resource_info{ready="False"})`, [`${info} | ready=False`]],
    [
      'label_replace',
      `label_replace(gotk_resource_info{ready="False"}, "team", "$1", "exported_namespace", "(.*)")`,
      [`${info} | ready=False`],
    ],
    ['changes', `changes(gotk_resource_info{revision=~"main@.*"}[1h]) > 5`, [`${info} | revision=~main@.*`]],
    // Names.
    ['a name among the matchers', `{__name__="gotk_resource_info", ready="False"}`, [`${info} | ready=False`]],
    ['a quoted name', `{"gotk_resource_info", ready="False"}`, [`${info} | ready=False`]],
    [
      'quoted names of UTF-8',
      `{"gotk_resource.info", "k8s.namespace"="flux-system"}`,
      [`{"gotk_resource.info","k8s.namespace"="flux-system"}`],
    ],
    [
      'a pattern of names',
      `{__name__=~"gotk_.*_info", ready="False"}`,
      [`{${anyOfThem},__name__=~"gotk_.*_info"} | ready=False`],
    ],
    [
      'a pattern of names in a group',
      `{__name__=~"(?:flux|gotk)_resource_info"}`,
      [`{__name__=~"(?:flux|gotk)_resource_info",${anyOfThem}}`],
    ],
    ['a pattern of other names', `count({__name__=~"kube_pod_.*", reason="x"})`, []],
    [
      'a pattern of all names, with a state',
      `{__name__=~".+", ready="False"}`,
      [`{${anyOfThem},__name__=~".+"} | ready=False`],
    ],
    ['all series alike', `count({__name__=~".+"}) by (__name__) > 100000`, []],
    [
      'no name, and a kind',
      `{customresource_kind="Kustomization"}`,
      [`{${anyOfThem},customresource_kind="Kustomization"}`],
    ],
    // Texts.
    [
      'quotes',
      `gotk_resource_info{name='a"b',exported_namespace=\`c\\d\`}`,
      [`${info}{exported_namespace="c\\\\d",name="a\\"b"}`],
    ],
    ['escapes', `gotk_resource_info{name="\\u00e9\\x41\\101\\n"}`, [`${info}{name="éAA\\n"}`]],
    [
      'the same matcher twice',
      `gotk_resource_info{name="a",name="a",ready="x",ready="x"}`,
      [`${info}{name="a"} | ready=x`],
    ],
    [
      'another order',
      `gotk_resource_info{name="b",exported_namespace="a"} or gotk_resource_info{exported_namespace="a",name="b"}`,
      [`${info}{exported_namespace="a",name="b"}`],
    ],
    // What is no expression.
    ['nothing', '', null],
    ['words', 'gotk is down', null],
    ['half of one', 'gotk_resource_info{ready=', null],
    ['two of them', 'gotk_resource_info gotk_resource_info', null],
    ['half of a character', 'gotk_resource_info{name="\\ud800"}', null],
    ['bytes that are no UTF-8', 'gotk_resource_info{name="\\xff"}', null],
    ['a wrong escape', 'gotk_resource_info{name="\\q"}', null],
    ['HTML', '<html><body>404</body></html>', null],
    ['signs', '\0\u0001💥{}', null],
    ['a scope too long for an address', `gotk_resource_info{name=~"${'a|'.repeat(1_100)}b"}`, null],
    ['more selectors than people write', Array.from({ length: 65 }, (_, index) => `gotk_a${index}`).join(' or '), null],
  ])('%s', (_what, query, expected) => {
    expect(short(query)).toEqual(expected);
  });

  it.each([
    ['brackets', '('.repeat(100_000)],
    ['closed brackets', `${'('.repeat(50_000)}gotk_a${')'.repeat(50_000)}`],
    ['operators', `gotk_a${' or gotk_a'.repeat(12_000)}`],
    ['signs', `${'-'.repeat(100_000)}gotk_a`],
    ['a pattern', `{__name__=~"${'(a|'.repeat(30_000)}"}`],
    ['alternatives', `{__name__=~"${'gotk_|'.repeat(16_000)}x"}`],
    ['matchers', `gotk_a{${'a="b",'.repeat(16_000)}}`],
    ['quotes', `gotk_a{a="${'\\\\'.repeat(50_000)}"}`],
    ['an open text', `gotk_a{a="${'x'.repeat(100_000)}`],
    ['subqueries', `gotk_a${'[1h:1m]'.repeat(14_000)}`],
    ['more than is read', 'a'.repeat(200_000)],
  ])('100 KB of %s take less than some seconds', (_what, query) => {
    const started = performance.now();
    const { selectors } = readRule(query, prefixes);
    expect(performance.now() - started).toBeLessThan(3_000);
    expect(selectors === null || selectors.length <= 64).toBe(true);
  });

  it.each([
    ['brackets around nothing', '() '.repeat(40_000)],
    ['exclamation marks', '!'.repeat(120_000)],
    ['dots', '.'.repeat(120_000)],
  ])('the first mistake ends it: 120 KB of %s, of which each is one, cost no second', (_what, query) => {
    const started = performance.now();
    expect(selectorsOf(query, prefixes)).toBe(null);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe('keepsOf', () => {
  it.each<[string, readonly string[] | null]>([
    ['gotk_resource_info{ready="False"} == 1', null],
    ['max by (name, exported_namespace) (gotk_resource_info) == 1', ['exported_namespace', 'name']],
    ['max(gotk_resource_info) by (name) > 0', ['name']],
    ['count(gotk_resource_info)', []],
    ['max without (pod) (gotk_resource_info)', null],
    ['max without (pod) (sum by (pod, name) (gotk_resource_info))', ['name']],
    ['topk(3, max by (name) (gotk_resource_info))', ['name']],
    ['topk(3, gotk_resource_info)', null],
    ['count_values by (kind) ("v", gotk_resource_info)', ['kind', 'v']],
    ['quantile by (kind) (0.9, gotk_resource_info)', ['kind']],
    ['1 == max by (name) (gotk_resource_info)', ['name']],
    ['sum by (a) (gotk_a) and on(a) sum by (b) (gotk_b)', ['a']],
    ['sum by (a) (gotk_a) unless gotk_b', ['a']],
    ['sum by (a) (gotk_a) or sum by (b) (gotk_b)', ['a', 'b']],
    ['sum by (a) (gotk_a) or gotk_b', null],
    ['sum by (a, b) (gotk_a) / on(a) sum by (a, c) (gotk_b)', ['a']],
    ['sum by (a, b) (gotk_a) / ignoring(b) sum by (a) (gotk_b)', ['a']],
    ['sum by (a, b) (gotk_a) / on(a) group_left(team) gotk_b', ['a', 'b', 'team']],
    ['gotk_b / on(a) group_right(x) sum by (a) (gotk_a)', ['a', 'x']],
    ['gotk_a / on(a) gotk_b', ['a']],
    ['absent(gotk_resource_info{name="apps",ready!="True"})', ['name']],
    ['label_replace(max by (a) (gotk_a), "b", "$1", "a", "(.*)")', ['a', 'b']],
    ['histogram_quantile(0.99, sum by (le, kind) (rate(gotk_x_bucket[5m])))', ['kind', 'le']],
    ['min_over_time(max by (name) (gotk_a)[30m:1m])', ['name']],
    ['-(max by ("k8s.name") (gotk_a))', ['k8s.name']],
    ['vector(1)', []],
    ['not promql at all', null],
  ])('%s', (query, expected) => {
    expect(keepsOf(query)).toEqual(expected);
  });
});
