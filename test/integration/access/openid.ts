import { createServer, type Server } from 'node:http';
import Provider from 'oidc-provider';
import { listening } from './listening.ts';

/** A real OpenID provider on loopback. */
export interface OpenId {
  readonly issuer: string;
  stop(): Promise<void>;
}

/** Claims of each person, by the name that logs in. */
export type People = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const clientId = 'plumbline';
export const clientSecret = 'the secret of the client, of the tests';

/** Starts it, with one client that comes back to `origin`. */
export async function startOpenId(origin: string, people: People): Promise<OpenId> {
  const server: Server = createServer((request, response) => void answer(request, response));
  const port = await listening(server);
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${origin}/access/callback`],
        post_logout_redirect_uris: [`${origin}/access/ended`],
      },
    ],
    cookies: { keys: ['the key of the tests'] },
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], profile: ['name', 'groups', '_claim_names'] },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...people[sub], sub }) }),
  });
  const answer = provider.callback();
  return {
    issuer,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
