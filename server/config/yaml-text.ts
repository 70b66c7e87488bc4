import {
  type Document,
  isAlias,
  isCollection,
  isPair,
  isScalar,
  LineCounter,
  parseDocument,
  type YAMLParseError,
} from 'yaml';
import { formatCount } from '#lib/format/number.ts';
import type { Position } from './yaml-position.ts';

/** A YAML text that was read, or the first thing that is wrong with it: what follows is mostly its echo. */
export type ReadYaml =
  | { readonly type: 'ok'; readonly document: Document.Parsed; readonly lines: LineCounter; readonly content: unknown }
  | { readonly type: 'invalid'; readonly message: string; readonly position: Position | null };

const tooDeep = 'it is nested too deeply';
const tooManyAliases = 'its aliases (*name) stand for too much, or for nothing';

/**
 * Parsing takes some 5 µs for each mark of a text, whatever its length: what is between them, certificates mostly, costs nothing.
 * A kubeconfig of a thousand clusters, each with its user and an exec plugin, has some 80,000.
 */
const marksAtMost = 200_000;

/** For each alias the parser looks through the whole document. */
const aliasesAtMost = 100;

/** Reads YAML of somebody's hand. Never throws: aliases that multiply and nesting without end are problems like any other. */
export function readYaml(text: string, mostMarks = marksAtMost): ReadYaml {
  if (hasTooManyMarks(text, mostMarks)) return invalid(tooLarge(mostMarks));
  const lines = new LineCounter();
  try {
    // The parser's own look for doubled keys compares each with each.
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      uniqueKeys: false,
      logLevel: 'error',
    });
    const [error] = document.errors;
    if (error) return problemOf(error, text, lines);
    const { doubledKey, oddKey, aliases } = walk(document);
    if (oddKey !== null)
      return invalid('a key must be a text, and no list, mapping or alias', positionAt(oddKey, lines));
    if (doubledKey !== null) return invalid('Map keys must be unique', positionAt(doubledKey, lines));
    if (aliases > aliasesAtMost) return invalid(tooManyAliases);
    return { type: 'ok', document, lines, content: document.toJS() };
  } catch (error) {
    return invalid(thrownMessage(error));
  }
}

function invalid(message: string, position: Position | null = null): ReadYaml {
  return { type: 'invalid', message, position };
}

function tooLarge(mostMarks: number): string {
  return `it is too large: more than ${formatCount(mostMarks)} lines, colons, dashes and other marks`;
}

/** A mark is whatever is no part of plain words, or of what is base64. */
function hasTooManyMarks(text: string, most: number): boolean {
  if (text.length <= most) return false;
  let marks = 0;
  for (const _mark of text.matchAll(/[^A-Za-z0-9+/=._ ]/g)) if (++marks > most) return true;
  return false;
}

/** Findings of a walk through a document: offsets of the first key that its mapping has twice, and of the first that is no text (null for none). */
interface Walked {
  readonly doubledKey: number | null;
  /** Written as text again at every level around it: a thousand brackets would take minutes. */
  readonly oddKey: number | null;
  readonly aliases: number;
}

function walk(document: Document.Parsed): Walked {
  const open: unknown[] = [document.contents];
  let doubledKey: number | null = null;
  let oddKey: number | null = null;
  let aliases = 0;
  while (open.length > 0) {
    const node = open.pop();
    if (isAlias(node)) aliases += 1;
    if (!isCollection(node)) continue;
    const keys = new Set<unknown>();
    for (const item of node.items) {
      if (!isPair(item)) {
        open.push(item);
        continue;
      }
      open.push(item.key, item.value);
      if (isCollection(item.key) || isAlias(item.key)) oddKey = Math.min(oddKey ?? Infinity, item.key.range?.[0] ?? 0);
      if (!isScalar(item.key)) continue;
      const at = item.key.range?.[0] ?? 0;
      if (keys.has(item.key.value) && (doubledKey === null || at < doubledKey)) doubledKey = at;
      keys.add(item.key.value);
    }
  }
  return { doubledKey, oddKey, aliases };
}

function positionAt(offset: number, lines: LineCounter): Position {
  const { line, col: column } = lines.linePos(offset);
  return { line, column };
}

/** The parser throws for aliases that stand for too much, and where its stack is at an end. */
function thrownMessage(error: unknown): string {
  if (error instanceof ReferenceError) return tooManyAliases;
  return error instanceof RangeError ? tooDeep : 'this is no YAML';
}

function problemOf(error: YAMLParseError, text: string, lines: LineCounter): ReadYaml {
  // Where the stack ends is no place of the text.
  if (error.message.startsWith('Maximum call stack')) return invalid(tooDeep);
  const position = positionAt(error.pos[0], lines);
  const tab = tabBefore(text, position.line);
  if (tab !== null) return invalid('a tab indents this line: YAML is indented with spaces', tab);
  return invalid(plainMessage(error), position);
}

/** The line itself, or the one before that it continues, where a tab is in its indentation. */
function tabBefore(text: string, line: number): Position | null {
  const written = text.split('\n');
  const from = Math.max(0, line - 2);
  const at = written.slice(from, line).findIndex((each) => /^ *\t/.test(each));
  if (at < 0) return null;
  return { line: from + at + 1, column: (written[from + at]?.indexOf('\t') ?? 0) + 1 };
}

/** The parser's own words where they are plain, one line of them: more would quote the text. */
function plainMessage({ code, message }: YAMLParseError): string {
  switch (code) {
    case 'BAD_INDENT':
      return 'this line is not indented like what it belongs to, or a bracket before it is not closed';
    case 'MULTIPLE_DOCS':
      return 'a second document begins here (---): one is read';
    case 'BLOCK_AS_IMPLICIT_KEY':
      return 'a key and a value are expected here, and a second key follows: check colons and indentation';
    default:
      return message.split('\n', 1)[0] ?? 'this is no YAML';
  }
}
