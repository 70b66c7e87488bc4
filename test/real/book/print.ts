import { book } from './book.ts';
import { neverTitle } from './play.ts';
import type { Act, Situation } from './situation.ts';

/** The book as a page: what is played, and what must be said then. */
export function printed(acts: readonly Act[]): string {
  const lines = [
    '# The book of situations',
    '',
    'Written by `node test/real/book/print.ts > test/real/BOOK.md` from the situations that `npm run test:real` plays.',
    'A name in quotation marks is a commit or a time that was noted when it was made. No onset may be "at least" only.',
    '',
  ];
  let number = 0;
  for (const act of acts) {
    lines.push(`## ${act.title}`, '');
    for (const chapter of act.chapters) {
      lines.push(`### ${chapter.title} (\`${chapter.name}\`)`, '');
      for (const situation of chapter.situations) {
        number += 1;
        lines.push(`- **${number}** ${situation.name}`, ...expectations(situation).map((line) => `  - ${line}`));
      }
      lines.push('');
    }
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function expectations(situation: Situation): readonly string[] {
  return [...situation.checks.map((check) => check.expects), ...(situation.never ?? []).map(neverTitle)];
}

if (import.meta.main) process.stdout.write(printed(book));
