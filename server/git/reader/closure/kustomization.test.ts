import { expect, it } from 'vitest';
import { yamlBomb } from '#test/hostile/kubeconfigs.ts';
import { readKustomization } from './kustomization.ts';

function named(text: string): unknown {
  const read = readKustomization(Buffer.from(text));
  return read.type === 'read' ? [...read.named, ...read.charts.map((chart) => `${chart}/**`)] : read.type;
}

// kustomize, api/types/kustomization.go
it.each<[string, string, readonly string[]]>([
  ['resources', 'resources: [a.yaml, ../base]', ['a.yaml', '../base']],
  ['bases', 'bases: [../base]', ['../base']],
  ['components', 'components: [../tls]', ['../tls']],
  ['crds', 'crds: [crd.json]', ['crd.json']],
  ['configurations', 'configurations: [c.yaml]', ['c.yaml']],
  ['patches', 'patches: [{path: p.yaml}, {patch: "a: 1"}]', ['p.yaml']],
  ['patchesStrategicMerge', 'patchesStrategicMerge:\n  - p.yaml\n  - |\n    a: 1\n    b: 2\n', ['p.yaml']],
  ['patchesJson6902', 'patchesJson6902: [{path: p.json, target: {kind: X}}]', ['p.json']],
  ['replacements', 'replacements: [{path: r.yaml}, {source: {kind: X}}]', ['r.yaml']],
  [
    'configMapGenerator',
    'configMapGenerator: [{files: [a.txt, key=b.txt], envs: [e.env], env: f.env, literals: [x=y]}]',
    ['a.txt', 'b.txt', 'e.env', 'f.env'],
  ],
  ['secretGenerator', 'secretGenerator: [{files: [s.txt]}]', ['s.txt']],
  ['generators', 'generators: [g.yaml, "a: 1\\nb: 2"]', ['g.yaml']],
  ['transformers', 'transformers: [t.yaml]', ['t.yaml']],
  ['validators', 'validators: [v.yaml]', ['v.yaml']],
  ['openapi', 'openapi: {path: schema.json}', ['schema.json']],
  [
    'helmCharts',
    'helmCharts: [{name: x, valuesFile: v.yaml, additionalValuesFiles: [w.yaml]}]',
    ['v.yaml', 'w.yaml', 'charts/**'],
  ],
  ['helmGlobals', 'helmGlobals: {chartHome: ../charts}\nhelmCharts: [{name: x}]', ['../charts/**']],
  ['helmChartInflationGenerator', 'helmChartInflationGenerator: [{values: v.yaml, chartHome: h}]', ['v.yaml', 'h/**']],
  ['nothing that names files', 'namePrefix: a\nimages: [{name: b}]\nresources: [1, null, {a: b}]', []],
])('%s', (_, text, expected) => {
  expect(named(text)).toEqual(expected);
});

it.each([
  ['a YAML bomb', yamlBomb],
  ['a list', '- a\n'],
  ['no YAML', 'a: [\n'],
  ['nesting without end', `resources: ${'['.repeat(20_000)}`],
  ['more names than are followed', `resources:\n${'- a\n'.repeat(6_000)}`],
])('does not read %s', (_, text) => {
  expect(named(typeof text === 'string' ? text : '')).toBe('unreadable');
});

it('does not read one that would cost seconds, and reads one of thousands of names', () => {
  expect(named('- a\n'.repeat(25_000))).toBe('unreadable');
  const names = Array.from({ length: 4_999 }, (_, index) => `../../some-app/base-of/${index}.yaml`);
  expect(named(`resources:\n${names.map((name) => `- ${name}\n`).join('')}`)).toHaveLength(4_999);
});
