// Many browsers that listen: node test/bench/stream-clients.ts URL COUNT SECONDS. Says how late their frames came.
import type { ClientRequest } from 'node:http';
import { openEventBlocks } from './event-source.ts';
import type { StreamClientsResult } from './measure/measure-streams.ts';
import { quantile } from './measure/quantile.ts';

const [url = '', count, seconds] = process.argv.slice(2);
const clients = Number(count);
/** Browsers that come at the same moment. */
const atOnce = 25;
const lags: number[] = [];
let frames = 0;
let counting = false;

function open(): Promise<ClientRequest> {
  return openEventBlocks(url, (block, at) => {
    if (!counting) return;
    frames += 1;
    // A summary says when it was made, by the same clock.
    const made = block.includes('event: summary') ? /"asOf":"([^"]+)"/.exec(block)?.[1] : undefined;
    if (made !== undefined) lags.push(at - Date.parse(made));
  });
}

const requests: ClientRequest[] = [];
while (requests.length < clients) {
  const more = Math.min(atOnce, clients - requests.length);
  requests.push(...(await Promise.all(Array.from({ length: more }, open))));
}
process.send?.({ type: 'open' });
await new Promise((resolve) => setTimeout(resolve, 2_000));
counting = true;
await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1_000));
counting = false;
for (const request of requests) request.destroy();
const result: StreamClientsResult = {
  type: 'streams',
  clients,
  framesPerClientSecond: frames / clients / Number(seconds),
  p50: quantile(lags, 0.5),
  p99: quantile(lags, 0.99),
  samples: lags.length,
};
process.send?.(result, () => process.disconnect?.());
