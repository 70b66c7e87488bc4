import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { EmbedForm } from '#lib/domain/matrix/embed-scope.ts';
import { embedScript, embedStyle } from '#lib/draw/embed/embed-style.ts';

const style = hashOf(embedStyle);
const script = hashOf(embedScript);

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/**
 * Puts the headers of an embed or a badge in place of those of a page. Only the sites that were named may frame an embed
 * (and it itself, which renews itself in a frame of its own); X-Frame-Options cannot say that and goes. Neither has a cookie,
 * and both are read by other sites: the link is what opens them.
 */
export function setEmbedHeaders(response: ServerResponse, form: EmbedForm, frameAncestors: readonly string[]): void {
  response.removeHeader('X-Frame-Options');
  response.removeHeader('Cross-Origin-Opener-Policy');
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  // In a frame without an origin of its own even this page is another site to itself.
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Content-Security-Policy', embedPolicy(form, frameAncestors));
}

/** The policy of an embed or a badge: nothing is loaded from anywhere, nothing runs but the one script that renews it. */
function embedPolicy(form: EmbedForm, frameAncestors: readonly string[]): string {
  const closed = ["default-src 'none'", "base-uri 'none'", "form-action 'none'"];
  switch (form) {
    case 'badge':
      return [...closed, "style-src 'unsafe-inline'", "frame-ancestors 'none'"].join('; ');
    case 'embed': {
      return [
        ...closed,
        `style-src ${style}`,
        `script-src ${script}`,
        "connect-src 'self'",
        "object-src 'self'",
        "frame-src 'self'",
        ['frame-ancestors', "'self'", ...frameAncestors].join(' '),
      ].join('; ');
    }
  }
}
