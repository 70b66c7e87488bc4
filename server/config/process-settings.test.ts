import { describe, expect, it } from 'vitest';
import {
  bindRefusal,
  type ProcessSettings,
  readPort,
  readProcessSettings,
  settingsEnvironment,
} from './process-settings.ts';

const settings: ProcessSettings = {
  selection: { type: 'contexts', names: ['a', 'b'] },
  dataDirectory: '/var/lib/plumbline',
  host: '127.0.0.1',
  port: 3000,
  collectorPort: null,
  metricsPort: null,
  mode: 'demo',
};

describe('readProcessSettings', () => {
  it('gives back what the supervisor wrote', () => {
    expect(readProcessSettings(settingsEnvironment(settings))).toEqual({ type: 'ok', settings });
  });

  it.each(['0.0.0.0', '::', '10.0.0.1', 'example.org'])('takes no bind on %s, whoever writes it', (host) => {
    const message = bindRefusal(host);
    expect(readProcessSettings(settingsEnvironment({ ...settings, host }))).toMatchObject({ type: 'invalid', message });
  });

  it('takes no settings that somebody else has touched', () => {
    expect(readProcessSettings({ PLUMBLINE_SETTINGS: '{"port":1}' }).type).toBe('invalid');
  });

  it('reads the environment of a container', () => {
    const environment = {
      PLUMBLINE_CONFIG: '/c.yaml',
      PLUMBLINE_DATA: '/data',
      PORT: '8080',
      PLUMBLINE_COLLECTOR_PORT: '9464',
      PLUMBLINE_METRICS_PORT: '9465',
    };
    expect(readProcessSettings(environment)).toEqual({
      type: 'ok',
      settings: {
        selection: { type: 'file', path: '/c.yaml' },
        dataDirectory: '/data',
        host: '127.0.0.1',
        port: 8080,
        collectorPort: 9464,
        metricsPort: 9465,
        mode: 'start',
      },
    });
  });

  it.each([
    ['PLUMBLINE_CONFIG must name the configuration file', {}],
    ['PLUMBLINE_DATA must name the data directory', { PLUMBLINE_CONFIG: '/c' }],
    ['PORT must be a number from 0 to 65535', { PLUMBLINE_CONFIG: '/c', PLUMBLINE_DATA: '/d', PORT: 'x' }],
    [
      'PLUMBLINE_COLLECTOR_PORT must be a number from 0 to 65535',
      { PLUMBLINE_CONFIG: '/c', PLUMBLINE_DATA: '/d', PLUMBLINE_COLLECTOR_PORT: '65536' },
    ],
    [
      'PLUMBLINE_METRICS_PORT must be a number from 0 to 65535',
      { PLUMBLINE_CONFIG: '/c', PLUMBLINE_DATA: '/d', PLUMBLINE_METRICS_PORT: 'x' },
    ],
    [bindRefusal('0.0.0.0'), { PLUMBLINE_CONFIG: '/c', PLUMBLINE_DATA: '/d', PLUMBLINE_HOST: '0.0.0.0' }],
  ])('says: %s', (message, environment) => {
    expect(readProcessSettings(environment)).toMatchObject({ type: 'invalid', message });
  });
});

it.each([
  ['3000', 3000],
  ['0', 0],
  ['65536', null],
  ['-1', null],
  ['3e3', null],
  ['', null],
])('port %j is %s', (text, port) => {
  expect(readPort(text)).toBe(port);
});
