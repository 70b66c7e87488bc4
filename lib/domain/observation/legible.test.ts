import { expect, it } from 'vitest';
import { legible, legibleInTerminal, legibleJson, legibleLine } from './legible.ts';

it.each<[string, string, string]>([
  ['plain words', 'eu-west-3 · ß 漢 🙂\tx\ny', 'eu-west-3 · ß 漢 🙂\tx\ny'],
  ['an escape sequence', 'a\u001B[2Jb', 'a\\u{1b}[2Jb'],
  ['one of a single letter (C1)', 'a\u009B31mb\u0085c', 'a\\u{9b}31mb\\u{85}c'],
  ['direction', 'a\u202Eb\u2066c', 'a\\u{202e}b\\u{2066}c'],
  ['no width', 'a\u200Bb\u200Dc\uFEFFd\u00ADe', 'a\\u{200b}b\\u{200d}c\\u{feff}d\\u{ad}e'],
  ['tags that hide a text', 'a\u{E0041}b', 'a\\u{e0041}b'],
  ['lines of Unicode', 'a\u2028b\u2029c', 'a\\u{2028}b\\u{2029}c'],
  ['fillers', 'a\u3164b\u115Fc\u2800d\u034Fe\u17B4f', 'a\\u{3164}b\\u{115f}c\\u{2800}d\\u{34f}e\\u{17b4}f'],
  ['selectors of variants', 'a\uFE0Fb\u{E0101}c', 'a\\u{fe0f}b\\u{e0101}c'],
  ['half a letter', 'a\uD800b', 'a\\u{d800}b'],
])('%s', (_what, text, shown) => {
  expect(legible(text)).toBe(shown);
});

it('a terminal shows no line over another', () => {
  expect(legibleInTerminal('bad\rgood\r\nnext')).toBe('bad\\u{d}good\r\nnext');
});

it('one line stays one', () => {
  expect(legibleLine('a\r\n\tb\u2028c\u001B')).toBe('a b c\\u{1b}');
});

it('JSON means the same', () => {
  const value = { text: 'a\u202Eb\u009Bc\u{E0041}d\ne\uD800' };
  const shown = legibleJson(JSON.stringify(value));
  expect(shown).toBe(String.raw`{"text":"a\u202eb\u009bc\udb40\udc41d\ne\ud800"}`);
  expect(JSON.parse(shown)).toEqual(value);
});
