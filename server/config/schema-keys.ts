import { z } from 'zod';
import { objectAt } from '#lib/foreign.ts';
import { fileSchema } from './schema.ts';

/** The keys that plumbline.yaml may have in the map at `path`; none where no map belongs there. */
export function keysAt(path: readonly PropertyKey[]): readonly string[] {
  let schema: unknown = z.toJSONSchema(fileSchema, { io: 'input' });
  for (const part of path)
    schema = typeof part === 'number' ? objectAt(schema, 'items') : valueAt(schema, String(part));
  return Object.keys(objectAt(schema, 'properties'));
}

/** The schema of a value: of its own key, else of every value of a map whose keys are names. */
function valueAt(schema: unknown, key: string): unknown {
  const own = objectAt(schema, 'properties');
  return Object.hasOwn(own, key) ? own[key] : objectAt(schema, 'additionalProperties');
}
