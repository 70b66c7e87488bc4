import type { Fault } from '#lib/domain/incident/fault.ts';
import { parseForeign } from '#lib/foreign.ts';
import { hasShape } from './shape.ts';

const unknown: Fault = {
  verdict: 'diverged',
  reason: '',
  cause: { type: 'cluster', cluster: '' },
  own: false,
  opens: true,
  keys: [],
  range: null,
};

/** The stored text of a fault. */
export function encodeFault({ verdict, reason, cause, own, opens, keys, range }: Fault): string {
  return JSON.stringify({ verdict, reason, cause, own, opens, keys, range });
}

function isFault(value: unknown): value is Fault {
  const shape = {
    verdict: 'text',
    reason: 'text',
    cause: 'record',
    own: 'yes-no',
    opens: 'yes-no',
    keys: 'list',
  } as const;
  return hasShape(value, { ...shape, range: 'record?' });
}

/** The fault of a stored text; one that tells nothing where it is none of this version. */
export function decodeFault(text: string): Fault {
  const value = parseForeign(text);
  return isFault(value) ? value : unknown;
}
