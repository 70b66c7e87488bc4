import { formatClock, formatDay } from '../../format/time.ts';
import { formatCount } from '../../format/number.ts';
import { verdictLabel } from '../../format/verdict-label.ts';
import type { EmbedCell, EmbedContent, EmbedFrame, EmbedLine, EmbedSign, EmbedTable } from './embed-content.ts';
import { embedRefresh, embedValidity } from './embed-content.ts';
import { signParts, signTone } from './embed-signs.ts';
import { embedScript, embedStyle } from './embed-style.ts';
import { escapeMarkup } from '../../format/markup.ts';

/** Renewal of the page: by its script (and without scripts by a copy of `again` laid over it), or by itself, being that copy. */
export type EmbedRenewal = { readonly by: 'script'; readonly again: string } | { readonly by: 'itself' };

/** "21 Nov 02:59 UTC" of a time in ms, with the year where it is another one than that of `now` (ms). */
export function minuteOf(ms: number, now: number): string {
  return `${formatDay(ms, now)} ${formatClock(ms).slice(0, 5)} UTC`;
}

/** An embed as a whole page of HTML. It says everything without scripts, and greys itself out `embedValidity` after it was shown. */
export function embedPage(content: EmbedContent, frame: EmbedFrame, renewal: EmbedRenewal): string {
  const title = `${content.lead} ${content.sentence}`.trim();
  return page(title, frame.theme, `${head(content, frame)}${body(content)}`, renewal);
}

/** Page of a link that opens nothing: one sentence, in the same frame. */
export function embedRefusal(sentence: string): string {
  return page(sentence, 'auto', `<h1><span>${escapeMarkup(sentence)}</span></h1>`, null);
}

function page(title: string, theme: EmbedFrame['theme'], main: string, renewal: EmbedRenewal | null): string {
  const self = renewal?.by === 'itself' ? `<meta http-equiv="refresh" content="${embedRefresh}">` : '';
  return (
    `<!doctype html><html lang="en" data-theme="${theme}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">' +
    `${self}<title>${escapeMarkup(title)} · Plumbline</title><style>${embedStyle}</style></head>` +
    `<body><main class="embed">${main}</main>${renewal?.by === 'script' ? renewing(renewal.again) : ''}</body></html>`
  );
}

/**
 * Without scripts only a page that is fetched whole can be newer, and one that cannot be fetched would leave a browser's own
 * words in place of ours: so it is fetched into a frame over this page, which stays beneath.
 */
function renewing(again: string): string {
  return (
    `<noscript><object type="text/html" data="${escapeMarkup(again)}" aria-label="The same, renewed every minute"></object></noscript>` +
    `<script>${embedScript}</script>`
  );
}

function body(content: EmbedContent): string {
  const { sign, lead, sentence, counts, standing, lines, table, more } = content;
  const loud = lead === '' ? '' : `<b>${escapeMarkup(lead)}</b> `;
  const counted = counts.map(
    ([verdict, n]) =>
      `<li>${signSvg({ type: 'verdict', verdict }, 12)} <span class="words">${formatCount(n)} ${verdict}</span></li>`,
  );
  return [
    `<h1>${sign === null ? '' : signSvg(sign, 16)}<span class="words">${loud}${escapeMarkup(sentence)}</span></h1>`,
    counted.length === 0 ? '' : `<ul class="counts">${counted.join('')}</ul>`,
    standing === '' ? '' : `<p class="standing"><span class="words">${escapeMarkup(standing)}</span></p>`,
    lines.length === 0 ? '' : `<table class="lines"><tbody>${lines.map(line).join('')}</tbody></table>`,
    table === null ? '' : matrix(table),
    more === '' ? '' : `<p class="more">${escapeMarkup(more)}</p>`,
  ].join('');
}

/** Of what and of when it is stands first: a frame may be lower than what it holds. */
function head({ title, href }: EmbedContent, { madeAt, simulated }: EmbedFrame): string {
  const until = madeAt + embedValidity;
  return (
    `<header>${link(href, title)}` +
    `<p>made ${time(madeAt, minuteOf(madeAt, madeAt))}, valid to ${time(until, `${formatClock(until).slice(0, 5)} UTC`)}</p>` +
    `<span>${simulated ? 'Plumbline, simulated fleet' : 'Plumbline'}</span>` +
    '<p class="old">No news came since. What is struck out may not be so any more.</p></header>'
  );
}

function time(ms: number, words: string): string {
  return `<time datetime="${new Date(ms).toISOString()}">${words}</time>`;
}

function link(href: string, words: string): string {
  return `<a href="${escapeMarkup(href)}" target="_blank" rel="noopener">${escapeMarkup(words)}</a>`;
}

function signSvg(sign: EmbedSign, size: number, silent = false): string {
  return `<svg class="sign c-${signTone(sign)}${silent ? ' silent' : ''}" width="${size}" height="${size}" viewBox="0 0 12 12" aria-hidden="true">${signParts(sign)}</svg>`;
}

function line({ verdict, silent, title, note, href }: EmbedLine): string {
  return (
    `<tr><td>${signSvg({ type: 'verdict', verdict }, silent ? 16 : 12, silent)}</td>` +
    `<th scope="row">${link(href, title)}</th>` +
    `<td class="note"><span class="words">${escapeMarkup(note)}</span></td></tr>`
  );
}

function matrix({ columns, rows }: EmbedTable): string {
  const heads = columns.map(
    (title) => `<th scope="col"><span title="${escapeMarkup(title)}">${escapeMarkup(title)}</span></th>`,
  );
  const body = rows.map(
    ({ title, href, cells }) => `<tr><th scope="row">${link(href, title)}</th>${cells.map(cell).join('')}</tr>`,
  );
  return (
    `<div class="scroll"><table class="matrix"><thead><tr><th scope="col">Cluster</th>${heads.join('')}</tr></thead>` +
    `<tbody>${body.join('')}</tbody></table></div>`
  );
}

function cell(found: EmbedCell): string {
  if (found === null) return '<td></td>';
  const { verdict, silent, note, href } = found;
  const said = escapeMarkup(`${verdictLabel(verdict)}${note === '' ? '' : `, ${note}`}`);
  const drawn = `${signSvg({ type: 'verdict', verdict }, silent ? 16 : 12, silent)}<span class="hidden">${said}</span>`;
  if (verdict === 'converged') return `<td title="${said}">${drawn}</td>`;
  return `<td class="t-${verdict}"><a href="${escapeMarkup(href)}" target="_blank" rel="noopener" title="${said}">${drawn}</a></td>`;
}
