import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { listening } from './listening.ts';
import { clientId } from './openid.ts';

/** Lies of a provider: all that it does otherwise than a right one. */
export interface Forgery {
  /** Claims of the ID token beside the right ones, which they replace. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly signs?: 'rightly' | 'other-key' | 'none' | 'hmac-of-public-key';
  /** Its name, by its own word. */
  readonly issuer?: string;
  /** Query by which it sends people back, in place of a code. */
  readonly back?: Readonly<Record<string, string>>;
  /** Answer of its token endpoint, in place of tokens. */
  readonly tokenError?: { readonly status: number; readonly body: object };
  readonly discovery?: 'huge' | 'moved' | 'no-json';
}

/** A provider that lies on demand. */
export interface Forged {
  readonly issuer: string;
  forge(forgery: Forgery): void;
  stop(): Promise<void>;
}

const right = await generateKeyPair('RS256', { extractable: true });
const other = await generateKeyPair('RS256', { extractable: true });

/** Starts one on loopback; it lets everybody in as "mallory" of the group "platform", unless it is told otherwise. */
export async function startForged(): Promise<Forged> {
  let forgery: Forgery = {};
  let nonce = '';
  const jwk = { ...(await exportJWK(right.publicKey)), kid: 'right', alg: 'RS256', use: 'sig' };

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        if (forgery.discovery === 'huge') return json(response, 200, { issuer, pad: 'x'.repeat(1_100_000) });
        if (forgery.discovery === 'moved')
          return void response.writeHead(302, { location: `${issuer}/elsewhere` }).end();
        if (forgery.discovery === 'no-json') return void response.end('<html>maintenance</html>');
        return json(response, 200, {
          issuer: forgery.issuer ?? issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        });
      case '/authorize': {
        nonce = url.searchParams.get('nonce') ?? '';
        const to = new URL(url.searchParams.get('redirect_uri') ?? '');
        const state = url.searchParams.get('state') ?? '';
        for (const [name, value] of Object.entries({ state, ...(forgery.back ?? { code: 'a-code' }) }))
          to.searchParams.set(name, value);
        return void response.writeHead(302, { location: to.href }).end();
      }
      case '/jwks':
        return json(response, 200, { keys: [jwk] });
      case '/token':
        void text(request).then(async () => {
          if (forgery.tokenError) return json(response, forgery.tokenError.status, forgery.tokenError.body);
          return json(response, 200, {
            access_token: 'canary-access',
            token_type: 'Bearer',
            id_token: await idToken(issuer, nonce, forgery),
          });
        });
        return;
      default:
        response.writeHead(404).end();
    }
  });
  const issuer = `http://127.0.0.1:${await listening(server)}`;
  return {
    issuer,
    forge(next) {
      forgery = next;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function idToken(issuer: string, nonce: string, forgery: Forgery): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const claims: Record<string, unknown> = {
    iss: issuer,
    aud: clientId,
    sub: 'mallory',
    nonce,
    iat: now,
    exp: now + 300,
    groups: ['platform'],
    ...forgery.claims,
  };
  switch (forgery.signs ?? 'rightly') {
    case 'rightly':
      return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'right' }).sign(right.privateKey);
    case 'other-key':
      return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'right' }).sign(other.privateKey);
    case 'none':
      return new UnsecuredJWT(claims).encode();
    case 'hmac-of-public-key':
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: 'right' })
        .sign(new TextEncoder().encode(await exportSPKI(right.publicKey)));
  }
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
