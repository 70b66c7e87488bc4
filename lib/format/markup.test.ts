import { expect, it } from 'vitest';
import { escapeMarkup } from './markup.ts';

it.each([
  ['plain', 'eu-west-3 · ß 漢 🙂', 'eu-west-3 · ß 漢 🙂'],
  ['a tag', '<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  ['an attribute', `" onload='x' & more`, '&quot; onload=&#39;x&#39; &amp; more'],
  ['what is escaped already', '&lt;', '&amp;lt;'],
  ['what XML cannot carry', 'a\u0000b\u001Bc\uFFFFd\uD800e', 'a\uFFFDb\uFFFDc\uFFFDd\uFFFDe'],
])('%s', (_what, text, escaped) => {
  expect(escapeMarkup(text)).toBe(escaped);
});
