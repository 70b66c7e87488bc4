import { parseForeign, textAt } from '#lib/foreign.ts';
import type { StoredObject } from './object-store.ts';

/** Which objects of a kind a list or watch is about. */
export interface Selection {
  readonly all: boolean;
  includes(object: StoredObject): boolean;
}

interface Requirement {
  readonly path: readonly string[];
  readonly values: readonly string[];
  readonly equal: boolean;
}

function requirements(selector: string, pathOf: (key: string) => readonly string[]): Requirement[] {
  // A comma within parentheses parts values, not requirements.
  return selector
    .split(/,(?![^(]*\))/)
    .filter((term) => term !== '')
    .map((term) => {
      const among = /^(\S+)\s+in\s+\(([^)]*)\)$/.exec(term);
      if (among) return { path: pathOf(among[1] ?? ''), values: (among[2] ?? '').split(','), equal: true };
      const [key = '', value = ''] = term.split(/!=|==?/);
      return { path: pathOf(key), values: [value], equal: !term.includes('!=') };
    });
}

/**
 * Reads namespace, fieldSelector (any string field, as `involvedObject.kind=Kustomization,reason!=Progressing`)
 * and labelSelector (`=`, `==`, `!=`, `in`) of a request.
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
      return needs.every((need) => need.values.includes(textAt(whole, ...need.path) ?? '') === need.equal);
    },
  };
}
