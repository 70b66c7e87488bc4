import { expect, it } from 'vitest';
import { foreignUrl } from '#lib/foreign-words.ts';
import { silentLog } from '#server/runtime/log.ts';
import { configuredKeys } from './configured-keys.ts';

const secretive = (letter: string): string => `https://git.example.org/glpat-${letter.repeat(20)}/control.git`;

it('a repository has the key that objects of the fleet name it by', () => {
  const url = secretive('a');
  const keys = configuredKeys([{ url }, { url: 'https://u:p@git.example.org/acme/x.git' }], silentLog);
  expect(foreignUrl(url)).not.toBe(url);
  expect(keys.asked(foreignUrl(url))).toBe(keys.own(url));
  expect(keys.asked('ssh://git@git.example.org/acme/x')).toBe('git.example.org/acme/x');
  expect(keys.own('https://u:p@git.example.org/acme/x.git')).toBe('git.example.org/acme/x');
});

it('two that are told by the same address do not meet, and what both may be is neither', () => {
  const said: string[] = [];
  const [a, b] = [secretive('a'), secretive('b')];
  const log = { ...silentLog, warn: (_: object, words: string) => void said.push(words) };
  const keys = configuredKeys([{ url: a }, { url: b }], log);
  expect(said).toHaveLength(1);
  expect(keys.own(a)).not.toBe(keys.own(b));
  expect(keys.asked(keys.own(a))).toBe(keys.own(a));
  const shared = keys.asked(foreignUrl(a));
  expect([keys.own(a), keys.own(b)]).not.toContain(shared);
  expect(keys.isConfigured(shared)).toBe(true);
  expect(keys.own(a)).not.toContain('aaaa');
});

it('one that is named twice is one', () => {
  const keys = configuredKeys([{ url: secretive('a') }, { url: `${secretive('a')}/` }], silentLog);
  expect(keys.own(secretive('a'))).not.toContain('#');
});
