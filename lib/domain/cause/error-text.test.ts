import { expect, it } from 'vitest';
import { errorText } from './error-text.ts';

it.each([
  ['create failed: cannot create\nmore of it', 'create failed: cannot create'],
  ['async update failed: api error AccessDenied: not allowed', 'async update failed: AccessDenied'],
  ['observe failed: error code: Forbidden', 'observe failed: Forbidden'],
  ['observe failed: code="NotFound"', 'observe failed: NotFound'],
  ['api error Throttling', 'api error Throttling: Throttling'],
  ['x'.repeat(90), 'x'.repeat(90)],
  ['x'.repeat(91), `${'x'.repeat(89)}…`],
])('%j is told as %j', (message, text) => {
  expect(errorText(message)).toBe(text);
});
