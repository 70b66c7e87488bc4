import { createHash } from 'node:crypto';
import { silenceState } from './alertmanager.ts';
import { configText } from './alertmanager-config.ts';
import { json, listed, notFound, plain, unknownParameter } from './answer.ts';
import type { Answer, Asked } from './answer.ts';
import type { AlertmanagerBoard, KeptAlert, Silence } from './board.ts';

const versionInfo = {
  branch: 'HEAD',
  buildDate: '20250307-15:05:18',
  buildUser: 'root@simulated',
  goVersion: 'go1.23.7',
  revision: 'b2099eaa2c9ebc25edb26517cb9c732738e93910',
  version: '0.28.1',
};

/** ms since the epoch as Alertmanager's API writes it: always three digits behind the seconds. */
function apiTime(at: number): string {
  return new Date(at).toISOString();
}

function alertOf(alert: KeptAlert): object {
  const { annotations, labels, fingerprint, receivers, silencedBy, inhibitedBy, query } = alert;
  const state = silencedBy.length > 0 || inhibitedBy.length > 0 ? 'suppressed' : 'active';
  return {
    annotations,
    endsAt: apiTime(alert.endsAt),
    fingerprint,
    receivers: receivers.map((name) => ({ name })),
    startsAt: apiTime(alert.startsAt),
    status: { inhibitedBy, mutedBy: [], silencedBy, state },
    updatedAt: apiTime(alert.updatedAt),
    generatorURL: `http://prometheus.acme.example/graph?g0.expr=${encodeURIComponent(query)}&g0.tab=1`,
    labels,
  };
}

function silenceOf(silence: Silence, now: number): object {
  const { id, createdBy, comment, matchers } = silence;
  return {
    id,
    status: { state: silenceState(silence, now) },
    updatedAt: apiTime(silence.updatedAt),
    comment,
    createdBy,
    endsAt: apiTime(silence.endsAt),
    matchers: matchers.map(({ name, operator, value }) => ({
      isEqual: operator === '=' || operator === '=~',
      isRegex: operator === '=~' || operator === '!~',
      name,
      value,
    })),
    startsAt: apiTime(silence.startsAt),
  };
}

const flags = ['active', 'silenced', 'inhibited', 'unprocessed'] as const;

/** Alerts that are asked for: `active`, `silenced`, `inhibited` and `unprocessed` are true unless they are false. */
function alerts(board: AlertmanagerBoard, { params }: Asked): Answer {
  for (const [name, value] of params) {
    if (value !== 'true' && value !== 'false')
      return json({ code: 602, message: `${name} in query must be of type boolean: "${value}"` }, 422);
  }
  const wants = (flag: (typeof flags)[number]): boolean => params.get(flag) !== 'false';
  function* wanted(): Generator<object> {
    for (const alert of board.alerts()) {
      const { silencedBy, inhibitedBy } = alert;
      const isActive = silencedBy.length === 0 && inhibitedBy.length === 0;
      if (isActive && !wants('active')) continue;
      if (silencedBy.length > 0 && !wants('silenced')) continue;
      if (inhibitedBy.length > 0 && !wants('inhibited')) continue;
      yield alertOf(alert);
    }
  }
  return { status: 200, type: 'application/json', body: listed('[', wanted(), ']\n') };
}

function status({ config, startedAt }: AlertmanagerBoard): Answer {
  const id = createHash('sha256').update(String(startedAt)).digest('hex').slice(0, 26).toUpperCase();
  return json({
    cluster: { name: id, peers: [{ address: '10.0.14.9:9094', name: id }], status: 'ready' },
    config: { original: configText(config) },
    uptime: apiTime(startedAt),
    versionInfo,
  });
}

/** Answer of an Alertmanager at `now` (ms). */
export function answerOfAlertmanager(board: AlertmanagerBoard, asked: Asked, now: number): Answer {
  const unknown = unknownParameter(asked, asked.path === '/api/v2/alerts' ? flags : []);
  if (unknown !== null) return json(`the simulator does not know the parameter ${unknown}`, 400);
  switch (asked.path) {
    case '/api/v2/alerts':
      return alerts(board, asked);
    case '/api/v2/silences':
      return json(board.silences().map((silence) => silenceOf(silence, now)));
    case '/api/v2/status':
      return status(board);
    case '/api/v2/receivers':
      return json(board.config.receivers.map(({ name }) => ({ name })));
    case '/-/ready':
      return plain(200, 'OK');
    default:
      return notFound;
  }
}
