import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A command as a document gives it. */
export interface DocumentedCommand {
  readonly document: string;
  readonly line: number;
  /** Without the comment behind it. */
  readonly command: string;
}

/** Blocks in these languages are for a person to type, or for cron. */
const shells = /^\s*```(?:sh|bash|shell|console|cron)\s*$/;

/** Every command in the blocks of one document, one a line; a line that ends in `\` goes on. */
export function commandsIn(document: string, text: string): readonly DocumentedCommand[] {
  const found: DocumentedCommand[] = [];
  let open = false;
  let begun: { readonly line: number; readonly text: string } | null = null;
  for (const [index, content] of text.split('\n').entries()) {
    if (/^\s*```/.test(content)) {
      open = !open && shells.test(content);
      begun = null;
      continue;
    }
    if (!open) continue;
    const line: number = begun?.line ?? index + 1;
    const written: string = `${begun?.text ?? ''}${content.replace(/(?:^|\s+)#.*$/, '').trim()}`;
    if (written.endsWith('\\')) begun = { line, text: written.slice(0, -1) };
    else {
      begun = null;
      if (written !== '') found.push({ document, line, command: written });
    }
  }
  return found;
}

/** Every command in the blocks of README, CONTRIBUTING and docs, in the order of the documents. */
export function documentedCommands(root: string): readonly DocumentedCommand[] {
  const documents = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root }).toSorted()];
  return documents.flatMap((document) => commandsIn(document, readFileSync(join(root, document), 'utf8')));
}
