import { z } from 'zod';
import { fileSchema } from './schema.ts';

/** The JSON Schema of plumbline.yaml as text, for editors. Published as public/plumbline.schema.json. */
export function configJsonSchema(): string {
  const schema = z.toJSONSchema(fileSchema, { io: 'input', target: 'draft-2020-12' });
  return `${JSON.stringify({ ...schema, title: 'plumbline.yaml' }, null, 2)}\n`;
}
