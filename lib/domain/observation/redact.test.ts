import { describe, expect, it } from 'vitest';
import { longestMessage, redact, redactUrl } from './redact.ts';

const secrets: readonly (readonly [string, string, string])[] = [
  [
    'user information in a URL',
    "unable to clone 'https://bot:hunter2canary@git.example.org/acme/control.git'",
    'hunter2canary',
  ],
  ['user information with an @ in it', 'ssh://git:p@ss-canary@git.example.org/x', 'p@ss-canary'],
  ['user information without a password', 'https://canarytoken123@dev.azure.com/acme', 'canarytoken123'],
  ['a bearer value', 'request failed: Authorization: Bearer abc.DEF-canary9', 'abc.DEF-canary9'],
  ['a basic value', 'sent Basic dXNlcjpjYW5hcnk=', 'dXNlcjpjYW5hcnk='],
  ['a password by its name', 'login failed: password=canary-secret, retrying', 'canary-secret'],
  ['a quoted password with spaces', 'password: "canary with spaces" was refused', 'canary with spaces'],
  ['a name with a prefix and a suffix', 'db_password_value: canaryvalue', 'canaryvalue'],
  ['JSON', '{"client_secret":"canary!value","name":"x"}', 'canary!value'],
  ['a signature in a query', 'GET https://x.blob.core.windows.net/c?sv=2020&sig=canary%2Bvalue: 403', 'canary%2Bvalue'],
  ['an AWS key id', 'InvalidClientTokenId for AKIAIOSFODNN7CANARY: 403', 'AKIAIOSFODNN7CANARY'],
  [
    'an AWS secret key',
    'key wJalrXUtnFEMI/K7MDENG/bPxRfiCYCANARYKEY is wrong',
    'wJalrXUtnFEMI/K7MDENG/bPxRfiCYCANARYKEY',
  ],
  ['a GitHub token', 'with ghp_16C7e42F292c6912E7710c838347Ae178B4a', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'],
  ['a GitLab token', 'with glpat-canary0123456789xy', 'glpat-canary0123456789xy'],
  ['a JWT', 'token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJl is expired', 'eyJzdWIiOiJjYW5hcnkifQ'],
  [
    'long base64',
    'value Y2FuYXJ5IGNhbmFyeSBjYW5hcnkgY2FuYXJ5IDEyMzQ1Njc4OTA= is invalid',
    'Y2FuYXJ5IGNhbmFyeSBjYW5hcnkgY2FuYXJ5',
  ],
  ['long hex that is no revision', 'key 8f14e45fceea167a5a36dedd4bea2543 refused', '8f14e45fceea167a5a36dedd4bea2543'],
  [
    'a private key',
    'tls: -----BEGIN RSA PRIVATE KEY-----\nMIIcanary\n-----END RSA PRIVATE KEY----- is bad',
    'MIIcanary',
  ],
  ['a private key that is cut off', 'tls: -----BEGIN PRIVATE KEY-----\nMIIcanary', 'MIIcanary'],
  [
    'data of a Secret as JSON',
    'Secret/apps/db dry-run failed: {"kind":"Secret","data":{"plain":"Y2FuYXJ5"}}',
    'Y2FuYXJ5',
  ],
  ['data of a Secret as YAML', 'failed to apply:\nkind: Secret\ndata:\n  anything: Y2FuYXJ5', 'Y2FuYXJ5'],
  ['stringData', 'spec {"stringData": {"a":"canary"}} refused', 'canary'],
];

describe('redact', () => {
  it('takes out 32 or more characters of base64 that stand together, and none of any other', () => {
    const ascii = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
    const text = (letter: string): string => `of ${'aB3'.repeat(10)}${letter.repeat(2)} end`;
    const runs = ascii.filter((letter) => redact(text(letter)) !== text(letter));
    expect(runs.join('')).toBe('+-/0123456789=ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz');
  });

  it('leaves of a message all but the secret', () => {
    expect(secrets.map(([, text]) => redact(text))).toMatchInlineSnapshot(`
      [
        "unable to clone 'https://git.example.org/acme/control.git'",
        "ssh://git.example.org/x",
        "https://dev.azure.com/acme",
        "request failed: Authorization: Bearer [redacted]",
        "sent Basic [redacted]",
        "login failed: password=[redacted], retrying",
        "password: [redacted] was refused",
        "db_password_value: [redacted]",
        "{"client_secret":[redacted],"name":"x"}",
        "GET https://x.blob.core.windows.net/c?sv=2020&sig=[redacted] 403",
        "InvalidClientTokenId for [redacted]: 403",
        "key [redacted] is wrong",
        "with [redacted]",
        "with [redacted]",
        "token [redacted] is expired",
        "value [redacted] is invalid",
        "key [redacted] refused",
        "tls: [redacted] is bad",
        "tls: [redacted]",
        "Secret/apps/db dry-run failed: {"kind":"Secret","data": [redacted]",
        "failed to apply:
      kind: Secret
      data: [redacted]",
        "spec {"stringData": [redacted]} refused",
      ]
    `);
  });

  it.each([
    ['no digit', 'gHkMnP'.repeat(6), false],
    ['two capitals', `G1h2K${'3m4n'.repeat(8)}`, false],
    ['three capitals', `G1h2K3M${'4n5p'.repeat(8)}`, true],
    ['two small letters', `G1h2K3m${'4N5P'.repeat(8)}`, false],
    ['three small letters', `G1h2K3m${'4N5P'.repeat(8)}q`, true],
    ['28 changes in 100 characters', `${'gH1'.repeat(9)}${'g'.repeat(73)}`, false],
    ['29 changes in 100 characters', `${'gH1'.repeat(9)}gH${'H'.repeat(71)}`, true],
    ['31 characters', 'gH3'.repeat(11).slice(0, 31), false],
    ['32 characters', 'gH3'.repeat(11).slice(0, 32), true],
    ['signs that change nothing at its end', `${'g'.repeat(25)}H1kM2nP3=====`, false],
    ['hex without letters', '1234567890'.repeat(4), false],
    ['hex without digits', 'abcdef'.repeat(6), false],
  ])('a run with %s is a secret or none: %s, %s', (_name, run, isSecret) => {
    expect(redact(`of ${run} here`)).toBe(`of ${isSecret ? '[redacted]' : run} here`);
  });

  const hash = 'ab00a320eb789dbf2deff7bf3de6752bfc745ba4';
  it.each([
    [`commit ${hash}`, true],
    [`commit: '${hash}'`, true],
    [`revision: "${hash}"`, true],
    [`main@${hash}`, true],
    [`sha256:${hash}0123456789abcdef01234567`, true],
    [`sha1:${hash}`, true],
    [`sha1:${hash}0`, false],
    [`commit ${hash.slice(1)}`, false],
    [`of ${hash}`, false],
    [hash, true],
    [` ${hash}`, false],
    [`commit, of which it is known that it is ${hash}`, false],
  ])('%s is a revision: %s', (text, isRevision) => {
    expect(redact(text)).toBe(isRevision ? text : text.replace(/[0-9a-f]{32,}/, '[redacted]'));
  });

  it.each([
    ['Bearer abcdefghijklmnopqrs', false],
    ['Bearer abcdefghijklmnopqrst', true],
    ['Bearer abcdeF', true],
    ['basic abc.def', true],
    ['basic abcdef', false],
    ['basic abc+def', true],
  ])('%s is a credential: %s', (text, isSecret) => {
    expect(redact(text)).toBe(isSecret ? text.replace(/ .*/, ' [redacted]') : text);
  });

  it.each([' ', '\n', '"', '#', "'", '/', '<', '>', '?', '\\', '`'])('the authority of a URL ends at %j', (end) => {
    expect(redact(`https://host${end}path@place`)).toBe(`https://host${end}path@place`);
    expect(redact(`at https://a@host and ssh://b:c@other${end}path@place`)).toBe(
      `at https://host and ssh://other${end}path@place`,
    );
  });

  it.each(secrets)('takes out %s', (_name, text, canary) => {
    expect(redact(text)).not.toContain(canary);
  });

  it.each([
    'Applied revision: main@sha1:ab00a320eb789dbf2deff7bf3de6752bfc745ba4',
    'stored artifact for revision v1.2.3@sha1:ab00a320eb789dbf2deff7bf3de6752bfc745ba4',
    'stored artifact with digest sha256:e9bfdfadcfa3602c44a61d50bb0c2161c4cc889460aed4417d65dbccd6746e28',
    'legacy revision main/ab00a320eb789dbf2deff7bf3de6752bfc745ba4',
    'kustomize build failed: open /tmp/kustomization-4223569809/clusters/production/badbuild/missing.yaml: no such file or directory',
    'Widget/apps/w dry-run failed: no matches for kind "Widget" in version "example.org/v1"',
    "unable to clone 'https://git.example.org/acme/control.git': repository not found",
    'Deployment/apps/a-very-long-deployment-name-with-many-words-in-it-5d8f7c9b4d configured',
    'CustomResourceDefinition/ec2-transitgatewaymulticastdomainassociations.aws.upbound.io configured',
    'ValidatingWebhookConfigurationListenerAttachment is not ready',
    'observe failed: RequestID: 3b2f1c9e-5a77-4f0e-9a41-2f4f7c1f9e11, api error AccessDenied',
    'secrets "db-credentials" is forbidden: User cannot get resource "secrets" in API group ""',
    'basic authentication is not supported by this server',
  ])('leaves what people need to read: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('cuts at the longest message, and a secret at the cut does not come out in part', () => {
    const text = `${'word '.repeat(1638)}password=${'canary'.repeat(10)}`;
    const clean = redact(text);
    expect(clean.length).toBe(longestMessage);
    expect(clean).not.toContain('canary');
    expect(redact('short', 3)).toBe('sh…');
    expect([redact('fives', 5), redact('fives', 4)]).toEqual(['fives', 'fiv…']);
    // Beyond twice of what is kept, the last part may be half of a secret.
    expect(redact('one two three', 6)).toBe('one t…');
    expect(redact('one two-three', 6)).toBe('one…');
    expect(redact('one\ntwo-three', 6)).toBe('one…');
    expect(redact('one two-thre', 6)).toBe('one t…');
    expect(redact('onetwo-three-four', 6)).toBe('…');
  });

  it('redacting twice changes nothing more', () => {
    for (const [, text] of secrets) expect(redact(redact(text))).toBe(redact(text));
  });

  it.each([
    'a'.repeat(32_768),
    'password'.repeat(4_096),
    'https://'.repeat(4_096),
    '-----BEGIN'.repeat(3_000),
    '"data":{'.repeat(4_000),
    'eyJ'.repeat(10_000),
    `password="${'\\'.repeat(30_000)}`,
    'Ab1/'.repeat(8_000),
  ])('is linear in what it is given: %.12s...', (text) => {
    const started = performance.now();
    redact(text);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe('redactUrl', () => {
  it.each([
    ['https://git.example.org/acme/control.git', 'https://git.example.org/acme/control.git'],
    ['https://user:canary@git.example.org/acme/control.git', 'https://git.example.org/acme/control.git'],
    ['ssh://git@github.com/acme/control', 'ssh://github.com/acme/control'],
    ['oci://ghcr.io/acme/manifests', 'oci://ghcr.io/acme/manifests'],
    ['https://host/x?token=canary&depth=1', 'https://host/x?token=[redacted]&depth=1'],
  ])('%s', (url, clean) => {
    expect(redactUrl(url)).toBe(clean);
  });
});

describe('letters that are not seen', () => {
  it.each([
    ['that turn the direction', 'invoice\u202egpj.exe', 'invoice\\u{202e}gpj.exe'],
    ['of no width', 'zero\u200bwidth\ufeff', 'zero\\u{200b}width\\u{feff}'],
    ['of a terminal', '\u001b[31mError\u001b[0m', '\\u{1b}[31mError\\u{1b}[0m'],
    ['of a language written from the right, which are seen', 'שלום', 'שלום'],
    ['of lines and columns, which are seen', 'one\n\ttwo\r\n', 'one\n\ttwo\r\n'],
  ])('%s', (_which, text, shown) => {
    expect(redact(text)).toBe(shown);
  });
});
