import { readYaml } from '#server/config/yaml-text.ts';
import { ownText } from '../own-text.ts';
import { isForeignObject, listAt, textAt, textsAt } from '#lib/foreign.ts';

/** A larger kustomization file is not read (bytes). */
export const largestKustomization = 256 * 1024;
/** Marks (lines, colons, dashes) of one that is read: each costs some 5 µs, and nobody else gets a turn meanwhile. */
const mostMarks = 40_000;
/** Names that are read of one. */
const mostNames = 5_000;

/** Names in a kustomization file, as it is written there. */
export type Kustomization =
  | {
      readonly type: 'read';
      /** Files, or directories with a kustomization file of their own; addresses of remote ones among them. */
      readonly named: readonly string[];
      /** Directories that count with everything beneath them, where they are there. */
      readonly charts: readonly string[];
    }
  | { readonly type: 'unreadable' };

/** Lists of files and directories, by field (kustomize, api/types/kustomization.go). Of some an entry may be YAML itself. */
const listFields = [
  'resources',
  'bases',
  'components',
  'crds',
  'configurations',
  'patchesStrategicMerge',
  'generators',
  'transformers',
  'validators',
] as const;
/** Lists of objects that name one file in `path`. */
const pathFields = ['patches', 'patchesJson6902', 'replacements'] as const;
const generatorFields = ['configMapGenerator', 'secretGenerator'] as const;

/** Reads a kustomization file. Never throws: what is no YAML, or stands for too much, is unreadable. */
export function readKustomization(bytes: Buffer): Kustomization {
  const yaml = readYaml(bytes.toString('utf8'), mostMarks);
  if (yaml.type !== 'ok' || !isForeignObject(yaml.content)) return { type: 'unreadable' };
  const { content } = yaml;
  const named = [
    ...listFields.flatMap((field) => textsAt(content, field)),
    ...pathFields.flatMap((field) => listAt(content, field).flatMap((entry) => optional(textAt(entry, 'path')))),
    ...generatorFields.flatMap((field) => listAt(content, field).flatMap(generatorFiles)),
    ...listAt(content, 'helmCharts').flatMap((chart) => [
      ...optional(textAt(chart, 'valuesFile')),
      ...textsAt(chart, 'additionalValuesFiles'),
    ]),
    ...listAt(content, 'helmChartInflationGenerator').flatMap((chart) => optional(textAt(chart, 'values'))),
    ...optional(textAt(content, 'openapi', 'path')),
  ];
  // Whatever has a line break is YAML in place of a name.
  const names = named.filter((name) => name !== '' && !name.includes('\n'));
  return names.length > mostNames
    ? { type: 'unreadable' }
    : { type: 'read', named: names.map(ownText), charts: charts(content).map(ownText) };
}

/** "file" and "key=file". */
function generatorFiles(generator: unknown): readonly string[] {
  const files = textsAt(generator, 'files').map((file) => file.slice(file.indexOf('=') + 1));
  return [...files, ...textsAt(generator, 'envs'), ...optional(textAt(generator, 'env'))];
}

function optional(text: string | null): readonly string[] {
  return text === null ? [] : [text];
}

/** Charts are looked for in "charts" where nothing else is said. */
function charts(content: unknown): readonly string[] {
  const old = listAt(content, 'helmChartInflationGenerator');
  if (listAt(content, 'helmCharts').length === 0 && old.length === 0) return [];
  const homes = [textAt(content, 'helmGlobals', 'chartHome'), ...old.map((chart) => textAt(chart, 'chartHome'))];
  const said = homes.filter((home) => home !== null);
  return said.length === 0 ? ['charts'] : said;
}
