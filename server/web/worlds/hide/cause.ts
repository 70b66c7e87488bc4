import { causeKey } from '#lib/domain/cause/cause.ts';
import type { Cause } from '#lib/domain/verdict/judgement.ts';
import { veiled, type Sight } from '../sight.ts';

/** A cause as a sight tells it: one that lies outside keeps nothing but that it is another one than others are. */
export function causeWithin<C extends Cause | null>(cause: C, sight: Sight): C | Extract<Cause, { type: 'outside' }> {
  return cause === null || seesCause(cause, sight) ? cause : { type: 'outside', id: veiled(causeKey(cause)) };
}

/** True if a cause may be told by its name: what is told of a cluster is told with it, its kinds and controllers. */
export function seesCause(cause: Cause, { granted, sees }: Sight): boolean {
  switch (cause.type) {
    case 'object':
      return sees(cause.ref);
    case 'shared-error':
      return sees(cause.providerConfig);
    case 'controller':
    case 'cluster':
    case 'feed':
      return granted(cause.cluster) !== 'none';
    case 'outside':
      return true;
  }
}
