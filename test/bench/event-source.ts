import { get, type ClientRequest } from 'node:http';
import { parseForeign, type ForeignObject } from '#lib/foreign.ts';

/** One frame of an event stream, with when its last byte was read (ms since the epoch). */
export interface ReceivedFrame {
  readonly at: number;
  readonly data: ForeignObject;
}

/** Opens an event stream and hands over each frame; resolves once the server has accepted it. */
export function openEventSource(url: string, onFrame: (frame: ReceivedFrame) => void): Promise<ClientRequest> {
  return openEventBlocks(url, (block, at) => {
    const line = block.split('\n').find((one) => one.startsWith('data: '));
    const data = line === undefined ? null : parseForeign(line.slice(6));
    if (data) onFrame({ at, data });
  });
}

/** As `openEventSource`, but hands over the text of each frame as it came: one process plays hundreds of browsers. */
export function openEventBlocks(url: string, onBlock: (block: string, at: number) => void): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, headers: { accept: 'text/event-stream' } }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${url} answered HTTP ${response.statusCode}`));
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        const at = Date.now();
        const blocks = (rest + chunk).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) onBlock(block, at);
      });
      response.on('error', () => undefined);
      resolve(request);
    });
    request.on('error', reject);
  });
}
