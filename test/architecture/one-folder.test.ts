// A reconciler is one folder and one line: the one that docs/adding-a-reconciler.md tells, taken from there word for word, is
// planted into a copy of the program.
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listAt, parseForeign, textAt, type ForeignObject } from '#lib/foreign.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'adding-a-reconciler.md'), 'utf8');
const [adapter, reading, line] = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code ?? '');
const probe = 'test/architecture/planted-reconciler';
const copied = ['lib', 'server', 'package.json', 'tsconfig.json', probe];
let tree: string;

function run(...args: readonly string[]): Promise<{ readonly failed: string | null; readonly out: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: tree, maxBuffer: 1e8 }, (error, out, err) => {
      resolve({ failed: error === null ? null : `${error.message}\n${err}\n${out}`, out });
    });
  });
}

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'plumbline-planted-'));
  for (const path of copied) cpSync(join(root, path), join(tree, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'), 'dir');
  const folder = join(tree, 'server/collector/reconcilers/widget');
  mkdirSync(folder);
  writeFileSync(join(folder, 'adapter.ts'), adapter ?? '');
  writeFileSync(join(folder, 'widget.ts'), reading ?? '');
  appendFileSync(join(tree, 'server/collector/reconcilers/registered.ts'), line ?? '');
});

afterAll(() => rmSync(tree, { recursive: true, force: true }));

it('what the page shows is watched, judged and shown without another change', async () => {
  const { failed, out } = await run(join(probe, 'probe.ts'));
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
  const only = { extends: './tsconfig.json', compilerOptions: { incremental: false, plugins: [] } };
  const files = ['adapter.ts', 'widget.ts'].map((name) => `server/collector/reconcilers/widget/${name}`);
  writeFileSync(join(tree, 'planted.json'), JSON.stringify({ ...only, include: [], files }));
  const { failed } = await run(join(root, 'node_modules/typescript/bin/tsc'), '--project', 'planted.json');
  expect(failed).toBeNull();
}, 60_000);
