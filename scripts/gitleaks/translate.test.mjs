import { expect, it } from 'vitest';
import { translate } from './translate.mjs';

it.each([
  ['as it is', String.raw`ghp_[0-9a-zA-Z]{36}`, /ghp_[0-9a-zA-Z]{36}/g],
  ['any case', String.raw`(?i)CLOJARS_[a-z0-9]{60}`, /CLOJARS_[a-z0-9]{60}/gi],
  ['any case from a place on', String.raw`dp\.pt\.(?i)[a-z0-9]{43}x`, /dp\.pt\.[a-z0-9A-Z]{43}[xX]/g],
  ['any case within a group', String.raw`\b(s\.(?i:[a-z]{24}))a`, /\b(?:s\.(?:[a-zA-Z]{24}))a/g],
  ['up to the end of the group in which it stands', String.raw`(?:a(?i)b)c`, /(?:a[bB])c/g],
  ['its own case within any case', String.raw`(?i)x(?-i:Acc)`, /x(?:Acc)/gi],
  ['without a question what follows', String.raw`\b(a[b]{2})(?:[\x60'"\s;]|\\[nr]|$)`, /\b(?:a[b]{2})/g],
  [
    'with a look at what is ahead',
    String.raw`(?:^|[\\'"\x60\s>=:(,)])(a\dQ~b)(?:$|[\\'"\x60\s<),])`,
    /(?<=^|[\\'"\x60\s>=:(,)])(?:a\dQ~b)/g,
  ],
  ['with an end to every repetition', 'a+b*c{20,}', /a{1,400}b{0,400}c{20,420}/g],
  ['classes of POSIX', '[[:alnum:]]{14}', /[a-zA-Z0-9]{14}/g],
  ['a dash within a class', String.raw`[a-z0-9\-_=]{4}`, /[a-z0-9_=-]{4}/g],
])('translates %s', (_what, pattern, expected) => {
  const { source, flags } = translate(pattern);
  expect(`/${source}/${flags}`).toBe(String(expected));
});

it.each([String.raw`(?P<alg>a)`, '(?s:.)', '[[:punct:]]'])('refuses what it does not know: %s', (pattern) => {
  expect(() => translate(pattern)).toThrow(/unknown kind/);
});
