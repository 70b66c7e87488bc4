import { hash } from 'node:crypto';
import type { CurrentObject } from '#lib/domain/current.ts';
import type { Evidence } from '#lib/domain/judgement.ts';

/**
 * What only confirms: two records of one shape are one and the same news. Neither the times that a quiet pass renews are in it nor
 * the sentence, which follows from the rest.
 * A digest, because it is kept for every object: the text itself is a fifth of all that is held of one (measured).
 */
export function shapeOf(record: CurrentObject, evidence: readonly Evidence[]): string {
  const { observedAt: _observed, confirmedAt: _confirmed, validUntil: _valid, sentence: _sentence, ...rest } = record;
  // 96 of its bits: two news of one object are never taken for one.
  return hash('sha1', JSON.stringify([rest, evidence.map((one) => one.from)]), 'base64').slice(0, 16);
}
