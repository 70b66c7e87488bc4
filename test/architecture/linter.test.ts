import { beforeAll, describe, expect, it } from 'vitest';
import { type Complaint, lintPlanted } from './planted-tree.ts';

interface Planted {
  readonly file: string;
  readonly source: string;
  readonly rule: string;
}

const layers = 'plumbline(layers)';

/** A function of so many lines. */
function functionOf(lines: number): string {
  return `export function one(): void {\n${'  // line\n'.repeat(lines - 2)}}\n`;
}

/** One violation per rule of CONTRIBUTING.md; each file is refused by the named rule. */
const planted: readonly Planted[] = [
  {
    file: 'lib/reads-disk.ts',
    source: `import { readFileSync } from 'node:fs';\nexport const read = readFileSync;\n`,
    rule: layers,
  },
  { file: 'lib/uses-yaml.ts', source: `export { parse } from 'yaml';\n`, rule: layers },
  { file: 'lib/knows-server.ts', source: `export type { Thing } from '#server/store/thing.ts';\n`, rule: layers },
  { file: 'lib/domain/knows-api.ts', source: `export type { Thing } from '../api/thing.ts';\n`, rule: layers },
  { file: 'lib/domain/knows-zod.ts', source: `export { z } from 'zod';\n`, rule: layers },
  {
    file: 'lib/domain/alarm/knows-promql.ts',
    source: `export { parser } from '@prometheus-io/lezer-promql';\n`,
    rule: layers,
  },
  { file: 'lib/domain/alarm/selector/knows-zod.ts', source: `export { z } from 'zod';\n`, rule: layers },
  { file: 'lib/format/knows-draw.ts', source: `export { thing } from '#lib/draw/thing.ts';\n`, rule: layers },
  { file: 'lib/api/knows-report.ts', source: `export { thing } from '../report/thing.ts';\n`, rule: layers },
  { file: 'lib/lazily.ts', source: `export const lazily = () => import('#server/store/thing.ts');\n`, rule: layers },
  { file: 'lib/by-type.ts', source: `export type Thing = import('#server/store/thing.ts').Thing;\n`, rule: layers },
  { file: 'server/store/knows-web.ts', source: `export { page } from '../web/page.ts';\n`, rule: layers },
  { file: 'server/collector/knows-web.ts', source: `export { page } from '../web/page.ts';\n`, rule: layers },
  { file: 'server/collector/deep/knows-web.ts', source: `export { page } from '../../web/page.ts';\n`, rule: layers },
  {
    file: 'server/web/knows-collector.ts',
    source: `export { collect } from '../collector/collect.ts';\n`,
    rule: layers,
  },
  { file: 'server/web/knows-clusters.ts', source: `export * from '@kubernetes/client-node';\n`, rule: layers },
  { file: 'server/web/knows-react.ts', source: `export { createElement } from 'react';\n`, rule: layers },
  { file: 'server/web/second-entry.ts', source: `export { default as next } from 'next';\n`, rule: layers },
  { file: 'server/collector/knows-next.ts', source: `export { default as next } from 'next';\n`, rule: layers },
  { file: 'server/simulator/knows-store.ts', source: `export { thing } from '../store/thing.ts';\n`, rule: layers },
  { file: 'server/supervisor/knows-web.ts', source: `export { page } from '../web/page.ts';\n`, rule: layers },
  { file: 'server/store/escapes.ts', source: `export { thing } from '../../lib/thing.ts';\n`, rule: layers },
  { file: 'components/knows-server.tsx', source: `export { page } from '#server/web/page.ts';\n`, rule: layers },
  { file: 'components/knows-node.tsx', source: `export { join } from 'node:path';\n`, rule: layers },
  { file: 'components/ui/knows-feature.tsx', source: `export { thing } from '../matrix/thing.ts';\n`, rule: layers },
  {
    file: 'components/record/knows-feature.tsx',
    source: `export { thing } from '../history/history-section.tsx';\n`,
    rule: layers,
  },
  {
    file: 'components/cluster/past-the-door.tsx',
    source: `export { thing } from '../history/timeline/timeline.tsx';\n`,
    rule: layers,
  },
  {
    file: 'components/object/by-alias.tsx',
    source: `export { thing } from '#components/cluster/graph.ts';\n`,
    rule: layers,
  },
  { file: 'components/matrix/knows-tests.ts', source: `export { thing } from '../testing/router.ts';\n`, rule: layers },
  { file: 'app/looks-deep.tsx', source: `export { thing } from '#components/matrix/grid/grid.ts';\n`, rule: layers },
  { file: 'app/knows-store.ts', source: `export { thing } from '#server/store/thing.ts';\n`, rule: layers },
  { file: 'app/knows-collector.ts', source: `export { collect } from '#server/collector/collect.ts';\n`, rule: layers },
  { file: 'app/escapes.ts', source: `export { thing } from '../lib/thing.ts';\n`, rule: layers },
  { file: 'test/referee/knows-rules.ts', source: `export { thing } from '#lib/thing.ts';\n`, rule: layers },
  { file: 'test/referee/knows-store.ts', source: `export { thing } from '#server/store/thing.ts';\n`, rule: layers },
  { file: 'test/referee/knows-truth.ts', source: `export { truth } from '../integration/truth.ts';\n`, rule: layers },
  { file: 'test/integration/escapes.ts', source: `export { thing } from '../../lib/thing.ts';\n`, rule: layers },
  {
    file: 'server/collector/past-the-door.ts',
    source: `export { dial } from './clusters/transport/dial.ts';\n`,
    rule: layers,
  },
  {
    file: 'server/cli/past-the-door.ts',
    source: `export { look } from '#server/collector/clusters/watch/prober.ts';\n`,
    rule: layers,
  },
  {
    file: 'lib/ring-a.ts',
    source: `import { b } from './ring-b.ts';\nexport const a = () => b;\n`,
    rule: 'import(no-cycle)',
  },
  {
    file: 'server/ring-a.ts',
    source: `import { b } from './ring-b.ts';\nexport const a = () => b;\n`,
    rule: 'import(no-cycle)',
  },
  {
    file: 'lib/type-ring-a.ts',
    source: `import type { B } from './type-ring-b.ts';\nexport type A = readonly B[];\n`,
    rule: 'import(no-cycle)',
  },
  { file: 'lib/utils.ts', source: `export const one = 1;\n`, rule: 'plumbline(file-name)' },
  { file: 'server/helpers/thing.ts', source: `export const one = 1;\n`, rule: 'plumbline(file-name)' },
  { file: 'components/MatrixCell.tsx', source: `export const one = 1;\n`, rule: 'plumbline(file-name)' },
  {
    file: 'lib/asks.ts',
    source: `/** Whether it is one. */\nexport const one = true;\n`,
    rule: 'plumbline(doc-opening)',
  },
  { file: 'lib/clock-now.ts', source: `export const now = () => Date.now();\n`, rule: 'plumbline(no-clock)' },
  { file: 'lib/clock-new.ts', source: `export const now = () => new Date();\n`, rule: 'plumbline(no-clock)' },
  { file: 'lib/dice.ts', source: `export const roll = () => Math.random();\n`, rule: 'plumbline(no-clock)' },
  {
    file: 'lib/timer.ts',
    source: `export const later = (task: () => void) => void setTimeout(task, 1);\n`,
    rule: 'plumbline(no-clock)',
  },
  {
    file: 'server/runs-at-once.ts',
    source: `const seen = new Set<string>();\nseen.add('a');\nexport { seen };\n`,
    rule: 'plumbline(no-top-level-effects)',
  },
  {
    file: 'lib/remembers.ts',
    source: `export let last = '';\nexport function keep(text: string): void {\n  last = text;\n}\n`,
    rule: 'plumbline(no-top-level-effects)',
  },
  {
    file: 'lib/made-pattern.ts',
    source: `export const find = (word: string) => new RegExp(word);\n`,
    rule: 'plumbline(no-made-pattern)',
  },
  {
    file: 'components/joined-pattern.tsx',
    source: `export const find = (word: string) => RegExp(\`a\${word}\`, 'g');\n`,
    rule: 'plumbline(no-made-pattern)',
  },
  {
    file: 'server/collector/reconcilers/raw-text.ts',
    source: `import { textAt } from '#lib/foreign.ts';\nexport const name = (object: unknown) => textAt(object, 'name');\n`,
    rule: 'plumbline(foreign-words)',
  },
  {
    file: 'server/collector/alarms/raw-word.ts',
    source: `export const word = (value: unknown) => (typeof value === 'string' ? value : null);\n`,
    rule: 'plumbline(foreign-words)',
  },
  {
    file: 'server/collector/clusters/watch/raw-word.ts',
    source: `export const word = (value: unknown) => (typeof value === 'string' ? value : null);\n`,
    rule: 'plumbline(foreign-words)',
  },
  { file: 'lib/long.ts', source: `${'// line\n'.repeat(401)}export const one = 1;\n`, rule: 'eslint(max-lines)' },
  { file: 'lib/long-function.ts', source: functionOf(81), rule: 'eslint(max-lines-per-function)' },
  {
    file: 'server/long-closure.ts',
    source: `export function open(): () => void {\n  return done;\n${functionOf(79).replace('export function one', 'function done')}}\n`,
    rule: 'eslint(max-lines-per-function)',
  },
  {
    file: 'lib/any.ts',
    source: `export function size(thing: any): number {\n  return Number(thing);\n}\n`,
    rule: 'typescript(no-explicit-any)',
  },
  {
    file: 'lib/bang.ts',
    source: `export function first(list: string[]): string {\n  return list[0]!;\n}\n`,
    rule: 'typescript(no-non-null-assertion)',
  },
  {
    file: 'lib/cast.ts',
    source: `export function name(thing: unknown): string {\n  return thing as string;\n}\n`,
    rule: 'typescript(consistent-type-assertions)',
  },
  {
    file: 'lib/floating.ts',
    source: `async function work(): Promise<void> {\n  await Promise.resolve();\n}\nexport function start(): void {\n  work();\n}\n`,
    rule: 'typescript(no-floating-promises)',
  },
  {
    file: 'lib/switch.ts',
    source: `export function word(verdict: 'stale' | 'drifted'): string {\n  let found = '';\n  switch (verdict) {\n    case 'stale':\n      found = 'a';\n      break;\n  }\n  return found;\n}\n`,
    rule: 'typescript(switch-exhaustiveness-check)',
  },
  {
    file: 'lib/type-import.ts',
    source: `import { z } from 'zod';\nexport type Schema = z.ZodType;\n`,
    rule: 'typescript(consistent-type-imports)',
  },
  {
    file: 'lib/default.ts',
    source: `export default function one(): number {\n  return 1;\n}\n`,
    rule: 'import(no-default-export)',
  },
  {
    file: 'server/talks.ts',
    source: `export function talk(): void {\n  console.log('x');\n}\n`,
    rule: 'eslint(no-console)',
  },
  {
    file: 'lib/expression.ts',
    source: `export const one = function (): number {\n  return 1;\n};\n`,
    rule: 'eslint(func-style)',
  },
];

/** Sources that the rules must let through. */
const sound: { readonly [path: string]: string } = {
  'lib/domain/alarm/selector/expression.ts': `export { parser } from '@prometheus-io/lezer-promql';\n`,
  'lib/api/thing.ts': `import { z } from 'zod';\nexport interface Thing {\n  readonly at: number;\n}\nexport const schema = z.object({ at: z.number() });\nexport const names = ['a', 'b'] as const;\nexport const thing: Thing = { at: Date.parse('2026-11-21T00:00:00Z') };\nexport const day = new Date(0).toISOString();\n`,
  'lib/thing.test.ts': `import { readFileSync } from 'node:fs';\nimport { it } from 'vitest';\nimport { thing } from './api/thing.ts';\nit('is there', ({ expect }) => {\n  expect([thing, readFileSync]).toHaveLength(2);\n  expect(Date.now()).toBeGreaterThan(0);\n});\n`,
  'lib/ring-b.ts': `import { a } from './ring-a.ts';\nexport const b = () => a;\n`,
  'lib/type-ring-b.ts': `import type { A } from './type-ring-a.ts';\nexport type B = A | null;\n`,
  'lib/eighty-lines.ts': functionOf(80),
  'lib/long-case.test.ts': functionOf(81),
  'server/ring-b.ts': `import { a } from '#server/ring-a.ts';\nexport const b = () => a;\n`,
  'server/store/thing.ts': `import { join } from 'node:path';\nimport type { Thing } from '#lib/api/thing.ts';\nexport type { Thing };\nexport const thing = join('a', 'b');\n`,
  'server/collector/collect.ts': `export { thing as collect } from '../store/thing.ts';\n`,
  'server/collector/main.ts': `import { collect } from './collect.ts';\nprocess.stdout.write(collect);\n`,
  'server/web/page.ts': `export { thing as page } from '../store/thing.ts';\n`,
  'server/web/next-mount.ts': `import next from 'next';\nexport const app = next;\n`,
  'test/referee/count.ts': `import { DatabaseSync } from 'node:sqlite';\nimport { z } from 'zod';\nexport const count = [DatabaseSync, z];\n`,
  'server/cli/anything.ts': `export { collect } from '../collector/collect.ts';\n`,
  'components/matrix-cell.tsx': `import { thing } from '#lib/api/thing.ts';\nexport function MatrixCell() {\n  return <p>{thing.at}</p>;\n}\n`,
  'components/cluster/by-the-door.tsx': `export { ClusterHistory } from '../history/history-section.tsx';\nexport { Time } from '../ui/time.tsx';\n`,
  'components/cluster/graph.test.ts': `import { it } from 'vitest';\nimport { chosen } from '../history/timeline/timeline.tsx';\nit('is drawn', ({ expect }) => {\n  expect(chosen).toBe(1);\n});\n`,
  'app/clusters/[cluster]/page.tsx': `import { page } from '#server/web/page.ts';\nexport default function Page() {\n  return <p>{page}</p>;\n}\n`,
};

describe('the linter', () => {
  let complaints: readonly Complaint[] = [];

  beforeAll(async () => {
    const violations = Object.fromEntries(planted.map(({ file, source }) => [file, source]));
    complaints = await lintPlanted({ ...violations, ...sound });
  }, 60_000);

  it.each(planted)('refuses $file by $rule', ({ file, rule }) => {
    expect(complaints.filter((complaint) => complaint.file === file).map((complaint) => complaint.rule)).toContain(
      rule,
    );
  });

  it.each(Object.keys(sound).filter((file) => !file.includes('ring')))('lets %s through', (file) => {
    expect(complaints.filter((complaint) => complaint.file === file)).toEqual([]);
  });
});
