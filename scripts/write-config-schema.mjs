// Publishes the JSON Schema of plumbline.yaml after a change in server/config/schema.ts, and has the chart check its value `config` by it.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { configJsonSchema } from '#server/config/json-schema.ts';

const root = join(import.meta.dirname, '..');
const text = configJsonSchema();
await writeFile(join(root, 'public', 'plumbline.schema.json'), text);
const { $schema: _dialect, ...config } = JSON.parse(text);
const chart = join(root, 'deploy', 'chart', 'values.schema.json');
const values = JSON.parse(await readFile(chart, 'utf8'));
await writeFile(chart, `${JSON.stringify({ ...values, properties: { ...values.properties, config } }, null, 2)}\n`);
