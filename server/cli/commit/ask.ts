import { second } from '#lib/domain/time/length.ts';
import { isLoopback } from '../../runtime/loopback.ts';

/** Largest answer that is read, in bytes. */
const largest = 64 * 1024 * 1024;

/** End of one question over HTTP. `location`: where a redirection points, null where there is none. */
export type Answer =
  | { readonly type: 'answer'; readonly status: number; readonly text: string; readonly location: string | null }
  | { readonly type: 'too-large' }
  /** `code`: that of the system, such as ECONNREFUSED; null where it has none. */
  | { readonly type: 'lost'; readonly why: string; readonly code: string | null };

/** Asks an address; after `within` ms it is lost. Never throws. */
export type Ask = (address: string, within: number) => Promise<Answer>;

/**
 * Asks over HTTP, by GET, with a token where one is given; it is sent over https, and to this machine, alone. Redirections are not followed: they lead
 * to where people log in.
 */
export function askOverHttp(token: string | null): Ask {
  return async (address, within) => {
    if (token !== null && isReadOnItsWay(address))
      return { type: 'lost', why: 'no token is sent over http://: write https://', code: null };
    try {
      const signal = AbortSignal.timeout(within);
      const headers = { accept: 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) };
      const response = await fetch(address, { headers, redirect: 'manual', signal });
      const text = await textOf(response);
      if (text === null) return { type: 'too-large' };
      return { type: 'answer', status: response.status, text, location: response.headers.get('location') };
    } catch (error) {
      return lost(error, within);
    }
  };
}

function isReadOnItsWay(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

/** The body as text; null where it is too large. */
async function textOf({ body }: Response): Promise<string | null> {
  if (body === null) return '';
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    // Leaving the loop ends the connection.
    if (bytes > largest) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function lost(error: unknown, within: number): Answer {
  if (error instanceof Error && error.name === 'TimeoutError')
    return { type: 'lost', why: `no answer within ${Math.round(within / second)} s`, code: null };
  // fetch says only that it failed; why is beneath.
  const beneath = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = beneath instanceof Error && 'code' in beneath && typeof beneath.code === 'string' ? beneath.code : null;
  const message = beneath instanceof Error ? beneath.message : String(beneath);
  return { type: 'lost', why: code ?? message, code };
}
