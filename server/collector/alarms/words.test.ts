import { expect, it } from 'vitest';
import { createLabelReader } from './words.ts';

const read = createLabelReader('cluster');

it('keeps no value of a label whose name says that it is secret, and those that only name a secret', () => {
  const labels = {
    ...{ db_password: 'hunter2', api_token: 'hunter2', token: 'hunter2', apikey: 'hunter2', webhook_url: 'hunter2' },
    ...{ alertname: 'Down', secret: 'db-credentials', key: 'orders', token_bucket: 'a', namespace: 'apps' },
  };
  expect(read({ labels }, 'labels')).toEqual({
    ...{ db_password: '[redacted]', api_token: '[redacted]', token: '[redacted]', apikey: '[redacted]' },
    ...{ webhook_url: '[redacted]', alertname: 'Down', secret: 'db-credentials', key: 'orders', token_bucket: 'a' },
    namespace: 'apps',
  });
});

it('sorts no more labels than so many, and keeps those that name whatever stands before them', () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`l${at}`, 'x']));
  const kept = read({ labels: { ...many, alertname: 'Down', cluster: 'eu' } }, 'labels');
  expect(kept).toMatchObject({ alertname: 'Down', cluster: 'eu' });
  expect(Object.keys(kept)).toHaveLength(64);
  expect(Object.keys(kept).every((name) => name.length <= 'alertname'.length)).toBe(true);
  expect(kept).not.toHaveProperty('l1000');
});
