import { describe, expect, it } from 'vitest';
import {
  foreignId,
  foreignMessage,
  foreignName,
  foreignReason,
  foreignUrl,
  foreignWord,
  idAt,
  messageAt,
  nameAt,
  namesAt,
  reasonAt,
  unkeptTextAt,
  urlAt,
  wordAt,
  wordsAt,
} from './foreign-words.ts';

const texts = { foreignId, foreignMessage, foreignName, foreignReason, foreignUrl, foreignWord };
const readers = { idAt, messageAt, nameAt, reasonAt, urlAt, wordAt };
const lists = { namesAt, wordsAt };
const commit = '1a2b3c4d5e'.repeat(4);
const digest = `sha256:${'1a2b3c4d'.repeat(8)}`;
const token = `ghp_${'aB3dE6gH'.repeat(5)}`;

describe('what is no secret stays as it is', () => {
  it.each([
    ['foreignName', 'sk-production-cluster-of-bratislava-1'],
    ['foreignName', 'kustomize.toolkit.fluxcd.io/v1beta2'],
    [
      'foreignName',
      'apiextensions.crossplane.io/composed/0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9',
    ],
    ['foreignName', 'system:kube-controller-manager'],
    ['foreignId', 'team-a1-b2-c3_my-config-2-x3-y4_helm.toolkit.fluxcd.io_HelmRelease'],
    ['foreignReason', 'ReconciliationSucceeded'],
    ['foreignWord', './Clusters/Prod-EU1/Apps/Web2/Base3/Overlay4'],
    ['foreignWord', `main@sha1:${commit}`],
    ['foreignWord', `main/${commit}`],
    ['foreignWord', commit],
    ['foreignWord', `ghcr.io/org/app@${digest}`],
    ['foreignUrl', 'https://github.com/Org-Name1/Repository'],
    ['foreignMessage', 'several\nlines'],
  ] as const)('%s %j', (reader, text) => {
    expect(texts[reader](text)).toBe(text);
  });
});

it.each([
  ['foreignName', 253],
  ['foreignId', 1_024],
  ['foreignReason', 253],
  ['foreignWord', 1_024],
  ['foreignUrl', 1_024],
  ['foreignMessage', 1_024],
] as const)('%s has at most %i characters, and ends in … where it is cut', (reader, longest) => {
  const read = texts[reader];
  for (const text of ['a'.repeat(longest), 'a b '.repeat(longest / 4)]) expect(read(text)).toBe(text);
  for (const text of ['a'.repeat(longest + 1), 'a b '.repeat(100_000)]) {
    expect(read(text).length).toBeLessThanOrEqual(longest);
    expect(read(text)).toMatch(/…$/);
  }
});

it.each([
  'https://bot:p/hunter2@git.example.org/x',
  'https://git.example.org/x?password=a/hunter2',
  'main@aHVudGVyMg/hunter2Xr7Lm4Tn8Vb3Hc+aB3',
  `clusters/password=hunter2/apps`,
])('a secret of a path that has a slash in it is found: %s', (path) => {
  expect(foreignWord(path)).not.toContain('hunter2');
});

it.each(['foreignReason', 'foreignWord', 'foreignUrl', 'foreignMessage'] as const)('%s holds no token', (reader) => {
  expect(texts[reader](token)).not.toContain(token);
  expect(texts[reader](`a ${token} b`)).not.toContain(token);
});

it.each(['foreignName', 'foreignId', 'foreignReason', 'foreignWord', 'foreignUrl'] as const)(
  '%s is one line that reads as it is',
  (reader) => {
    expect(texts[reader]('a\r\nb\u2028c')).toBe('a b c');
    expect(texts[reader]('a\u202eb\u001bc\u200bd')).toBe('a\\u{202e}b\\u{1b}c\\u{200b}d');
    expect(texts[reader]('a\ud800').isWellFormed()).toBe(true);
  },
);

it('a secret that is cut does not come out in part', () => {
  for (const read of [foreignWord, foreignReason, foreignUrl, foreignMessage])
    for (const length of [230, 240, 490, 500, 1_000, 1_010, 2_030, 2_040])
      for (const joint of ['/', ' '])
        expect(read(`${'a'.repeat(length)}${joint}${token}${joint}${'b '.repeat(5_000)}`)).not.toContain(
          token.slice(0, 12),
        );
});

describe('at a path', () => {
  const value = { there: { text: 'a\u0000', list: ['a\u0000', 1, null, 'b'], number: 1 } };

  it.each(['nameAt', 'idAt', 'reasonAt', 'wordAt', 'urlAt', 'messageAt'] as const)('%s', (reader) => {
    expect(readers[reader](value, 'there', 'text')).toBe('a\\u{0}');
    expect([readers[reader](value, 'there', 'number'), readers[reader](value, 'gone')]).toEqual([null, null]);
  });

  it.each(['namesAt', 'wordsAt'] as const)('%s', (reader) => {
    expect(lists[reader](value, 'there', 'list')).toEqual(['a\\u{0}', 'b']);
    expect(lists[reader](value, 'there', 'text')).toEqual([]);
  });

  it('what is never kept comes as it is, up to 1 MiB', () => {
    const long = 'a'.repeat(1_048_576);
    expect(unkeptTextAt(value, 'there', 'text')).toBe('a\u0000');
    expect([unkeptTextAt({ long }, 'long'), unkeptTextAt({ long: `${long}a` }, 'long')]).toEqual([long, null]);
  });
});
