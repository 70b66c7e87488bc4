// A reconciler is one folder and one line: the one that docs/adding-a-reconciler.md tells, taken from there word for word, is
// planted into a copy of the program.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listAt, parseForeign, textAt, type ForeignObject } from '#lib/foreign.ts';
import { codeIn, plantProgram, type PlantedProgram } from './planted-program.ts';

const probe = 'test/architecture/planted-reconciler';
const folder = 'server/collector/reconcilers/widget';
let program: PlantedProgram;

beforeAll(() => {
  const [adapter = '', reading = '', line = ''] = codeIn('docs/adding-a-reconciler.md');
  program = plantProgram(['lib', 'server', probe]);
  const at = (path: string): string => join(program.tree, path);
  mkdirSync(at(folder));
  writeFileSync(at(`${folder}/adapter.ts`), adapter);
  writeFileSync(at(`${folder}/widget.ts`), reading);
  appendFileSync(at('server/collector/reconcilers/registered.ts'), line);
});

afterAll(() => program.remove());

it('what the page shows is watched, judged and shown without another change', async () => {
  const { failed, out } = await program.run(join(probe, 'probe.ts'));
  expect(failed).toBeNull();
  const seen = parseForeign(out.trim()) ?? {};
  expect(listAt(seen, 'asked'), 'its Lease is looked for where it is installed').toContain(
    '/apis/coordination.k8s.io/v1/namespaces/widget-system/leases',
  );
  expect(textAt(seen, 'role')).toContain('  # widget\n  - apiGroups: [example.org]\n    resources: [widgets]\n');
  expect(listAt(seen, 'heads')).toEqual(['widget', 'widget']);
  expect(listAt(seen, 'filters')).toEqual(['widget']);
  const both = { cluster: 'harbour', reconciler: 'widget', kind: 'Widget', namespace: 'apps' };
  expect(listAt(seen, 'list')).toMatchObject([
    { ...both, name: 'sail', verdict: 'diverged' },
    { ...both, name: 'anchor', verdict: 'converged' },
  ] satisfies readonly ForeignObject[]);
}, 90_000);

it('what the page shows compiles', async () => {
  expect(await program.build(['adapter.ts', 'widget.ts'].map((name) => `${folder}/${name}`))).toBeNull();
}, 60_000);
