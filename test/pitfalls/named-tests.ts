import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Where a pitfall is tested: a file of this project, and the title of the test (or of the row of its table) in it. */
export interface NamedTest {
  readonly file: string;
  readonly title: string;
}

/** True if the file has a test, or a row of a table of tests, of just this title. */
export function isThere({ file, title }: NamedTest): boolean {
  const text = readFileSync(join(root, file), 'utf8');
  const quoted = [`'${title.replaceAll("'", String.raw`\'`)}'`, `"${title}"`, `\`${title}\``];
  return quoted.some((each) => text.includes(each));
}
