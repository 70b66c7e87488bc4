import { parseForeign, textAt } from '#lib/foreign.ts';
import type { StoredObject } from './object-store.ts';

/** Which objects of a kind a list or watch is about. */
export interface Selection {
  readonly all: boolean;
  includes(object: StoredObject): boolean;
}

interface Requirement {
  readonly path: readonly string[];
  readonly value: string;
  readonly equal: boolean;
}

function requirements(selector: string, pathOf: (key: string) => readonly string[]): Requirement[] {
  return selector
    .split(',')
    .filter((term) => term !== '')
    .map((term) => {
      const [key = '', value = ''] = term.split(/!=|==?/);
      return { path: pathOf(key), value, equal: !term.includes('!=') };
    });
}

/**
 * Reads namespace, fieldSelector (any string field, as `involvedObject.kind=Kustomization,reason!=Progressing`)
 * and labelSelector (`=`, `==`, `!=`) of a request.
 */
export function parseSelection(namespace: string, query: URLSearchParams): Selection {
  const needs = [
    ...requirements(query.get('fieldSelector') ?? '', (key) => key.split('.')),
    ...requirements(query.get('labelSelector') ?? '', (key) => ['metadata', 'labels', key]),
  ];
  return {
    all: namespace === '' && needs.length === 0,
    includes(object) {
      if (namespace !== '' && object.namespace !== namespace) return false;
      if (needs.length === 0) return true;
      const whole = parseForeign(object.json().toString());
      return needs.every((need) => ((textAt(whole, ...need.path) ?? '') === need.value) === need.equal);
    },
  };
}
