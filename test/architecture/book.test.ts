import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { book } from '#test/real/book/book.ts';
import { printed } from '#test/real/book/print.ts';

const chapters = book.flatMap((act) => act.chapters);
const situations = chapters.flatMap((chapter) => chapter.situations);

it('lies beside the referee as a page that says what is played', () => {
  const page = readFileSync(join(import.meta.dirname, '..', 'real', 'BOOK.md'), 'utf8');
  expect(page, 'run: node test/real/book/print.ts > test/real/BOOK.md').toBe(printed(book));
});

it('names every chapter and every situation once', () => {
  const names = [...chapters, ...situations].map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

it('looks at something in every situation', () => {
  expect(situations.filter(({ checks }) => checks.length === 0)).toEqual([]);
});
