import { expect, it } from 'vitest';
import { addressOf } from './serve-options.ts';

it.each([
  [undefined, null],
  ['', null],
  ['0', 0],
  ['9464', 9464],
])(
  'the collector tells its health on PLUMBLINE_COLLECTOR_PORT where a whole Plumbline is started too: %j',
  (port, collectorPort) => {
    const environment = { PLUMBLINE_COLLECTOR_PORT: port };
    expect(addressOf({}, environment)).toEqual({ type: 'ok', host: '127.0.0.1', port: 3000, collectorPort });
  },
);

it.each(['65536', 'x', '-1', '9464 '])('a PLUMBLINE_COLLECTOR_PORT of %j is refused', (port) => {
  expect(addressOf({}, { PLUMBLINE_COLLECTOR_PORT: port })).toEqual({
    type: 'refused',
    line: 'PLUMBLINE_COLLECTOR_PORT must be a number from 0 to 65535.',
    code: 64,
  });
});
