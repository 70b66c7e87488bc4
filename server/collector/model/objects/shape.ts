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

/** True if a change of the field alone is news: not what a quiet pass renews, nor the sentence, which follows from the rest. */
const isNews: Readonly<Record<keyof CurrentObject, boolean>> = {
  ref: false,
  uid: true,
  reconciler: true,
  role: true,
  verdict: true,
  was: true,
  reconciling: true,
  rolling: true,
  reason: true,
  message: true,
  sentence: false,
  onset: true,
  awaySince: true,
  confirmation: true,
  observedAt: false,
  confirmedAt: false,
  validUntil: false,
  revision: true,
  commit: true,
  commitDiffers: true,
  path: true,
  source: true,
  deliveredBy: true,
  standsOn: true,
  repository: true,
  rootCause: true,
  range: true,
  drift: true,
  exemptions: true,
  alarm: true,
};
const news = new Set(Object.entries(isNews).flatMap(([field, is]) => (is ? [field] : [])));

/**
 * A digest of the news in a record: two records of one shape only confirm each other.
 * A digest, because it is kept for every object: the text itself is a fifth of all that is held of one (measured).
 */
export function shapeOf(record: CurrentObject, evidence: readonly Evidence[]): string {
  const values: ForeignObject = { ...record };
  let text = '';
  for (const field of news) text += `${textOf(values[field])},`;
  for (const { from } of evidence) text += `${textOf(from)},`;
  // 96 of its bits: two news of one object are never taken for one.
  return hash('sha1', text, 'base64').slice(0, 16);
}
