// Shows the pages over a made-up fleet: node test/ui-preview/main.ts [--dev] [port]; /preview/<name> changes the fleet.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import createNext from 'next';
import { FleetView, WireFleet } from '#lib/api/fleet.ts';
import { api } from '#lib/api/paths.ts';
import { contentSecurityPolicy, setSecurityHeaders } from '#server/web/http/security-headers.ts';
import { setWebRuntime } from '#server/web/slot.ts';
import { countsOf, moment } from '#components/testing/wire-fleet.ts';
import { filtered, fixtures } from './fixtures.ts';

const dev = process.argv.includes('--dev');
const port = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 4000);
let fixture = 'night';

function fleetNow(view: FleetView): WireFleet {
  const fleet = filtered(
    (fixtures[fixture] ?? fixtures['night'])?.() ?? {
      head: emptyHead(),
      columns: [],
      rows: [],
      labels: [],
      reconcilers: ['flux', 'helm'],
      hint: null,
    },
    view,
  );
  const asOf = new Date().toISOString();
  return { ...today(fleet), head: { ...today(fleet).head, asOf, lastWordAt: asOf } };
}

/** The fleet as if it were made now: its times are moved, nothing else. */
function today(fleet: WireFleet): WireFleet {
  const by = Date.now() - moment;
  const moved = JSON.stringify(fleet).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) =>
    new Date(Date.parse(time) + by).toISOString(),
  );
  return WireFleet.parse(JSON.parse(moved));
}

function emptyHead(): never {
  throw new Error(`There is no fixture ${fixture}; there are: ${Object.keys(fixtures).join(', ')}`);
}

const nothing = { type: 'not-found' as const, nearest: [] };
setWebRuntime({
  head: () => fleetNow(FleetView.parse({})).head,
  fleet: fleetNow,
  clusters: () => ({ asOf: new Date().toISOString(), clusters: [] }),
  clusterPage: () => Promise.resolve(nothing),
  objectPage: () => Promise.resolve(nothing),
  objects: () => ({
    asOf: new Date().toISOString(),
    objects: [],
    total: 0,
    counts: countsOf(''),
    nextCursor: null,
    reconcilers: ['flux', 'helm'],
    partial: [],
  }),
});

function stream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  let id = 0;
  const tick = () => {
    id += 1;
    const at = new Date().toISOString();
    response.write(`id: preview-${id}\nevent: tick\ndata: ${JSON.stringify({ type: 'tick', at, lastWordAt: at })}\n\n`);
  };
  tick();
  const timer = setInterval(tick, 5000);
  response.once('close', () => clearInterval(timer));
}

/** The headers of the product, so that what they forbid is seen here too; Next's development mode needs more than they allow. */
function protect(request: IncomingMessage, response: ServerResponse): void {
  const nonce = randomBytes(16).toString('base64');
  setSecurityHeaders(response, nonce);
  request.headers['content-security-policy'] = contentSecurityPolicy(nonce);
}

const app = createNext({ dev, dir: fileURLToPath(new URL('../..', import.meta.url)), hostname: '127.0.0.1', port });
const handle = app.getRequestHandler();
await app.prepare();

createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://preview');
  if (url.pathname.startsWith('/preview/')) {
    fixture = url.pathname.slice('/preview/'.length);
    response.writeHead(302, { location: `/${url.search}` }).end();
  } else if (url.pathname === api.stream) stream(response);
  else if (url.pathname === api.fleet) {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(fleetNow(FleetView.parse(Object.fromEntries(url.searchParams)))));
  } else {
    if (!dev) protect(request, response);
    void handle(request, response);
  }
}).listen(port, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${port}/preview/<${Object.keys(fixtures).join('|')}>\n`),
);
