import type { ChangeFact } from '#lib/domain/record/change.ts';
import { isForeignObject, parseForeign } from '#lib/foreign.ts';
import { hasShape, type Sort } from './shape.ts';

type Shapes = {
  readonly [T in ChangeFact['type']]: {
    readonly [K in Exclude<keyof Extract<ChangeFact, { readonly type: T }>, 'type'>]: Sort;
  };
};

const exemption = { kind: 'text', field: 'text', by: 'text?' } as const;

const shapes: Shapes = {
  'spec-edited': { by: 'text?', from: 'number', generation: 'number' },
  suspended: { by: 'text?', field: 'text' },
  resumed: { by: 'text?', field: 'text' },
  revision: { from: 'text?', to: 'text?' },
  created: {},
  'deletion-asked': {},
  deleted: {},
  'exemption-added': exemption,
  'exemption-removed': exemption,
  'controller-version': { namespace: 'text', name: 'text', from: 'text', to: 'text' },
  'controller-restarted': { namespace: 'text', name: 'text' },
  'package-revision': { package: 'text', kind: 'text', name: 'text', from: 'text', to: 'text' },
  'kubernetes-version': { from: 'text', to: 'text' },
};
const shapeOf: ReadonlyMap<unknown, { readonly [field: string]: Sort }> = new Map(Object.entries(shapes));

function isChangeFact(value: unknown): value is ChangeFact {
  const shape = isForeignObject(value) ? shapeOf.get(value['type']) : undefined;
  return shape !== undefined && hasShape(value, shape);
}

/** The fact of a stored text; null where another version wrote one that this version does not know. */
export function decodeChangeFact(text: string): ChangeFact | null {
  const value = parseForeign(text);
  return isChangeFact(value) ? value : null;
}
