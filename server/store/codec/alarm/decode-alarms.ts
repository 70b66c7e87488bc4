import type { AlarmFact, Labels } from '#lib/domain/alarm/fact.ts';
import type { AlarmSource } from '#lib/domain/alarm/source.ts';
import { isForeignObject, listAt, objectAt, parseForeign, textsAt } from '#lib/foreign.ts';
import { hasShape, type Sort } from '../shape.ts';
import { factShapes, partShapes, sourceShapes } from './fact-shapes.ts';

const shapeOf: ReadonlyMap<unknown, { readonly [field: string]: Sort }> = new Map(Object.entries(factShapes));

/** True if a value is null or a list whose entries all pass. */
function isListOrNull(value: unknown, passes: (entry: unknown) => boolean): boolean {
  return value === null || (Array.isArray(value) && value.every(passes));
}

function isMatcher(value: unknown): boolean {
  return hasShape(value, partShapes.matcher);
}

function isSelector(value: unknown): boolean {
  return hasShape(value, partShapes.selector) && listAt(value, 'states').every(isMatcher);
}

function isFact(value: unknown): value is AlarmFact {
  if (!isForeignObject(value)) return false;
  const shape = shapeOf.get(value['type']);
  if (shape === undefined || !hasShape(value, shape)) return false;
  switch (value['type']) {
    case 'rule':
      return (
        isListOrNull(value['selectors'], isSelector) &&
        isListOrNull(value['keeps'], (label) => typeof label === 'string')
      );
    case 'silence':
      return listAt(value, 'matchers').every(isMatcher);
    case 'routing':
      return hasShape(value['root'], partShapes.route);
    default:
      return true;
  }
}

function isSource(value: unknown): value is AlarmSource {
  return (
    hasShape(value, sourceShapes.source) &&
    hasShape(objectAt(value, 'attribution'), sourceShapes.attribution) &&
    listAt(value, 'programs').every((program) => hasShape(program, sourceShapes.program))
  );
}

/** The fact of a stored text; null where it is none of this version. */
export function decodeFact(text: string): AlarmFact | null {
  const value = parseForeign(text);
  return isFact(value) ? value : null;
}

/** The record of an alarm source of a stored text; null where it is none of this version. */
export function decodeSource(text: string): AlarmSource | null {
  const value = parseForeign(text);
  return isSource(value) ? value : null;
}

/** Labels of a stored text; none where it does not read as labels. */
export function decodeLabels(text: string): Labels {
  const entries = Object.entries(parseForeign(text) ?? {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** A stored list of names; empty where it is none. */
export function decodeNames(text: string): readonly string[] {
  return textsAt(parseForeign(`{"names":${text}}`), 'names');
}
