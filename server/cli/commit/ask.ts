import { second } from '#lib/domain/time/length.ts';

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

/** Asks over HTTP, by GET. Redirections are not followed: they lead to where people log in. */
export const askOverHttp: Ask = async (address, within) => {
  try {
    const signal = AbortSignal.timeout(within);
    const response = await fetch(address, { headers: { accept: 'application/json' }, redirect: 'manual', signal });
    const text = await textOf(response);
    if (text === null) return { type: 'too-large' };
    return { type: 'answer', status: response.status, text, location: response.headers.get('location') };
  } catch (error) {
    return lost(error, within);
  }
};

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
