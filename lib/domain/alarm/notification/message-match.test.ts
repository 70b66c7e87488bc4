import { expect, it } from 'vitest';
import { messageMatches as matchesWithin } from './message-match.ts';

const messageMatches = (pattern: string, text: string) => matchesWithin(pattern, text, { left: 50_000 });

const message = 'Health check failed after 30s\ntimeout waiting for: [Deployment/apps/orders status: InProgress]';

it.each([
  ['Health check', true],
  ['health check', false],
  ['timeout waiting', true],
  ['^Health', true],
  ['^timeout', false],
  ['InProgress\\]$', true],
  ['30s$', false],
  ['check.*30s', true],
  ['30s.*timeout', false],
  ['30s.timeout', false],
  ['nothing|Deployment', true],
  ['(nothing|Deployment)', true],
  ['(?:nothing|nobody)', false],
  ['^nothing|^Health', true],
  ['', null],
  ['^', null],
  ['[A-Z]ealth', null],
  ['Healthy?', null],
  ['(?i)HEALTH', null],
  ['Health(y|z)', null],
  ['\\d+s', null],
  ['(nothing', null],
])('the pattern %s matches a part of the message: %s', (pattern, matches) => {
  expect(messageMatches(pattern, message)).toBe(matches);
});

it.each(['', 'cut off here…', 'the token [redacted] was refused'])(
  'no pattern is known not to match a message that is not whole: %j',
  (partly) => {
    expect(messageMatches('nothing', partly)).toBeNull();
    expect(messageMatches('cut|token', partly)).toBe(partly === '' ? null : true);
  },
);

it('takes no longer for a pattern that is made to take long', () => {
  expect(messageMatches(`${'.*a'.repeat(300)}b`, 'a'.repeat(1_024))).toBe(false);
  expect(messageMatches('(a+)+$', 'a'.repeat(1_024))).toBeNull();
});

it('holds no more lines against alternatives than there are letters left for', () => {
  const looking = { left: 50_000 };
  expect(matchesWithin('y|'.repeat(2_000), 'a\n'.repeat(500), looking)).toBeNull();
  expect(looking.left).toBeLessThan(0);
  expect(matchesWithin('a', 'a', looking)).toBeNull();
});
