import { readFile, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JSONWebKeySet,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
} from 'jose';
import { z } from 'zod';
import { parseForeign } from '#lib/foreign.ts';
import { minute, second } from '#lib/domain/time/length.ts';
import type { ProxySettings } from '#server/config/access/auth-settings.ts';
import { bearerOf } from './bearer-token.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { longestSubject } from './sealed.ts';

/** Why what a proxy says is not believed. */
export type ProofFault =
  | { readonly type: 'issuer' | 'audience' | 'expired' | 'not-yet' | 'algorithm' | 'signature' | 'key' | 'malformed' }
  /** A claim that must be there is not. */
  | { readonly type: 'claim'; readonly name: string }
  /** The keys cannot be had; `why` is for people. */
  | { readonly type: 'keys'; readonly why: string };

/** The proof of a request: the claims, none, or why it is not believed. */
export type Proof =
  | { readonly type: 'proof'; readonly claims: JWTPayload & { readonly sub: string; readonly exp: number } }
  | { readonly type: 'none' }
  | { readonly type: 'refused'; readonly fault: ProofFault };

/** Verifies what a proxy in front says of who asks. */
export type ReadProof = (request: IncomingMessage) => Promise<Proof>;

/** Most that clocks may be apart, in seconds. */
const skew = 60;
/** Largest file of keys, in bytes. */
const largestFile = 1_000_000;

/**
 * Makes the verifier: the header is believed only for the signature of its JWT, by the keys of `jwks`, with the issuer, an audience and an
 * algorithm of the settings, and an end. `now` in ms.
 */
export function proofReader(
  { issuer, audience, algorithms, jwks, header }: ProxySettings,
  now: () => number,
): ReadProof {
  const keys = jwks.type === 'address' ? keysAtAddress(jwks.at) : keysInFile(jwks.at);
  return async (request) => {
    const values = request.headersDistinct[header] ?? [];
    const [value = ''] = values;
    if (values.length === 0) return { type: 'none' };
    if (values.length > 1) return { type: 'refused', fault: { type: 'malformed' } };
    try {
      const { payload } = await jwtVerify(bearerOf(value) ?? value, keys, {
        issuer,
        audience: [...audience],
        algorithms: [...algorithms],
        clockTolerance: skew,
        requiredClaims: ['exp', 'sub'],
        currentDate: new Date(now()),
      });
      const { sub, exp } = payload;
      if (sub === undefined || sub === '' || sub.length > longestSubject)
        return { type: 'refused', fault: { type: 'claim', name: 'sub' } };
      if (exp === undefined) return { type: 'refused', fault: { type: 'claim', name: 'exp' } };
      return { type: 'proof', claims: { ...payload, sub, exp } };
    } catch (error) {
      return { type: 'refused', fault: faultOf(error) };
    }
  };
}

function faultOf(error: unknown): ProofFault {
  if (error instanceof KeysUnusable) return { type: 'keys', why: error.message };
  if (error instanceof errors.JWTExpired) return { type: 'expired' };
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'iss') return { type: 'issuer' };
    if (error.claim === 'aud') return { type: 'audience' };
    if (error.claim === 'nbf' || error.claim === 'iat') return { type: 'not-yet' };
    return { type: 'claim', name: error.claim };
  }
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported)
    return { type: 'algorithm' };
  if (error instanceof errors.JWSSignatureVerificationFailed) return { type: 'signature' };
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return { type: 'key' };
  if (error instanceof errors.JWKSTimeout) return { type: 'keys', why: 'no answer within 5 s' };
  if (error instanceof errors.JWKSInvalid) return { type: 'keys', why: 'what is there is no set of keys' };
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid) return { type: 'malformed' };
  // All that is left comes from the fetching of keys, or from a key that does not fit.
  return error instanceof errors.JOSEError ? { type: 'keys', why: error.message } : { type: 'malformed' };
}

class KeysUnusable extends Error {}

/** Asked for anew when a key is missing, at most every 30 s, and after 5 min in any case: what was taken away there is refused from then on. */
function keysAtAddress(address: string): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(address), {
    timeoutDuration: 5 * second,
    cooldownDuration: 30 * second,
    cacheMaxAge: 5 * minute,
    [customFetch]: async (url, options) => {
      try {
        return await boundedFetch(url, options);
      } catch (error) {
        throw new KeysUnusable(reasonOf(error));
      }
    },
  });
  return async (header, token) => keys(header, token);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it cannot be asked';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'no answer within 5 s';
  const beneath = error.cause instanceof Error && 'code' in error.cause ? String(error.cause.code) : error.message;
  return beneath.slice(0, 200);
}

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) });

/** Read anew whenever the file was changed or replaced. */
function keysInFile(path: string): JWTVerifyGetKey {
  let kept: { readonly identity: string; readonly keys: ReturnType<typeof createLocalJWKSet> } | null = null;
  return async (header, token) => {
    try {
      const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
      const identity = [dev, ino, size, mtimeNs, ctimeNs].join();
      if (kept?.identity !== identity) {
        if (size > largestFile) throw new KeysUnusable(`${path} is larger than 1 MB`);
        const read = keySet.safeParse(parseForeign(await readFile(path, 'utf8')));
        if (!read.success) throw new KeysUnusable(`${path} is no set of keys (JWKS)`);
        const set: JSONWebKeySet = read.data;
        kept = { identity, keys: createLocalJWKSet(set) };
      }
    } catch (error) {
      if (error instanceof KeysUnusable) throw error;
      throw new KeysUnusable(`${path} cannot be read`);
    }
    return kept.keys(header, token);
  };
}
