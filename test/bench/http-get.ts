import { Agent, get, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** One answer. `bytes` as they came over the wire, headers excluded; `took` in ms, up to the last byte. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: number;
  readonly took: number;
  text(): string;
}

const agent = new Agent({ keepAlive: true });

/** One GET as a browser asks: compressed where the server offers it. Rejects where nobody answers. */
export function httpGet(url: string): Promise<Answer> {
  const since = performance.now();
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { 'accept-encoding': 'gzip, br', accept: '*/*' } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const body = Buffer.concat(chunks);
        const { headers } = response;
        resolve({
          status: response.statusCode ?? 0,
          headers,
          bytes: body.length,
          took: performance.now() - since,
          text: () => decoded(body, headers['content-encoding']).toString(),
        });
      });
    });
    request.once('error', reject);
    request.setTimeout(60_000, () => request.destroy(new Error(`${url} did not answer within 60 s`)));
  });
}

function decoded(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'br') return brotliDecompressSync(body);
  return encoding === 'gzip' ? gunzipSync(body) : body;
}
