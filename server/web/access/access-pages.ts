import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Fault, problemOf } from '../http/problem.ts';
import { sendBody } from '../http/send.ts';

/** A plain page of login and logout: nothing in it is loaded from anywhere. */
export interface PlainPage {
  readonly status: number;
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** Links beneath; each leads to a path of ours. */
  readonly links: readonly { readonly href: string; readonly text: string }[];
}

/** Sends it; nobody may keep it. */
export function sendPlainPage(request: IncomingMessage, response: ServerResponse, page: PlainPage): Promise<void> {
  return sendBody(request, response, {
    status: page.status,
    type: 'text/html; charset=utf-8',
    body: htmlOf(page),
    cache: 'no-store',
  });
}

/** The page of a fault: what is wrong, and what to do. */
export function faultPage(fault: Fault, links: PlainPage['links']): PlainPage {
  const { status, title, detail } = problemOf(fault);
  const paragraphs = 'mend' in fault ? [fault.message, fault.mend] : [detail];
  return { status, title, paragraphs, links };
}

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 40rem; margin: 12vh auto; padding: 0 1rem; overflow-wrap: anywhere }
  h1 { font-size: 1.4rem; font-weight: 500 }
  a { color: inherit; display: inline-block; min-height: 24px; margin-right: 1rem }
`;

function htmlOf({ title, paragraphs, links }: PlainPage): string {
  const said = paragraphs.map((each) => `<p>${escaped(each)}</p>`).join('\n');
  const led = links.map(({ href, text }) => `<a href="${escaped(href)}">${escaped(text)}</a>`).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)} - Plumbline</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${said}
${led === '' ? '' : `<p>${led}</p>`}
</main>
</body>
</html>
`;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => escapes[letter] ?? letter);
}
