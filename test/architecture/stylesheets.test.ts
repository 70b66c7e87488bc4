// The rules of docs/decisions/0014-tailwind-and-css.md that a reader of one file cannot see.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const files = execFileSync('git', ['ls-files', 'app', 'components', 'lib/draw'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(?:css|tsx?)$/.test(file) && !/\.test\.|\/testing\//.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
const sheets = files.filter(({ file }) => file.endsWith('.css'));
const sources = files.filter(({ file }) => !file.endsWith('.css'));

/** "components/object/said/says.tsx" is of components/object, "app/reports/page.tsx" of app. */
function featureOf(file: string): string {
  return file
    .split('/')
    .slice(0, file.startsWith('components/') ? 2 : 1)
    .join('/');
}

it('no feature imports the stylesheet of another', () => {
  const imports = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/^import '(\.[^']*\.css)';$/gm)].map(([, sheet = '']) => ({
      file,
      sheet: join(dirname(file), sheet),
    })),
  );
  expect(imports.length).toBeGreaterThan(15);
  expect(imports.filter(({ file, sheet }) => featureOf(file) !== featureOf(sheet))).toEqual([]);
});

it('shared pieces lie in the layer of components, where a utility or a feature has the last word', () => {
  const ofFeatures = sheets.filter(({ file }) => file.startsWith('components/'));
  const shared = ofFeatures.filter(({ file }) => featureOf(file) === 'components/ui');
  expect(shared.length).toBeGreaterThan(5);
  expect(ofFeatures.filter(({ text }) => text.startsWith('@layer components {'))).toEqual(shared);
});

it('every class of a stylesheet is given to some element', () => {
  const text = sources.map((source) => source.text).join('\n');
  // Names that are put together: `is-${state}`.
  const beginnings = new Set([...text.matchAll(/([a-z]+-)\$\{/g)].map(([, beginning = '']) => beginning));
  const words = new Set(text.match(/[a-zA-Z][\w-]*/g));
  const foreign = ['recharts-surface'];
  const unused = sheets.flatMap((sheet) =>
    classesOf(sheet.text)
      .filter((name) => !words.has(name) && !foreign.includes(name))
      .filter((name) => ![...beginnings].some((beginning) => name.startsWith(beginning)))
      .map((name) => `${sheet.file}: .${name}`),
  );
  expect(unused).toEqual([]);
});

function classesOf(css: string): readonly string[] {
  const selectors = css.replace(/\/\*[\s\S]*?\*\//g, '').match(/[^{};]+\{/g) ?? [];
  return [...new Set(selectors.flatMap((selector) => selector.match(/(?<=\.)[a-zA-Z][\w-]*/g) ?? []))];
}
