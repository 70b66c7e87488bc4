import type { Cell, DocumentSection, DocumentTable, Piece, ReportDocument, Text } from '../../report/document.ts';
import { legibleLine } from '../../domain/observation/legible.ts';
import { verdictLabel } from '../../format/verdict-label.ts';

/**
 * A report as Markdown (CommonMark with the tables of GitHub). `origin` is where Plumbline is served, e.g. https://plumbline.example.org;
 * null where that is not known: then nothing is a link, for a path alone leads nowhere from a mail.
 */
export function reportMarkdown(document: ReportDocument, origin: string | null): string {
  const lines = [
    `# ${text(document.title)}`,
    '',
    text(document.subtitle),
    '',
    ...document.notices.flatMap((notice) => [`> ${text(notice)}`, '']),
    ...document.lead.flatMap((paragraph) => [rich(paragraph, origin), '']),
    ...(document.worst === null ? [] : sectionLines(document.worst, origin)),
    ...(document.figures.length === 0
      ? []
      : [
          ...table(
            {
              columns: document.figures.map(({ label }) => ({ title: label })),
              rows: [
                document.figures.map(({ value, href }) => ({ text: value, ...(href === null ? {} : { href }) })),
                document.figures.map(({ note }) => ({ text: note })),
                document.figures.map(({ meaning }) => ({ text: meaning })),
              ],
              none: '',
              more: { text: '' },
            },
            origin,
          ),
          '',
        ]),
    ...document.times.flatMap((paragraph) => [rich(paragraph, origin), '']),
    ...(document.reading.length === 0 ? [] : ['## How to read this report', '']),
    ...document.reading.map(({ term, meaning }) => `- **${text(term)}**: ${text(meaning)}`),
    ...(document.reading.length === 0 ? [] : ['']),
    ...document.sections.flatMap((section) => sectionLines(section, origin)),
    ...document.foot.map(text),
    ...(origin === null ? [] : ['', `<${origin}${document.self}>`]),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function sectionLines({ title, note, table: rows }: DocumentSection, origin: string | null): string[] {
  return [`## ${text(title)}`, '', ...(note === '' ? [] : [text(note), '']), ...table(rows, origin), ''];
}

function table({ columns, rows, none, more }: DocumentTable, origin: string | null): string[] {
  if (rows.length === 0) return [none];
  return [
    `| ${columns.map(({ title }) => text(title)).join(' | ')} |`,
    `| ${columns.map(({ right }) => (right === true ? '--:' : '---')).join(' | ')} |`,
    ...rows.map((row) => `| ${row.map((cell) => cellText(cell, origin)).join(' | ')} |`),
    ...(more.text === '' ? [] : ['', cellText(more, origin)]),
  ];
}

function cellText(cell: Cell, origin: string | null): string {
  const words = cell.verdict === undefined ? cell.text : `${verdictLabel(cell.verdict)}: ${cell.text}`;
  return linked(words.trim(), cell.href, origin);
}

function rich(pieces: Text, origin: string | null): string {
  return pieces
    .map((piece: Piece) => {
      const words = linked(piece.text, piece.href, origin);
      return piece.strong === true ? `**${words}**` : words;
    })
    .join('');
}

/** An anchor of the page means nothing here. */
function linked(words: string, href: string | undefined, origin: string | null): string {
  if (href === undefined || origin === null || href.startsWith('#')) return text(words);
  return `[${text(words)}](${origin}${href
    .replace(/[()\s<>|]/g, encodeURIComponent)
    .replaceAll('(', '%28')
    .replaceAll(')', '%29')})`;
}

/** Marks that mean something wherever they stand: in CommonMark, in the tables, formulas and footnotes of GitHub. */
const marks = /[\\`*_{}[\]<>|#~&!$^@]/g;
/** An address becomes a link by itself, a line a list or a rule. */
const links = /:(?=\/\/)|(?<=\bwww)\./gi;
const begins = /^(?=[-+]\s|-{2}|=+$)|(?<=^\d{1,9})(?=[.)]\s)/;

/** Text in which nothing is markup, on one line, and that steers nothing that shows it. */
function text(words: string): string {
  const line = legibleLine(words.replace(/\s+/g, ' '));
  const escaped = line.replace(marks, (mark) => `\\${mark}`).replace(links, (mark) => `\\${mark}`);
  return escaped.replace(begins, '\\');
}
