import { gatherLabels, longestGiven, shortened, type ReadLabels } from './label.ts';

type Gathered = ReturnType<typeof gatherLabels>;

const withMetric = /^[A-Za-z_:][\w:]*(?=\{)/;
/** One matcher up to the comma or the brace behind it: a name, an operator, a value. */
const matcher =
  /\s*("(?:[^"\\]|\\[^])*"|[^\s"=!~{},]+)\s*(=~|!~|!=|=)\s*("(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|[^,}]*)\s*(?:,|\}|$)/y;
/** No label is empty, and "http://" begins no label. */
const goMapName = /^([A-Za-z_]\w*):((?!\/\/)[^]+)$/;
const bullet = /^\s*[-*•]\s+/;
const pair = /^([^\s=,{}"]+)\s*=\s*([^]*)$/;
const labelsHead = /^labels\s*:$/i;
/** Parts of Alertmanager's and Grafana's own messages that stand after the labels. */
const laterHead = /^(?:annotations|source|silence|dashboard|panel)\s*:/i;

/**
 * Reads labels in a form that a pager prints: Prometheus matchers `{a="b",c="d"}`, with or without a metric before them; a map of Go
 * `map[a:b c:d]`; a JSON object; lines or a list with commas `a = b`, `a=b`, as Alertmanager's templates give them.
 */
export function readLabelText(given: string): ReadLabels {
  const gathered = gatherLabels();
  const text = given.trim();
  if (text.length > longestGiven) gathered.skip({ type: 'too-large', length: text.length });
  else if (text !== '') readForm(text, gathered);
  return gathered.read();
}

function readForm(text: string, gathered: Gathered): void {
  const json = text.startsWith('{') ? objectIn(text) : null;
  const metric = withMetric.exec(text)?.[0] ?? '';
  if (json !== null) readJson(json, gathered);
  else if (text.startsWith('{', metric.length)) readMatchers(text, metric.length + 1, gathered);
  else if (text.startsWith('map[')) readGoMap(text.slice(4, text.endsWith(']') ? -1 : undefined), gathered);
  else if (text.includes('\n')) readLines(text.split('\n'), gathered);
  else readPairs(text, gathered);
}

function objectIn(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function readJson(json: object, gathered: Gathered): void {
  for (const [name, value] of Object.entries<unknown>({ ...json })) {
    if (typeof value === 'string') gathered.add(name, value);
    else if (typeof value === 'number' || typeof value === 'boolean') gathered.add(name, String(value));
    else gathered.skip({ type: 'no-value', name: shortened(name) });
  }
}

function readMatchers(text: string, from: number, gathered: Gathered): void {
  let at = from;
  while (at < text.length) {
    matcher.lastIndex = at;
    const [whole = '', name = '', operator, value = ''] = matcher.exec(text) ?? [];
    if (whole === '') {
      const rest = text.slice(at).trim();
      if (!/^[},]*$/.test(rest)) gathered.skip({ type: 'no-label', text: shortened(rest) });
      return;
    }
    at += whole.length;
    if (operator === '=') gathered.add(unquoted(name), unquoted(value));
    else gathered.skip({ type: 'no-value', name: shortened(unquoted(name)) });
    if (whole.endsWith('}')) return;
  }
}

/** Values may hold spaces and colons: as Go prints a map in the order of its names, a word is a name only where it follows that. */
function readGoMap(text: string, gathered: Gathered): void {
  let [name, value] = ['', ''];
  for (const word of text.split(' ')) {
    const [, next, rest = ''] = goMapName.exec(word) ?? [];
    if (next !== undefined && next > name) {
      if (name !== '') gathered.add(name, value);
      [name, value] = [next, rest];
    } else if (name === '') {
      if (word !== '') gathered.skip({ type: 'no-label', text: shortened(word) });
    } else value = `${value} ${word}`;
  }
  if (name !== '') gathered.add(name, value);
}

function readLines(lines: readonly string[], gathered: Gathered): void {
  const head = lines.findIndex((line) => labelsHead.test(line.trim()));
  for (const written of lines.slice(head + 1)) {
    const line = written.replace(bullet, '').trim();
    if (laterHead.test(line)) return;
    if (line !== '') readPair(line.replace(/,$/, ''), gathered);
  }
}

/** A part without a name goes on with the value before it, which had a comma. */
function readPairs(text: string, gathered: Gathered): void {
  const parts: string[] = [];
  for (const part of text.split(',')) {
    const last = parts.at(-1);
    if (last === undefined || pair.test(part.trim())) parts.push(part);
    else parts[parts.length - 1] = `${last},${part}`;
  }
  for (const part of parts) readPair(part.trim(), gathered);
}

function readPair(text: string, gathered: Gathered): void {
  const [, name, value = ''] = pair.exec(text) ?? [];
  if (name === undefined) gathered.skip({ type: 'no-label', text: shortened(text) });
  else gathered.add(name, unquoted(value.trim()));
}

function unquoted(text: string): string {
  const [quote = ''] = text;
  if (text.length < 2 || (quote !== '"' && quote !== "'") || !text.endsWith(quote)) return text.trim();
  return text.slice(1, -1).replace(/\\([^])/g, (_, letter: string) => escapes[letter] ?? letter);
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
