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
