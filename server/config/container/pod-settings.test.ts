import { expect, it } from 'vitest';
import { podVariableRefusal, readPodSettings } from './pod-settings.ts';

it.each([
  [{}, { type: 'ok', pod: null }],
  [{ PLUMBLINE_POD_PORT: '' }, { type: 'ok', pod: null }],
  [{ PLUMBLINE_POD_PORT: '9466' }, { type: 'ok', pod: { port: 9466, scrapeToken: null } }],
  [
    { PLUMBLINE_POD_PORT: '9466', PLUMBLINE_SCRAPE_TOKEN: '/etc/plumbline-scrape/token' },
    { type: 'ok', pod: { port: 9466, scrapeToken: '/etc/plumbline-scrape/token' } },
  ],
  [
    { PLUMBLINE_POD_PORT: '65536' },
    { type: 'invalid', message: 'PLUMBLINE_POD_PORT must be a number from 0 to 65535' },
  ],
  [
    { PLUMBLINE_SCRAPE_TOKEN: '/token' },
    { type: 'invalid', message: 'PLUMBLINE_SCRAPE_TOKEN needs PLUMBLINE_POD_PORT: it guards /metrics there' },
  ],
])('%j is read as %j', (environment, settings) => {
  expect(readPodSettings(environment)).toEqual(settings);
});

it('is refused where several processes share one environment', () => {
  expect(podVariableRefusal({ PLUMBLINE_METRICS_PORT: '1' })).toBe(null);
  expect(podVariableRefusal({ PLUMBLINE_POD_PORT: '9466' })).toBe(
    'PLUMBLINE_POD_PORT is for a process that has a container of its own: unset it here',
  );
});
