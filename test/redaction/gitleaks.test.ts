import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parseForeign, textAt, textsAt } from '#lib/foreign.ts';
import { redact } from '#lib/domain/observation/redact.ts';
import { gitleaksRules, gitleaksVersion } from '#lib/domain/observation/redaction/gitleaks-rules.ts';

const file = path.join(import.meta.dirname, 'gitleaks.jsonl.gz');

/** Secrets that a rule of gitleaks found in a text of its own tests. */
const fixtures = gunzipSync(readFileSync(file))
  .toString('utf8')
  .trimEnd()
  .split('\n')
  .map((line) => parseForeign(line))
  .map((whole) => ({
    rule: textAt(whole, 'rule') ?? '',
    text: textAt(whole, 'text') ?? '',
    secrets: textsAt(whole, 'secrets'),
  }));

/** Fixtures that are not found, by rule, and why. */
const known = new Map([
  ['sonar-api-token', 1], // SONAR.LOGIN: "login" names people in messages
  ['sumologic-access-id', 1], // an id, no secret
]);

describe(`rules of gitleaks ${gitleaksVersion}`, () => {
  it('are there with fixtures, and each finds its own', () => {
    expect(gitleaksRules.length).toBeGreaterThan(100);
    const without = gitleaksRules.filter(
      ({ id, secret }) => !fixtures.some(({ rule, text }) => rule === id && text.search(secret) !== -1),
    );
    expect(without.map(({ id }) => id)).toEqual([]);
  });

  it('name words without which a text holds nothing for them', () => {
    const wrong = gitleaksRules.filter(({ id, words, secret }) =>
      fixtures
        .filter(({ rule, text }) => rule === id && text.search(secret) !== -1)
        .some(({ text }) => !words.some((word) => text.toLowerCase().includes(word))),
    );
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it('and what stands in for those that were not taken find every fixture but those that are known', () => {
    const missed = fixtures.filter(({ text, secrets }) =>
      secrets.some((secret) => redact(text, 8192).includes(secret)),
    );
    const byRule = Map.groupBy(missed, ({ rule }) => rule);
    expect(new Map([...byRule].map(([rule, list]) => [rule, list.length]))).toEqual(known);
  });

  it('find them within escaped JSON too', () => {
    const missed = fixtures.filter(
      ({ text, secrets }) =>
        secrets.every((secret) => /^[\w-]+$/.test(secret)) &&
        secrets.some((secret) => redact(JSON.stringify({ error: text }), 16_384).includes(secret)),
    );
    expect(new Set(missed.map(({ rule }) => rule))).toEqual(new Set(known.keys()));
  });
});
