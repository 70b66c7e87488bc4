import { describe, expect, it } from 'vitest';
import { addressOf } from './serve-options.ts';

describe.each([
  ['PLUMBLINE_COLLECTOR_PORT', 'collectorPort'],
  ['PLUMBLINE_METRICS_PORT', 'metricsPort'],
] as const)('%s', (variable, name) => {
  it.each([
    [undefined, null],
    ['', null],
    ['0', 0],
    ['9464', 9464],
  ])('is a port of this machine alone where a whole Plumbline is started too: %j', (text, port) => {
    const own = { type: 'ok', collectorPort: null, metricsPort: null, [name]: port };
    expect(addressOf({}, { [variable]: text })).toEqual({ type: 'ok', host: '127.0.0.1', port: 3000, own });
  });

  it.each(['65536', 'x', '-1', '9464 '])('of %j is refused', (text) => {
    const line = `${variable} must be a number from 0 to 65535.`;
    expect(addressOf({}, { [variable]: text })).toEqual({ type: 'refused', line, code: 64 });
  });
});

it.each([
  [
    { PORT: '9464', PLUMBLINE_COLLECTOR_PORT: '9464' },
    'PLUMBLINE_COLLECTOR_PORT and the port of the pages are both 9464',
  ],
  [{ PORT: '9465', PLUMBLINE_METRICS_PORT: '9465' }, 'PLUMBLINE_METRICS_PORT and the port of the pages are both 9465'],
  [
    { PLUMBLINE_COLLECTOR_PORT: '9464', PLUMBLINE_METRICS_PORT: '9464' },
    'PLUMBLINE_METRICS_PORT and PLUMBLINE_COLLECTOR_PORT are both 9464',
  ],
])('two of one port are refused: %j', (environment, words) => {
  expect(addressOf({}, environment)).toEqual({ type: 'refused', line: `${words}: each needs its own.`, code: 64 });
  const free = Object.fromEntries(Object.keys(environment).map((name) => [name, '0']));
  expect(addressOf({}, free).type).toBe('ok');
});
