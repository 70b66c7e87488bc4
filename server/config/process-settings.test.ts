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

describe('a bind', () => {
  const auth = {};
  const publicUrl = 'https://plumbline.example.org';

  it.each([
    ['no auth', { auth: null, publicUrl }, 'plumbline.yaml has no auth. '],
    ['no publicUrl', { auth, publicUrl: null }, 'plumbline.yaml has no publicUrl. '],
    ['neither', { auth: null, publicUrl: null }, 'plumbline.yaml has no auth and no publicUrl. '],
  ])('beyond this machine is refused with %s', (_what, openness, words) => {
    for (const host of ['0.0.0.0', '::', '10.0.0.1', 'example.org'])
      expect(bindRefusal(host, openness)).toContain(`refusing to serve on ${host}: `);
    expect(bindRefusal('0.0.0.0', openness)).toContain(words);
    expect(bindRefusal('127.0.0.1', openness)).toBeNull();
  });

  it('beyond this machine is taken with both', () => expect(bindRefusal('0.0.0.0', { auth, publicUrl })).toBeNull());
});
