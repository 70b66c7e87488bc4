import { at, textAt } from '#lib/foreign.ts';
import { foreignMessage, foreignReason } from '#lib/foreign-words.ts';
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';

/** Why a login at the provider failed. Texts of the provider are cleaned and bounded. */
export type LoginFault =
  /** The provider cannot be asked; `why` is for people. */
  | { readonly type: 'provider-away'; readonly why: string }
  /** The provider is another one than the file names. */
  | { readonly type: 'other-issuer' }
  /** It refused the person, or the request. */
  | { readonly type: 'refused'; readonly code: string; readonly said: string | null }
  /** It refused Plumbline as a client: its secret, its address of return. */
  | { readonly type: 'client'; readonly code: string; readonly said: string | null }
  /** The token is of another time: clocks differ. */
  | { readonly type: 'clock' }
  /** A claim of the token is not what it must be: iss, aud, nonce. */
  | { readonly type: 'claim'; readonly name: string }
  /** The token's signature, or what holds it, is not sound. */
  | { readonly type: 'token'; readonly why: string }
  /** The secret of the client cannot be read. */
  | { readonly type: 'secret' };

/** The fault behind an error of openid-client. */
export function loginFaultOf(error: unknown): LoginFault {
  if (error instanceof AuthorizationResponseError)
    return { type: 'refused', code: foreignReason(error.error), said: saidBy(error) };
  if (error instanceof ResponseBodyError) {
    const type = error.error === 'invalid_grant' ? 'refused' : 'client';
    return { type, code: foreignReason(error.error), said: saidBy(error) };
  }
  if (!(error instanceof ClientError)) return { type: 'provider-away', why: reasonOf(error) };
  switch (error.code) {
    case 'OAUTH_TIMEOUT':
    case 'OAUTH_ABORT':
      return { type: 'provider-away', why: 'no answer within 10 s' };
    case 'OAUTH_RESPONSE_IS_NOT_CONFORM':
    case 'OAUTH_RESPONSE_IS_NOT_JSON':
    case 'OAUTH_PARSE_ERROR':
      return { type: 'provider-away', why: `it answers otherwise than a provider does (${error.message})` };
    case 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED':
      return { type: 'other-issuer' };
    case 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED':
      return { type: 'clock' };
    case 'OAUTH_JWT_CLAIM_COMPARISON_FAILED':
      return { type: 'claim', name: claimOf(error) };
    default:
      return beneath(error);
  }
}

/** The fault of an error without a code of its own: a failed request, or a token that is not sound. */
function beneath(error: ClientError): LoginFault {
  const { cause } = error;
  if (cause instanceof TypeError || (cause instanceof Error && cause.name === 'TimeoutError'))
    return { type: 'provider-away', why: reasonOf(cause) };
  if (/unexpected "iss"|issuer/.test(messageOf(cause))) return { type: 'other-issuer' };
  return { type: 'token', why: foreignReason(messageOf(cause) || error.message) };
}

function saidBy({ error_description: said }: { readonly error_description?: string | undefined }): string | null {
  return said === undefined || said === '' ? null : foreignMessage(said).slice(0, 300);
}

/** The claim that was compared, as oauth4webapi tells it. */
function claimOf({ cause }: ClientError): string {
  const beneathIt = cause instanceof Error ? cause.cause : cause;
  return textAt(beneathIt, 'claim') ?? textAt(at(cause, 'cause'), 'claim') ?? 'a claim';
}

function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = inner instanceof Error && 'code' in inner ? String(inner.code) : messageOf(inner);
  return foreignReason(code);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
