import type { EmbedScope } from '../domain/matrix/embed-scope.ts';
import { escapeMarkup } from './markup.ts';

/** Parts of what is pasted into another page. `url` and `page` are whole addresses, `title` says what is shown. */
export interface SnippetParts {
  readonly url: string;
  readonly page: string;
  readonly title: string;
}

/** Height of a frame, in px, that shows a scope without being scrolled, for most fleets. */
export function frameHeight(scope: EmbedScope): number {
  switch (scope.type) {
    case 'object':
    case 'figure':
      return 130;
    case 'label':
      return 420;
    case 'fleet':
    case 'cluster':
    case 'column':
      return 320;
  }
}

/** An embed as HTML. What it needs of a sandbox: its script to renew itself, and windows for its links. */
export function frameSnippet({ url, title }: Omit<SnippetParts, 'page'>, height: number): string {
  return `<iframe src="${escapeMarkup(url)}" title="${escapeMarkup(title)}, by Plumbline" width="100%" height="${height}" loading="lazy" referrerpolicy="no-referrer"></iframe>`;
}

/** A badge as Markdown: the picture, leading to the page. */
export function badgeMarkdown({ url, page, title }: SnippetParts): string {
  return `[![${title.replaceAll(/[\\[\]`<]/g, '\\$&')}](${url})](${page})`;
}

/** A badge as HTML. */
export function badgeHtml({ url, page, title }: SnippetParts): string {
  return `<a href="${escapeMarkup(page)}"><img src="${escapeMarkup(url)}" alt="${escapeMarkup(title)}, by Plumbline" height="20"></a>`;
}
