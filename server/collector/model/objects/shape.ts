import { hash } from 'node:crypto';
import type { Evidence } from '#lib/domain/verdict/judgement.ts';
import { recordColumns, type RowCell } from '#server/store/codec/record-row.ts';

/** Fields that are no news: a quiet pass renews them, and the sentence follows from the rest. */
const noNews: ReadonlySet<string> = new Set(['sentence', 'observed_at', 'confirmed_at', 'valid_until']);
const news = recordColumns.flatMap(({ name }, index) => (noNews.has(name) ? [] : [index]));

/**
 * Digest of a record's news: two records of one shape only confirm one another. `row` is a record as it is stored.
 * A digest, because it is kept for every object: the text itself is a fifth of all that is held of one (measured).
 */
export function shapeOf(row: readonly RowCell[], evidence: readonly Evidence[]): string {
  const cells = news.map((index) => row[index]);
  // 96 of its bits: two news of one object are never taken for one.
  return hash('sha1', JSON.stringify([cells, evidence.map((one) => one.from)]), 'base64').slice(0, 16);
}
