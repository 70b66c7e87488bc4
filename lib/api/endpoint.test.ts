import { expect, it } from 'vitest';
import { addressOf } from './endpoint.ts';

it.each([
  ['/api/v1/objects', {}, '/api/v1/objects'],
  ['/api/v1/objects', { kind: 'A B', cursor: '' }, '/api/v1/objects?kind=A+B&cursor='],
  ['/api/v1/clusters/{name}', { name: 'a/b' }, '/api/v1/clusters/a%2Fb'],
  ['/api/v1/clusters/{name}', { q: 'x', name: 'eu-west-3', at: '1' }, '/api/v1/clusters/eu-west-3?q=x&at=1'],
])('%s is asked with %j at %s', (path, params, address) => {
  expect(addressOf({ path }, params)).toBe(address);
});
