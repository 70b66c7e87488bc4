import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { configJsonSchema } from './json-schema.ts';

it('is published as it is; scripts/write-config-schema.mjs writes it anew', async () => {
  const published = join(import.meta.dirname, '..', '..', 'public', 'plumbline.schema.json');
  expect(await readFile(published, 'utf8')).toBe(configJsonSchema());
});
