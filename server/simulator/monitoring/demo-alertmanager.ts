import type { Labels, Matcher, Route } from '#lib/domain/alarm/fact.ts';
import { day, hour, minute } from '#lib/domain/time/length.ts';
import type { AlertmanagerConfig, SentAlert, Silence } from './board.ts';
import { mistakes, silenced } from './demo-intention.ts';
import { ruleNames } from './demo-rules.ts';

/** Names of receivers. */
const names = { oncall: 'oncall', channel: 'platform-channel', deadman: 'deadman', nobody: 'nobody' } as const;

function is(name: string, value: string): Matcher {
  return { name, operator: '=', value };
}

function routeTo(receiver: string, matchers: readonly Matcher[]): Route {
  return { receiver, matchers, continues: false, isWhole: true, routes: [] };
}

const hidden = '<secret>';

/** Configuration of the demo's Alertmanager: what no route takes ends at a receiver that calls nobody. */
export const demoConfig: AlertmanagerConfig = {
  route: {
    receiver: names.nobody,
    matchers: [],
    continues: false,
    isWhole: true,
    routes: [
      routeTo(names.deadman, [is('alertname', ruleNames.watchdog)]),
      routeTo(names.oncall, [is('severity', 'page')]),
      routeTo(names.channel, [is('severity', 'ticket')]),
    ],
  },
  inhibitions: [
    {
      source: [is('alertname', ruleNames.drained)],
      target: [is('alertname', ruleNames.production)],
      equal: ['cluster'],
    },
    // The shop waits for the checkout: one call is enough.
    {
      source: [is('alertname', ruleNames.production), is('name', 'checkout')],
      target: [is('alertname', ruleNames.production), is('name', 'web')],
      equal: ['cluster', 'exported_namespace'],
    },
  ],
  receivers: [
    { name: names.nobody, integrations: {} },
    {
      name: names.oncall,
      integrations: {
        pagerduty_configs: [
          {
            routing_key: hidden,
            url: 'https://events.pagerduty.com/v2/enqueue',
            client: '{{ template "pagerduty.default.client" . }}',
            client_url: '{{ template "pagerduty.default.clientURL" . }}',
            description: '{{ template "pagerduty.default.description" .}}',
          },
        ],
      },
    },
    {
      name: names.channel,
      integrations: { slack_configs: [{ api_url: hidden, channel: '#platform', username: 'alertmanager' }] },
    },
    { name: names.deadman, integrations: { webhook_configs: [{ url: hidden, max_alerts: 0 }] } },
  ],
};

/** Silences of the demo at its start (ms): one that is needed, one that outlived its reason, one that is over. */
export function demoSilences(startedAt: number): readonly Silence[] {
  const made = (ago: number): Pick<Silence, 'startsAt' | 'updatedAt'> => ({
    startsAt: startedAt - ago,
    updatedAt: startedAt - ago,
  });
  const [needless] = mistakes.silences;
  return [
    {
      id: '8b1f6d0e-52a4-4c7b-9f7e-3d2f1a6c9e41',
      matchers: [is('cluster', silenced.cluster), is('name', silenced.name)],
      ...made(18 * minute),
      endsAt: startedAt + 2 * hour,
      createdBy: 'tomasz',
      comment: 'search warms its index, this takes its time',
    },
    {
      id: needless.id,
      matchers: [
        is('cluster', needless.cluster),
        { name: 'customresource_kind', operator: '=~', value: 'Kustomization|HelmRelease' },
        is('name', needless.name),
      ],
      ...made(9 * day),
      endsAt: startedAt + 21 * day,
      createdBy: 'priya',
      comment: 'until ingress-nginx 4.11 is rolled back',
    },
    {
      id: 'c2a0f5b8-0c33-4e0d-b6a1-5a4b7f0e9d77',
      matchers: [is('cluster', 'stg-us'), is('name', 'accounts')],
      ...made(3 * day),
      endsAt: startedAt - 2 * day,
      createdBy: 'ines',
      comment: 'move of the session store',
    },
  ];
}

/** Labels that the demo's Prometheus adds to what it sends. */
export const externalLabels: Labels = { prometheus: 'fleet', replica: 'a' };

/** Its alert_relabel_configs drop what a team had to itself before it went on call with the others. */
export function isDropped(labels: Labels): boolean {
  return labels['team'] === 'cloud';
}

/** Alerts that somebody sent by hand when a Prometheus was moved, with an end of two weeks later. */
export function leftAlerts(startedAt: number): readonly SentAlert[] {
  return mistakes.orphans.map(({ cluster, kind, name }) => ({
    labels: {
      alertname: ruleNames.production,
      cluster,
      customresource_group: 'kustomize.toolkit.fluxcd.io',
      customresource_kind: kind,
      exported_namespace: 'flux-system',
      name,
      prometheus: 'fleet-old',
      severity: 'page',
    },
    annotations: { summary: `${kind} ${name} on ${cluster} is not ready` },
    startsAt: startedAt - 3 * day,
    endsAt: startedAt + 11 * day,
    query: 'gotk_resource_info{ready!="True"} == 1',
  }));
}
