import type { Asked } from '../asking/asked.ts';

/** A rule as Prometheus answers it. */
export function ruleAnswer(given: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return {
    type: 'alerting',
    name: 'FluxFailing',
    query: 'gotk_resource_info{ready!="True"} == 1',
    duration: 300,
    keepFiringFor: 0,
    labels: { severity: 'page' },
    annotations: { summary: 'password=hunter2secret' },
    alerts: [],
    health: 'ok',
    evaluationTime: 0.0004,
    lastEvaluation: '2026-11-21T01:59:50.123456789Z',
    state: 'inactive',
    ...given,
  };
}

/** An alert as Prometheus answers it beneath its rule. */
export function alertAnswer(given: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return {
    labels: { alertname: 'FluxFailing', name: 'apps', exported_namespace: 'flux-system' },
    annotations: { summary: 'x' },
    state: 'firing',
    activeAt: '2026-11-21T01:50:00Z',
    value: '1e+00',
    ...given,
  };
}

/** An answer to /api/v1/rules of one group. */
export function rulesAnswer(rules: readonly unknown[], group: Readonly<Record<string, unknown>> = {}): unknown {
  const one = { name: 'flux', file: '/etc/prometheus/rules/flux.yaml', interval: 30, limit: 0, rules, ...group };
  return { status: 'success', data: { groups: [one] } };
}

/** An answer to /api/v1/query of series that have these labels. */
export function vectorAnswer(series: readonly Readonly<Record<string, string>>[]): unknown {
  const result = series.map((metric) => ({ metric, value: [1_763_690_400, '1'] }));
  return { status: 'success', data: { resultType: 'vector', result } };
}

/** An alert as Alertmanager answers it. */
export function noticeAnswer(given: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return {
    annotations: { summary: 'x' },
    endsAt: '2026-11-21T02:04:00Z',
    fingerprint: '3b15fd163d36582e',
    receivers: [{ name: 'oncall' }],
    startsAt: '2026-11-21T01:55:00Z',
    status: { inhibitedBy: [], silencedBy: [], mutedBy: [], state: 'active' },
    updatedAt: '2026-11-21T02:00:00Z',
    generatorURL: 'http://prometheus/graph',
    labels: { alertname: 'FluxFailing', cluster: 'eu', name: 'apps' },
    ...given,
  };
}

/** An answer to /api/v2/status with this configuration. */
export function statusAnswer(original: string): unknown {
  return { cluster: { status: 'disabled' }, config: { original }, uptime: '2026-11-21T00:00:00Z' };
}

/** A configuration whose receiver `oncall` calls somebody, and whose other calls nobody. */
export const callingConfig = `route: { receiver: nobody, routes: [{ receiver: oncall, matchers: ['severity="page"'] }] }
receivers: [{ name: nobody }, { name: oncall, pagerduty_configs: [{ routing_key: <secret> }] }]
`;

/** An answer that was parsed. */
export function answered(body: unknown): Asked {
  return { type: 'ok', body };
}
