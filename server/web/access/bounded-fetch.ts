import { gatherBytes } from '#server/runtime/bytes/gathered-bytes.ts';

/** Largest answer of an identity provider that is read, in bytes: keys, claims and addresses take some 20 KB. */
const largest = 1_000_000;

/** A request of these libraries. */
interface Asked {
  readonly method?: string | undefined;
  readonly headers?: ConstructorParameters<typeof Headers>[0] | undefined;
  readonly body?: RequestInit['body'] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Asks an identity provider: no redirect is followed, and an answer of more than 1 MB is a failure. Rejects as `fetch` does. */
export async function boundedFetch(address: string, { method, headers, body, signal }: Asked): Promise<Response> {
  const response = await fetch(address, {
    ...(method !== undefined && { method }),
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && { body }),
    ...(signal !== undefined && { signal }),
    redirect: 'manual',
  });
  const gathered = gatherBytes();
  for await (const piece of response.body ?? []) {
    // Leaving the loop ends the connection.
    if (gathered.size() + piece.byteLength > largest)
      throw new TypeError(`the answer is larger than ${largest / 1_000_000} MB`);
    gathered.add(piece);
  }
  const { status, statusText } = response;
  const empty = status === 204 || status === 304 || status < 200;
  return new Response(empty ? null : new Uint8Array(gathered.take()), {
    status,
    statusText,
    headers: response.headers,
  });
}
