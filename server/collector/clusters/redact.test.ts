import { describe, expect, it } from 'vitest';
import { redact } from './redact.ts';

describe('redact', () => {
  it.each([
    ['Get "https://user:hunter2@example.org/x": EOF', 'hunter2'],
    ['Authorization: Bearer abc1.def-ghi', 'abc1.def'],
    ['token eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrd.c2ln is expired', 'eyJpc3MiOiJrd'],
    ['k8s-aws-v1.aHR0cHM6Ly9zdHM', 'aHR0cHM6Ly9zdHM'],
    ['password=hunter2, user=x', 'hunter2'],
    ['{"secret": "hunter2"}', 'hunter2'],
    ['push with ghp_hunter2hunter2hunter2 failed', 'hunter2'],
    ['-----BEGIN EC PRIVATE KEY-----\nhunter2\n-----END EC PRIVATE KEY-----', 'hunter2'],
    [`data ${'hunter2ABcDe9'.repeat(9)} end`, 'hunter2A'],
  ])('takes the secret out of %j', (text, secret) => {
    expect(redact(text)).not.toContain(secret);
  });

  it.each([
    'kustomizations.kustomize.toolkit.fluxcd.io is forbidden: User "system:serviceaccount:plumbline:reader" cannot list resource',
    'no answer to a ping within 15 s',
    'ConfigMap/apps/shared configured',
    `digest sha256:${'0a'.repeat(32)} of clusters/production/eu-west-3/platform/networking/ingress-controllers/overlays/blue`,
    'stored artifact for revision main@sha1:9f31c07d1a2b3c4d5e6f708192a3b4c5d6e7f809',
  ])('leaves %j as it is', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('gives one line of at most 300 characters', () => {
    expect(redact('a b\n\tc')).toBe('a b c');
    expect(redact('word '.repeat(100))).toHaveLength(300);
    const whole = 'word '.repeat(60).trimEnd();
    expect(redact(`${whole}.`)).toBe(`${whole}.`);
    expect(redact(`${whole}..`)).toBe(`${whole}…`);
  });
});
