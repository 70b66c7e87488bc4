import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { parse, stringify } from 'yaml';
import { isForeignObject, listAt } from '#lib/foreign.ts';

/** Letters that one of them sends at each question. */
const letters = 100_000_000;
const piece = Buffer.from('x'.repeat(65_536));

function* garbage(): Generator<Buffer> {
  yield Buffer.from('{"status":"success","data":{"groups":["');
  for (let sent = 0; sent < letters; sent += piece.length) yield piece;
}

/** Names of the alarm sources that turn sick. */
export const sickSources = ['garbage', 'silence'] as const;

/**
 * Two alarm sources beside those of a configuration, each of which speaks for one of `clusters` too: one sends 100 MB of letters at each question, one takes each
 * question and never answers. Until `begin` they answer 503.
 */
export async function startSickSources(configPath: string, clusters: readonly string[]): Promise<{ begin(): void }> {
  let isSick = false;
  const server = createServer((request, response) => {
    if (!isSick) return void response.writeHead(503).end();
    if (request.url?.startsWith('/garbage') === true)
      Readable.from(garbage()).pipe(response.writeHead(200, { 'content-type': 'application/json' }));
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  server.unref();
  const config: unknown = parse(readFileSync(configPath, 'utf8'));
  if (!isForeignObject(config)) throw new Error(`${configPath} is no configuration`);
  const beside = sickSources.map((name, index) => ({
    name,
    prometheus: `http://127.0.0.1:${port}/${name}`,
    clusters: clusters.slice(index, index + 1),
  }));
  writeFileSync(
    configPath,
    stringify({ ...config, alarms: [...listAt(config, 'alarms'), ...beside] }, { lineWidth: 0 }),
  );
  return { begin: () => void (isSick = true) };
}
