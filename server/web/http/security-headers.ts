import type { ServerResponse } from 'node:http';

/**
 * Headers that every answer carries. `nonce` lets the scripts of one page run that Next writes into it; styles may stand in
 * attributes, because virtualised rows are placed by them.
 */
export function setSecurityHeaders(response: ServerResponse, nonce: string): void {
  response.setHeader('Content-Security-Policy', contentSecurityPolicy(nonce));
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'same-origin');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  response.setHeader('X-Permitted-Cross-Domain-Policies', 'none');
  response.setHeader(
    'Permissions-Policy',
    'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
  );
}

/** The policy of one answer: nothing from anywhere else, framed by nobody. */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
