import { expect, it } from 'vitest';
import { faultText } from './feed-text.ts';

it.each([
  ['connect ECONNREFUSED 127.0.0.1:46813', 'the connection is refused'],
  ['read ECONNRESET', 'the connection was cut'],
  ['The session has been destroyed', 'the connection was cut'],
  ['getaddrinfo ENOTFOUND eu-west-3.example.org', 'its name cannot be resolved'],
  ['connect EHOSTUNREACH 10.0.0.1:6443', 'no route leads to it'],
  ['no answer', 'no answer'],
])('%s', (message, words) => {
  expect(faultText({ type: 'unreachable', message })).toBe(words);
});

it('leaves what a server says as it is', () => {
  expect(faultText({ type: 'forbidden', message: 'kustomizations is forbidden: ETIMEDOUT' })).toContain('forbidden');
});
