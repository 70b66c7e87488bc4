import { stringify } from 'yaml';
import type { Matcher, Route } from '#lib/domain/alarm/fact.ts';
import type { AlertmanagerConfig, Receiver } from './board.ts';

const http = { follow_redirects: true, enable_http2: true };

/** Addresses of the pagers' hosts, as Alertmanager fills them in. */
const global = {
  resolve_timeout: '5m',
  http_config: http,
  smtp_hello: 'localhost',
  smtp_require_tls: true,
  pagerduty_url: 'https://events.pagerduty.com/v2/enqueue',
  opsgenie_api_url: 'https://api.opsgenie.com/',
  wechat_api_url: 'https://qyapi.weixin.qq.com/cgi-bin/',
  victorops_api_url: 'https://alert.victorops.com/integrations/generic/20131114/alert/',
  telegram_api_url: 'https://api.telegram.org',
  webex_api_url: 'https://webexapis.com/v1/messages',
};

/** A matcher as the configuration has it: `severity="page"`. */
function matcherText({ name, operator, value }: Matcher): string {
  return `${name}${operator}${JSON.stringify(value)}`;
}

function routeOf({ receiver, matchers, continues, routes }: Route, isRoot: boolean): object {
  return {
    receiver,
    ...(isRoot ? { group_by: ['alertname', 'cluster'] } : { matchers: matchers.map(matcherText) }),
    continue: continues,
    ...(routes.length === 0 ? {} : { routes: routes.map((route) => routeOf(route, false)) }),
    ...(isRoot ? { group_wait: '30s', group_interval: '5m', repeat_interval: '4h' } : {}),
  };
}

function receiverOf({ name, integrations }: Receiver): object {
  const filled = Object.entries(integrations).map(([kind, all]) => [
    kind,
    all.map((one) => ({ send_resolved: kind !== 'slack_configs', http_config: http, ...one })),
  ]);
  return { name, ...Object.fromEntries(filled) };
}

/** `config.original` of `/api/v2/status`: the whole configuration as YAML, defaults filled in and secrets hidden. */
export function configText({ route, inhibitions, receivers }: AlertmanagerConfig): string {
  const config = {
    global,
    route: routeOf(route, true),
    inhibit_rules: inhibitions.map(({ source, target, equal }) => ({
      source_matchers: source.map(matcherText),
      target_matchers: target.map(matcherText),
      equal,
    })),
    receivers: receivers.map(receiverOf),
    templates: [],
  };
  return stringify(config, { lineWidth: 0, indentSeq: false, aliasDuplicateObjects: false });
}
