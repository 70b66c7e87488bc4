import type { Cadence } from '#lib/domain/observation/observation.ts';
import { textAt } from '#lib/foreign.ts';
import { goDuration } from '../go-duration.ts';

/** interval, retryInterval and timeout of a Flux spec, in ms. */
export function fluxCadence(object: unknown): Cadence {
  return {
    interval: goDuration(textAt(object, 'spec', 'interval')),
    retryInterval: goDuration(textAt(object, 'spec', 'retryInterval')),
    timeout: goDuration(textAt(object, 'spec', 'timeout')),
  };
}
