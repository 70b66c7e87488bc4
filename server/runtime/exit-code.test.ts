import { expect, it } from 'vitest';
import { exitCode, isFinal } from './exit-code.ts';

it.each([
  [exitCode.usage, true],
  [exitCode.unavailable, true],
  [exitCode.config, true],
  // A disk can be written again, a bug may not come twice, and what was killed has no code.
  [exitCode.temporary, false],
  [exitCode.software, false],
  [null, false],
])('whether a process that ended with %s would end so again', (code, final) => {
  expect(isFinal(code)).toBe(final);
});
