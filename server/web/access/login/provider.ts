import { readFile } from 'node:fs/promises';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
} from 'openid-client';
import { hour, second } from '#lib/domain/time/length.ts';
import type { OidcSettings } from '#server/config/access/auth-settings.ts';
import { boundedFetch } from '../bounded-fetch.ts';
import { toldGroups } from '../claims.ts';
import { loginFaultOf, type LoginFault } from './login-fault.ts';

/** Secrets that a login is tied to: none of them leaves the browser that began it but as a digest, or sealed. */
export interface LoginChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** A person whom the provider vouches for. `claims`: those of the ID token, those of its user info where the groups stand there. */
export interface Vouched {
  readonly issuer: string;
  readonly sub: string;
  readonly claims: object;
}

interface Failed {
  readonly type: 'failed';
  readonly fault: LoginFault;
}

/** The OpenID provider. Nothing here rejects. */
export interface Provider {
  /** The address at which somebody logs in, to come back to `redirect`. */
  begin(checks: LoginChecks, redirect: string): Promise<{ readonly type: 'address'; readonly url: URL } | Failed>;
  /** The person who came back to `current`, the whole address. */
  finish(checks: LoginChecks, current: URL): Promise<{ readonly type: 'person'; readonly person: Vouched } | Failed>;
  /** The address that ends the session there, and sends back to `redirect`; null where it has none, or cannot be asked. */
  endSession(redirect: string): Promise<URL | null>;
}

/** Time (s) for one request. */
const timeout = 10;
/** Most that clocks may be apart, in seconds. */
const skew = 60;
/** Time (ms) for which what the provider says of itself is kept, and for which a failure is. */
const keptFor = hour;
const failureKeptFor = 3 * second;
/** Largest file of a secret, in letters. */
const longestSecret = 4_096;

/** Speaks with the provider of the settings. `now` in ms. */
export function openIdProvider(settings: OidcSettings, now: () => number): Provider {
  const { configuration, readSecretAnew } = knownProvider(settings, now);

  async function personOf(checks: LoginChecks, current: URL): Promise<Vouched> {
    const config = await configuration();
    const tokens = await authorizationCodeGrant(config, current, {
      expectedState: checks.state,
      expectedNonce: checks.nonce,
      pkceCodeVerifier: checks.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new Error('the provider gave no ID token');
    const isElsewhere = toldGroups(claims, settings.groups).type === 'absent';
    if (!isElsewhere || config.serverMetadata().userinfo_endpoint === undefined)
      return { issuer: claims.iss, sub: claims.sub, claims };
    const more = await fetchUserInfo(config, tokens.access_token, claims.sub);
    return { issuer: claims.iss, sub: claims.sub, claims: { ...more, ...claims } };
  }

  return {
    async begin({ state, nonce, verifier }, redirect) {
      try {
        const url = buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirect,
          scope: settings.scopes.join(' '),
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        });
        return { type: 'address', url };
      } catch (error) {
        return { type: 'failed', fault: loginFaultOf(error) };
      }
    },
    async finish(checks, current) {
      try {
        await readSecretAnew();
      } catch {
        return { type: 'failed', fault: { type: 'secret' } };
      }
      try {
        return { type: 'person', person: await personOf(checks, current) };
      } catch (error) {
        return { type: 'failed', fault: loginFaultOf(error) };
      }
    },
    async endSession(redirect) {
      try {
        const config = await configuration();
        if (config.serverMetadata().end_session_endpoint === undefined) return null;
        return buildEndSessionUrl(config, { post_logout_redirect_uri: redirect });
      } catch {
        return null;
      }
    },
  };
}

/** The provider as it says of itself, asked for at most once an hour, and our secret there. Both reject where they cannot be had. */
function knownProvider({ issuer, clientId, clientSecretFile }: OidcSettings, now: () => number) {
  let secret: string | null = null;
  let kept: { readonly at: number; readonly asked: Promise<Configuration>; failed: boolean } | null = null;

  const authenticate: ClientAuth = (server, client, body, headers) => {
    if (secret === null) return None()(server, client, body, headers);
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const by = methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret);
    return by(server, client, body, headers);
  };

  function ask(): Promise<Configuration> {
    // oxlint-disable-next-line typescript/no-deprecated -- Marked so that it stands out: it is for a provider on this machine alone.
    const onThisMachine = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
    return discovery(new URL(issuer), clientId, { [clockTolerance]: skew }, authenticate, {
      timeout,
      [customFetch]: (url, options) => boundedFetch(url, { ...options, body: bodyOf(options.body) }),
      execute: [enableNonRepudiationChecks, ...onThisMachine],
    });
  }

  return {
    configuration(): Promise<Configuration> {
      if (kept !== null && now() - kept.at < (kept.failed ? failureKeptFor : keptFor)) return kept.asked;
      const asking = { at: now(), asked: ask(), failed: false };
      asking.asked.catch(() => {
        asking.failed = true;
      });
      kept = asking;
      return asking.asked;
    },
    async readSecretAnew(): Promise<void> {
      secret = clientSecretFile === null ? null : await readSecret(clientSecretFile);
    },
  };
}

/** The secret in a file, without the line feed that editors put behind it. Rejects where there is none. */
export async function readSecret(path: string): Promise<string> {
  const secret = (await readFile(path, 'utf8')).trim();
  if (secret === '' || secret.length > longestSecret) throw new Error(`${path} holds no secret`);
  return secret;
}

/** Bodies of these requests are forms. */
function bodyOf(body: unknown): URLSearchParams | string | undefined {
  return body instanceof URLSearchParams || typeof body === 'string' ? body : undefined;
}
