import type { WireReport } from '../../api/report.ts';
import type { Cell, DocumentSection, DocumentTable, ReportDocument, Text } from '../../report/document.ts';
import { verdictLabel } from '../../format/verdict-label.ts';
import { glyphStroke, verdictGlyphs } from '../glyphs.ts';
import { legibleLine } from '../../domain/observation/legible.ts';
import { escapeMarkup } from '../../format/markup.ts';
import { reportPicture } from './report-picture.ts';
import { surfaces, verdictTones } from '../tokens.ts';

/** Text that is no markup, and steers nothing that shows it. */
function safe(text: string): string {
  return escapeMarkup(legibleLine(text));
}

/**
 * A report as one HTML file that needs nothing else: no script, no font, no picture, no style from anywhere; light or dark as the
 * reader's browser is set, black on white on A4. `origin` is where Plumbline is served, null where that is not known: then only
 * what lies in the file itself is a link.
 */
export function reportHtml(report: WireReport, document: ReportDocument, origin: string | null): string {
  const { title, subtitle, notices, lead, worst, figures, times, sections, reading, foot, self } = document;
  const permalink = origin === null ? '' : ` <a href="${safe(origin + self)}">${safe(origin + self)}</a>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none';style-src 'unsafe-inline'">
<title>${safe(title)} · Plumbline</title>
<style>${style}</style>
</head>
<body>
<main>
<header><b>Plumbline</b></header>
<h1>${safe(title)}</h1>
<p class="sub">${safe(subtitle)}</p>
${notices.map((notice) => `<p class="notice">${safe(notice)}</p>`).join('\n')}
${leadHtml(lead, origin)}
${worst === null ? '' : sectionHtml(worst, report, origin)}
${figures.length === 0 ? '' : `<dl class="heads">${figures.map((figure) => `<div><dt>${safe(figure.label)}</dt><dd class="value">${linked(safe(figure.value), figure.href ?? undefined, origin)}</dd><dd>${safe(figure.note)}</dd><dd class="meaning">${safe(figure.meaning)}</dd></div>`).join('')}</dl>`}
${leadHtml(times, origin)}
${reading.length === 0 ? '' : `<section><h2>How to read this report</h2><dl class="reading">${reading.map(({ term, meaning }) => `<dt>${safe(term)}</dt><dd>${safe(meaning)}</dd>`).join('')}</dl></section>`}
${sections.map((section) => sectionHtml(section, report, origin)).join('\n')}
<footer>${foot.map(safe).join(' ')}${permalink}</footer>
</main>
</body>
</html>
`;
}

function leadHtml(paragraphs: readonly Text[], origin: string | null): string {
  if (paragraphs.length === 0) return '';
  return `<div class="lead">${paragraphs.map((paragraph) => `<p>${rich(paragraph, origin)}</p>`).join('\n')}</div>`;
}

function sectionHtml(section: DocumentSection, report: WireReport, origin: string | null): string {
  const { id, title, note, picture, table } = section;
  const drawn = picture === null ? '' : reportPicture(picture, report, 'auto');
  const rows = tableHtml(table, origin);
  // A table that only repeats a picture is there for who wants it; on paper the picture says it.
  const body =
    picture === null
      ? rows
      : `<div class="drawn">${drawn}</div><details><summary>As a table</summary>${rows}</details>`;
  return `<section id="${safe(id)}"><h2>${safe(title)}${note === '' ? '' : ` <small>${safe(note)}</small>`}</h2>${body}</section>`;
}

function tableHtml({ columns, rows, none, more }: DocumentTable, origin: string | null): string {
  if (rows.length === 0) return `<p class="none">${safe(none)}</p>`;
  const align = (index: number): string => (columns[index]?.right === true ? ' class="right"' : '');
  const head = columns.map(({ title }, index) => `<th scope="col"${align(index)}>${safe(title)}</th>`).join('');
  const body = rows.map(
    (row) =>
      `<tr>${row.map((cell, index) => (index === 0 ? `<th scope="row">${cellHtml(cell, origin)}</th>` : `<td${align(index)}>${cellHtml(cell, origin)}</td>`)).join('')}</tr>`,
  );
  const rest = more.text === '' ? '' : `<p class="none">${linked(safe(more.text), more.href, origin)}</p>`;
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>${rest}`;
}

function cellHtml({ text, href, verdict }: Cell, origin: string | null): string {
  const indent = /^ +/.test(text) ? '<span class="in"></span>' : '';
  const words = linked(safe(text.trim()), href, origin);
  if (verdict === undefined) return indent + words;
  const parts = verdictGlyphs[verdict].map(({ d, outline }) =>
    outline
      ? `<path d="${d}" fill="none" stroke="currentColor" stroke-width="${glyphStroke}"/>`
      : `<path d="${d}" fill="currentColor"/>`,
  );
  return `<svg class="glyph v-${verdict}" width="11" height="11" viewBox="0 0 12 12" role="img"><title>${verdictLabel(verdict)}</title>${parts.join('')}</svg> ${words}`;
}

function rich(pieces: Text, origin: string | null): string {
  return pieces
    .map(({ text, strong, href }) => {
      const words = linked(safe(text), href, origin);
      return strong === true ? `<b>${words}</b>` : words;
    })
    .join('');
}

/** `words` is markup already. */
function linked(words: string, href: string | undefined, origin: string | null): string {
  if (href === undefined) return words;
  if (href.startsWith('#')) return `<a href="${safe(href)}">${words}</a>`;
  return origin === null ? words : `<a href="${safe(origin + href)}">${words}</a>`;
}

const names = ['paper', 'raised', 'ink', 'mute', 'rule', 'faint', 'field'] as const;
const set = (of: 'light' | 'dark'): string =>
  [
    ...names.map((name) => `--${name}:${surfaces[name][of]}`),
    ...Object.entries(verdictTones).map(([verdict, tone]) => `--${verdict}:${tone[of]}`),
  ].join(';');

const style = `:root{${set('light')}}
@media screen and (prefers-color-scheme:dark){:root{${set('dark')}}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:13px/1.45 'IBM Plex Sans',system-ui,sans-serif;font-feature-settings:'tnum'}
main{max-width:808px;margin:0 auto;padding:20px 24px 40px}
header{border-bottom:1px solid var(--ink);padding-bottom:6px}
h1{font-size:24px;font-weight:500;letter-spacing:-.01em;margin:18px 0 2px}
h2{font-size:13px;font-weight:600;margin:26px 0 6px}
h2 small{font-size:12px;font-weight:400;color:var(--mute);margin-left:6px}
.sub,.none,footer,small{color:var(--mute)}
.sub{margin:0 0 14px}
.notice{border-left:3px solid var(--field);padding-left:10px;margin:0 0 6px}
.lead{font-size:16px;line-height:1.5;max-width:68ch;margin-top:14px}
.lead p{margin:0 0 8px}
b{font-weight:600}
a{color:inherit;text-decoration:underline;text-decoration-color:var(--field);text-underline-offset:3px}
#worst th:first-child,#incidents th:first-child{min-width:22ch}
.heads{display:grid;grid-template-columns:repeat(3,1fr);border:solid var(--rule);border-width:1px 0;margin:16px 0 0}
.heads>div{padding:9px 12px;border-left:1px solid var(--rule)}
.heads>div:nth-child(3n+1){border-left:0;padding-left:0}
.heads>div:nth-child(n+4){border-top:1px solid var(--rule)}
.heads dt{color:var(--mute)}
.heads dd{margin:0;font-size:12px}
.heads .meaning{color:var(--mute)}
.lead b,#figures td:last-child{white-space:nowrap}
.heads .value{font:22px/1.3 'IBM Plex Mono',ui-monospace,monospace}
.heads .value a{text-decoration:none}
table{width:100%;border-collapse:collapse}
th,td{padding:5px 10px 5px 0;border-bottom:1px solid var(--faint);text-align:left;vertical-align:top;font-weight:400;overflow-wrap:break-word}
thead th{color:var(--mute);font-size:12px;border-bottom-color:var(--rule)}
.right{text-align:right;white-space:nowrap}
.right:last-child{padding-right:0}
.in{display:inline-block;width:18px}
.drawn,.wide{overflow-x:auto}
.drawn svg{display:block;max-width:100%;height:auto}
summary{color:var(--mute);cursor:pointer;margin-top:4px}
.glyph{vertical-align:-1px}
${Object.keys(verdictTones)
  .map((verdict) => `.v-${verdict}{color:var(--${verdict})}`)
  .join('')}
.reading{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px;margin:0}
.reading dt{font-weight:600}
.reading dd{margin:0}
footer{border-top:1px solid var(--rule);margin-top:30px;padding-top:8px;font-size:12px;overflow-wrap:anywhere}
@media (max-width:640px){main{padding:14px}.heads{grid-template-columns:1fr}.heads>div{border-left:0;padding-left:0}.heads>div:nth-child(n+2){border-top:1px solid var(--rule)}.drawn svg{min-width:600px}.reading{grid-template-columns:1fr}}
@page{size:A4;margin:14mm 14mm 16mm}
@media print{body{background:#fff;color:#000;font-size:8.5pt}main{max-width:none;padding:0}.lead{font-size:10pt}details{display:none}th,td{overflow-wrap:anywhere}th:first-child{min-width:13ch}td:last-child{overflow-wrap:break-word}h2{font-size:11.5px}h2 small,thead th,.heads dd,footer{font-size:8pt}.heads .value{font-size:18px}h2{break-after:avoid}tr,.heads,.drawn{break-inside:avoid}thead{display:table-header-group}a{text-decoration:none}.glyph{color:#000}}`;
