/** Answer of a sick alarm source to a path, as JSON; null where it answers as one that is well and has nothing. */
export type SourceSickness = (path: string, reading: number) => string | null;

/** Words that every rule of the redaction looks at. */
const nasty = (length: number, at: number): string =>
  `p${at}: password=x token: "a" https://u:p@h/ Authorization Basic YWJj -----BEGIN `
    .repeat(Math.ceil(length / 60))
    .slice(0, length);

function many<Made>(count: number, make: (at: number) => Made): Made[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

const rules = (list: readonly unknown[]): string =>
  JSON.stringify({ status: 'success', data: { groups: [{ name: 'g', file: 'f', interval: 30, rules: list }] } });

const status = (config: unknown): string => JSON.stringify({ config });

const receivers = [{ name: 'oncall', pagerduty_configs: [{}] }];

function notice(at: number, labels: Readonly<Record<string, string>>): object {
  return {
    ...{ fingerprint: `f${at}`, startsAt: '2026-11-21T01:55:00Z', receivers: [{ name: 'oncall' }], labels },
    status: { state: 'active', silencedBy: [], inhibitedBy: [], mutedBy: [] },
  };
}

const letters = `.*${'a'.repeat(500)}b`;
const times = { startsAt: '2026-11-21T01:00:00Z', endsAt: '2026-11-29T05:00:00Z' };

/** Made once, and then again and again. */
function once(make: () => string): () => string {
  let made: string | null = null;
  return () => (made ??= make());
}

function at(path: string, make: () => string): SourceSickness {
  const kept = once(make);
  return (asked) => (asked === path ? kept() : null);
}

const longLabels = Object.fromEntries(many(60, (part) => [`l${part}`, 'ж'.repeat(500)]));

/** Every way in which an alarm source is known to be hostile, by its name. */
export const sourceSicknesses: Readonly<Record<string, SourceSickness>> = {
  'a matcher of a thousand blanks': at('/api/v2/status', () =>
    status({ original: `route: { receiver: a, matchers: ['a=${' '.repeat(19_000)}"x'] }` }),
  ),
  'routes that look at each letter again and again': (() => {
    const matchers = many(20, () => `x!~"${letters}"`);
    const timed = { receiver: 'oncall', matchers, continue: true, mute_time_intervals: ['nights'] };
    const config = once(() => status({ route: { receiver: 'oncall', routes: many(2_000, () => timed) }, receivers }));
    const held = once(() =>
      JSON.stringify(many(5_000, (one) => notice(one, { alertname: 'A', x: 'a'.repeat(1_000) }))),
    );
    return (path) => (path === '/api/v2/status' ? config() : path === '/api/v2/alerts' ? held() : null);
  })(),
  'silences of words that are dear to clean': at('/api/v2/silences', () =>
    JSON.stringify(
      many(4_000, (one) => ({
        ...{ id: `s${one}`, status: { state: 'active' }, ...times },
        matchers: many(64, (part) => ({ name: 'a', value: nasty(150, one * 64 + part) })),
      })),
    ),
  ),
  'states of silences that are dear to clean': at('/api/v2/silences', () =>
    JSON.stringify(many(100_000, (one) => ({ id: `s${one}`, status: { state: nasty(400, one) } }))),
  ),
  'types of rules that are dear to clean': at('/api/v1/rules', () =>
    rules(many(100_000, (one) => ({ type: nasty(400, one) }))),
  ),
  'four hundred thousand silences': at('/api/v2/silences', () =>
    JSON.stringify(many(400_000, (one) => ({ id: `s${one}`, status: { state: 'active' }, ...times, matchers: [] }))),
  ),
  'an alert of two million labels': at('/api/v2/alerts', () =>
    JSON.stringify([notice(1, Object.fromEntries(many(2_000_000, (one) => [`l${one}`, 'x'])))]),
  ),
  'other long alerts at each reading': (path, reading) =>
    path === '/api/v2/alerts'
      ? JSON.stringify(many(300, (one) => notice(reading * 1_000 + one, longLabels)))
      : path === '/api/v2/status'
        ? status({ route: { receiver: 'oncall' }, receivers })
        : null,
  'a kind for each of its series': (() => {
    const asked = many(49, (one) => ({ type: 'alerting', name: `A${one}`, query: `gotk_${one} == 1`, health: 'ok' }));
    const series = once(() =>
      JSON.stringify({
        status: 'success',
        data: { resultType: 'vector', result: many(600_000, (one) => ({ metric: { name: 'x', kind: `k${one}` } })) },
      }),
    );
    return (path) => (path === '/api/v1/rules' ? rules(asked) : path === '/api/v1/query' ? series() : null);
  })(),
  'fifty thousand other alerts of a rule of a long name at each reading': (path, reading) =>
    path === '/api/v1/rules'
      ? rules([
          {
            ...{ type: 'alerting', name: 'n'.repeat(1_000), query: 'up', duration: 0, health: 'ok' },
            alerts: many(50_000, (one) => ({
              ...{ labels: { a: `${reading} ${one}` }, state: 'firing', activeAt: '2026-11-21T01:55:00Z' },
            })),
          },
        ])
      : null,
  'long rules that are told anew at each reading': (path, reading) =>
    path === '/api/v1/rules'
      ? rules(
          many(300, (one) => ({
            ...{ type: 'alerting', name: `A${one}`, query: `up == ${reading}`, duration: 0, health: 'ok' },
            labels: longLabels,
          })),
        )
      : null,
};

const nothing: Readonly<Record<string, string>> = {
  '/api/v1/rules': rules([]),
  '/api/v1/query': JSON.stringify({ status: 'success', data: { resultType: 'vector', result: [] } }),
  '/api/v2/status': status({ route: { receiver: 'a' } }),
};

/** The answer to a path by a source that is well and has nothing. */
export function nothingSaid(path: string): string {
  return nothing[path] ?? '[]';
}
