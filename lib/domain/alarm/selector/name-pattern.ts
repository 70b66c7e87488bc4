/** Signs of a pattern that take back, or repeat, the one before them. */
const quantifiers = new Set(['*', '+', '?', '{']);
const plain = /^[A-Za-z0-9_:]$/;
const mostHeads = 256;

/** The literal beginnings of what a pattern (RE2, matched as a whole) may match; "" among them where it may begin with anything. */
export function headsOf(pattern: string, depth = 0): readonly string[] {
  const heads = alternativesOf(pattern.startsWith('^') ? pattern.slice(1) : pattern).flatMap((alternative) =>
    alternative.startsWith('(') ? headsOfGroup(alternative, depth) : [literalHead(alternative)],
  );
  return heads.length > mostHeads ? [''] : heads;
}

function headsOfGroup(alternative: string, depth: number): readonly string[] {
  const end = endOfGroup(alternative);
  const inner = /^\((\?:)?/.exec(alternative)?.[0] ?? '';
  const isOdd = end === -1 || depth > 8 || alternative[inner.length] === '?';
  if (isOdd || quantifiers.has(alternative[end + 1] ?? '')) return [''];
  return headsOf(alternative.slice(inner.length, end), depth + 1);
}

function literalHead(alternative: string): string {
  let head = '';
  for (let at = 0; at < alternative.length; at++) {
    const sign = alternative[at] ?? '';
    if (!plain.test(sign)) return quantifiers.has(sign) && sign !== '+' ? head.slice(0, -1) : head;
    head += sign;
  }
  return head;
}

/** Parts of a pattern between the bars that stand in no group. A sign behind a backslash, or in brackets, is none of them. */
function alternativesOf(pattern: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  walk(pattern, (sign, at, depth) => {
    if (sign !== '|' || depth > 0) return false;
    parts.push(pattern.slice(from, at));
    from = at + 1;
    return false;
  });
  return [...parts, pattern.slice(from)];
}

/** Place of the parenthesis that closes the one with which a text begins; -1 for none. */
function endOfGroup(text: string): number {
  return walk(text, (sign, at, depth) => sign === ')' && depth === 0 && at > 0);
}

/** The first place at which `isFound`; `depth` is the number of groups around a sign, of a parenthesis that closes those that stay. */
function walk(text: string, isFound: (sign: string, at: number, depth: number) => boolean): number {
  let depth = 0;
  let inBrackets = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? '';
    if (sign === '\\') {
      at += 1;
      continue;
    }
    if (inBrackets) {
      inBrackets = sign !== ']';
      continue;
    }
    if (sign === '[') inBrackets = true;
    if (sign === ')') depth -= 1;
    if (isFound(sign, at, depth)) return at;
    if (sign === '(') depth += 1;
  }
  return -1;
}

/** True where a name that begins with one of `heads` may begin with one of `prefixes`; a head that says nothing is none. */
export function mayBegin(heads: readonly string[], prefixes: readonly string[]): boolean {
  return heads.some(
    (head) => head !== '' && prefixes.some((prefix) => head.startsWith(prefix) || prefix.startsWith(head)),
  );
}
