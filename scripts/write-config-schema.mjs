// Publishes the JSON Schema of plumbline.yaml after a change in server/config/schema.ts.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { configJsonSchema } from '#server/config/json-schema.ts';

await writeFile(join(import.meta.dirname, '..', 'public', 'plumbline.schema.json'), configJsonSchema());
