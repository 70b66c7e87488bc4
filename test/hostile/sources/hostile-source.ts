// Alarm sources in a process of their own, each beneath a path of its name; one of them is sick, which the parent says.
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { isForeignObject } from '#lib/foreign.ts';
import { nothingSaid, sourceSicknesses } from './sickness.ts';

let sick = '';
let readings = 0;
const packed = new Map<string, Buffer>();

const server = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://h').pathname;
  const [, number = '', , ...rest] = path.split('/');
  const name = Object.keys(sourceSicknesses)[Number(number)] ?? '';
  const asked = `/${rest.join('/')}`;
  readings += 1;
  const said = name === sick ? (sourceSicknesses[name]?.(asked, readings) ?? null) : null;
  if (said === null) return void response.end(nothingSaid(asked));
  process.send?.({ type: 'told' });
  if (said.length < 100_000) return void response.end(said);
  const known = packed.get(said) ?? gzipSync(said, { level: 1 });
  packed.clear();
  packed.set(said, known);
  response.setHeader('content-encoding', 'gzip');
  response.end(known);
});

process.on('message', (message: unknown) => {
  if (isForeignObject(message) && typeof message['sick'] === 'string') sick = message['sick'];
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ type: 'ready', port: typeof address === 'object' && address !== null ? address.port : 0 });
});
process.on('disconnect', () => process.exit(0));
