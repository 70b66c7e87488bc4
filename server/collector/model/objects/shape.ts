import { hash } from 'node:crypto';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { Evidence } from '#lib/domain/verdict/judgement.ts';
import { isForeignObject, type ForeignObject } from '#lib/foreign.ts';

/** A value as one text, the same for equal values whatever the order of their fields. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return `${value.length}:${value}`;
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (!isForeignObject(value)) return String(value);
  let text = '{';
  for (const field of Object.keys(value).sort()) {
    if (value[field] !== undefined) text += `${field}=${textOf(value[field])},`;
  }
  return `${text}}`;
}

/** A change of these alone is no news: a quiet pass renews them, and the sentence follows from the rest. */
const renewed: ReadonlySet<string> = new Set<keyof CurrentObject>([
  'ref',
  'sentence',
  'observedAt',
  'confirmedAt',
  'validUntil',
]);

/**
 * A digest of the news in a record: two records of one shape only confirm each other.
 * A digest, because it is kept for every object: the text itself is a fifth of all that is held of one (measured).
 */
export function shapeOf(record: CurrentObject, evidence: readonly Evidence[]): string {
  const values: ForeignObject = { ...record };
  let text = '';
  for (const field of Object.keys(values).sort()) if (!renewed.has(field)) text += `${textOf(values[field])},`;
  for (const { from } of evidence) text += `${textOf(from)},`;
  // 96 of its bits: two news of one object are never taken for one.
  return hash('sha1', text, 'base64').slice(0, 16);
}
