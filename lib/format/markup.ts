const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Any text as it may stand in HTML or SVG, between tags or in a quoted attribute. What XML cannot carry (control
 * characters, halves of surrogate pairs, U+FFFE and U+FFFF) becomes U+FFFD: one such character would leave a whole SVG undrawn.
 */
export function escapeMarkup(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
