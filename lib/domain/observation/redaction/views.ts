/** A text as it reads once its escapes are undone. */
export interface View {
  readonly text: string;
  /** Offset in the original text of a letter of this one; of its end for `text.length`. */
  readonly original: (offset: number) => number;
}

const mostLayers = 4;

const escaped =
  /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|["'\\\/nrtbf])|%[0-9a-fA-F]{2}|&(?:quot|apos|amp|lt|gt|nbsp|#\d{1,5}|#x[0-9a-fA-F]{1,4});|\u00a0|[\p{Cc}--[\t\n\r]]\[[\d;]{0,16}[A-Za-z]/gv;

const letters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
const entities: Readonly<Record<string, string>> = { quot: '"', apos: "'", amp: '&', lt: '<', gt: '>', nbsp: ' ' };

/**
 * A text and what is within its escapes, layer by layer, at most four: errors hold JSON within JSON, addresses within addresses.
 * Undone are escapes of JSON and Go (`\"`, `\u003d`), of addresses (`%3D`) and of HTML (`&quot;`). Colours of a terminal are left
 * out, and a space at which no line breaks is a space.
 */
export function viewsOf(text: string): readonly View[] {
  const views: View[] = [{ text, original: (offset) => offset }];
  for (let layer = 0, view = views[0]; layer < mostLayers && view !== undefined; layer += 1) {
    view = unescaped(view);
    if (view !== undefined) views.push(view);
  }
  return views;
}

function unescaped({ text, original }: View): View | undefined {
  if (!/[\\%&\u00a0]/.test(text) && !text.includes('\u001B')) return undefined;
  const offsets = new Uint32Array(text.length + 1);
  let plain = '';
  let kept = 0;
  const keep = (until: number): void => {
    for (let offset = kept; offset < until; offset += 1) offsets[plain.length + offset - kept] = original(offset);
    plain += text.slice(kept, until);
  };
  for (const match of text.matchAll(escaped)) {
    keep(match.index);
    offsets[plain.length] = original(match.index);
    plain += meant(match[0]);
    kept = match.index + match[0].length;
  }
  if (kept === 0) return undefined;
  keep(text.length);
  offsets[plain.length] = original(text.length);
  return { text: plain, original: (offset) => offsets[offset] ?? 0 };
}

/** The letter that an escape stands for; none for a colour. */
function meant(escape: string): string {
  if (escape === '\u00A0') return ' ';
  if (!/^[\\%&]/.test(escape)) return '';
  if (escape.startsWith('%')) return letterOf(escape.slice(1), 16);
  if (escape.startsWith('&#x')) return letterOf(escape.slice(3, -1), 16);
  if (escape.startsWith('&#')) return letterOf(escape.slice(2, -1), 10);
  if (escape.startsWith('&')) return entities[escape.slice(1, -1)] ?? '?';
  const sign = escape.charAt(1);
  return escape.length > 2 ? letterOf(escape.slice(2), 16) : (letters[sign] ?? sign);
}

function letterOf(digits: string, base: number): string {
  return String.fromCharCode(Number.parseInt(digits, base));
}
