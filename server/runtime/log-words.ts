import { legibleLine } from '#lib/domain/observation/legible.ts';
import { isForeignObject, parseForeign, type ForeignObject } from '#lib/foreign.ts';

const levels: Readonly<Record<number, string>> = { 20: 'debug', 30: 'info', 40: 'warning', 50: 'error' };
const beside: ReadonlySet<string> = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg', 'err']);

/**
 * One line of the structured log (JSON, as pino writes it) in words for a terminal: "02:59:14 collector warning: a kubeconfig
 * cannot be used (file: /etc/x.yaml)". An error's stack follows, indented. What came from outside steers nothing.
 * A line that is not such JSON stays as it is.
 */
export function cleanForLog(line: string): string {
  const entry = parseForeign(line);
  if (!isForeignObject(entry)) return plain(line);
  const level = typeof entry['level'] === 'number' ? (levels[entry['level']] ?? '') : '';
  const clock = typeof entry['time'] === 'string' ? entry['time'].slice(11, 19) : '';
  const who = [clock, textOf(entry['name']), level === 'info' ? '' : level].filter((part) => part !== '').join(' ');
  const data = Object.entries(entry)
    .filter(([key]) => !beside.has(key))
    .map(([key, value]) => `${key}: ${textOf(value)}`);
  return `${who}: ${plain(textOf(entry['msg']))}${data.length === 0 ? '' : ` (${plain(data.join(', '))})`}${stackOf(entry)}`;
}

function stackOf({ err }: ForeignObject): string {
  if (!isForeignObject(err)) return '';
  const stack = typeof err['stack'] === 'string' ? err['stack'] : textOf(err['message']);
  return stack
    .split('\n')
    .map((line) => `\n    ${plain(line.trim())}`)
    .join('');
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}

/** A message of a cluster must not be able to move the cursor of whoever reads it. */
function plain(text: string): string {
  return legibleLine(text).trim();
}
