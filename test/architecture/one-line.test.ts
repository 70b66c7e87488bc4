// A column of the store is one line and one step of the schema: those that CONTRIBUTING.md tells, taken from there word for word,
// are planted into a copy of the program.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listAt, numberAt, parseForeign } from '#lib/foreign.ts';
import { codeIn, plantProgram, type PlantedProgram } from './planted-program.ts';

const probe = 'test/architecture/planted-column';
let program: PlantedProgram;

function change(path: string, from: string, to: string): void {
  const file = join(program.tree, path);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

beforeAll(() => {
  const [column = '', step = ''] = codeIn('CONTRIBUTING.md', '## Add a column', '\n## ');
  program = plantProgram(['lib', 'server', 'test/contract', probe]);
  change('server/store/codec/record-columns.ts', '\n];', `\n${column}];`);
  writeFileSync(join(program.tree, 'server/store/migrations/0022-team.ts'), step);
  change('server/store/migrations/index.ts', '\n  callsBySource,\n]', '\n  callsBySource,\n  team,\n]');
  change('server/store/migrations/index.ts', 'import', "import { team } from './0022-team.ts';\nimport");
  // The field itself, and what it is where nothing is stored.
  const field = 'readonly awaySince: Onset | null;';
  change('lib/domain/record/current.ts', field, `${field}\n  readonly team: string | null;`);
  change('server/store/codec/record-columns.ts', 'awaySince: null,', 'awaySince: null,\n    team: null,');
  change('server/store/record/past-object.ts', 'validUntil: null,', 'validUntil: null,\n    team: null,');
});

afterAll(() => program.remove());

it('is written and read back, in a store that was there before', async () => {
  const { failed, out } = await program.run(join(probe, 'probe.ts'));
  expect(failed).toBeNull();
  const printed = parseForeign(out.trim()) ?? {};
  expect(numberAt(printed, 'storeVersion')).toBe(22);
  const names = ['app-1', 'app-2'].map((name) => expect.objectContaining({ ref: expect.objectContaining({ name }) }));
  expect(listAt(printed, 'loaded')).toEqual(names);
  expect(listAt(printed, 'loaded')).toMatchObject([{ team: 'harbour' }, { team: null }]);
  expect(listAt(printed, 'changes')).toMatchObject([{ object: { team: 'harbour' } }, { object: { team: null } }]);
}, 60_000);

it('compiles', async () => {
  expect(await program.build(['server/store/codec/record-columns.ts', 'server/store/migrations/index.ts'])).toBeNull();
}, 60_000);
