const letters: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

/**
 * The text that a literal of PromQL stands for: in double or single quotes with the escapes of Go, in backquotes as it is. Null where it is
 * no literal, or where bytes that it names are no UTF-8.
 */
export function unquoted(literal: string): string | null {
  const [quote = ''] = literal;
  if (literal.length < 2 || !literal.endsWith(quote)) return null;
  const inner = literal.slice(1, -1);
  if (quote === '`') return inner;
  if (quote !== '"' && quote !== "'") return null;
  return inner.includes('\\') ? unescaped(inner) : inner;
}

const escape = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})|([abfnrtv\\'"]))|\\|[^\\]+/g;

function unescaped(inner: string): string | null {
  const bytes: Uint8Array[] = [];
  const encoder = new TextEncoder();
  for (const [whole, hex, short, long, octal, letter] of inner.matchAll(escape)) {
    if (whole === '\\') return null;
    const byte = hex === undefined ? (octal === undefined ? null : parseInt(octal, 8)) : parseInt(hex, 16);
    const point = short ?? long;
    if (byte !== null) {
      if (byte > 255) return null;
      bytes.push(Uint8Array.of(byte));
    } else if (point !== undefined) {
      const number = parseInt(point, 16);
      if (number > 0x10ffff || (number >= 0xd800 && number <= 0xdfff)) return null;
      bytes.push(encoder.encode(String.fromCodePoint(number)));
    } else bytes.push(encoder.encode(letter === undefined ? whole : (letters[letter] ?? '')));
  }
  return decoded(bytes);
}

function decoded(parts: readonly Uint8Array[]): string | null {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** A text as a literal of PromQL in double quotes. */
export function quoted(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    .replaceAll('\0', '\\x00');
  return `"${escaped}"`;
}
