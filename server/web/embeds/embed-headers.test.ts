import { createHash } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { embedScript, embedStyle } from '#lib/draw/embed/embed-style.ts';
import { setSecurityHeaders } from '../http/security-headers.ts';
import { setEmbedHeaders } from './embed-headers.ts';

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

it.each([
  ['badge', "style-src 'unsafe-inline'; frame-ancestors 'none'"],
  [
    'embed',
    `style-src ${hash(embedStyle)}; script-src ${hash(embedScript)}; connect-src 'self'; object-src 'self'; ` +
      "frame-src 'self'; frame-ancestors 'self' https://a.example https://b.example",
  ],
] as const)('the headers of a page become those of a %s', (form, policy) => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  setSecurityHeaders(response, 'nonce');
  setEmbedHeaders(response, form, ['https://a.example', 'https://b.example']);
  expect(response.getHeaders()).toEqual({
    'content-security-policy': `default-src 'none'; base-uri 'none'; form-action 'none'; ${policy}`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
    'x-permitted-cross-domain-policies': 'none',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
  });
});
