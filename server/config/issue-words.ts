import type { z } from 'zod';
import { objectAt } from '#lib/foreign.ts';
import { keysAt } from './schema-keys.ts';

/** Says what is wrong at a place of the file, for whoever wrote it; `content` is the whole file as it was read. */
export function issueWords(issue: z.core.$ZodIssue, content: unknown): string {
  // What the schema says itself is meant for people; the validator's own words are not.
  if (issue.code !== 'invalid_type' || !issue.message.startsWith('Invalid input')) return issue.message;
  const written = valueAt(content, issue.path);
  switch (issue.expected) {
    case 'array':
      return written === null ? issue.message : 'must be a list: begin each of its entries with "- "';
    case 'object':
      return typeof written === 'string' ? mapWords(issue.path, written) : issue.message;
    case 'string':
      return typeof written === 'number' || typeof written === 'boolean'
        ? `${written} is no text: put it in quotes: "${written}"`
        : issue.message;
    default:
      return issue.message;
  }
}

/** A bare word in a list most likely is what the first key of an entry would say. */
function mapWords(path: readonly PropertyKey[], written: string): string {
  const [key] = keysAt(path);
  return typeof path.at(-1) === 'number' && key !== undefined && /^\S{1,200}$/.test(written)
    ? `a bare word is no entry: write - ${key}: ${written}`
    : 'must be keys with values, as in "clusters:"';
}

/** True for the content of a kubeconfig, given in place of plumbline.yaml. */
export function isKubeconfig(content: unknown): boolean {
  const file = objectAt(content);
  return file['kind'] === 'Config' || ('current-context' in file && 'contexts' in file);
}

function valueAt(content: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) => (Reflect.has(Object(value), part) ? Reflect.get(Object(value), part) : undefined),
    content,
  );
}
