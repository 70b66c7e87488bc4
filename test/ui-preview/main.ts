// Shows the pages over a made-up fleet: node test/ui-preview/main.ts [--dev] [port]; /preview/<name> changes the fleet.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import createNext from 'next';
import { z } from 'zod';
import { wireConflict, wireConflicts, wireExemptionRow, wireExemptions } from '#components/testing/wire-ownership.ts';
import { WireClusterPage } from '#lib/api/cluster.ts';
import { WireConflictList } from '#lib/api/conflict.ts';
import { WireExemptionList } from '#lib/api/exemption.ts';
import { FleetView, WireCauseLine, WireFleet } from '#lib/api/fleet.ts';
import { WireCorrectionList } from '#lib/api/correction.ts';
import { HistoryQuery, WireHistory } from '#lib/api/history.ts';
import { WireIncidentList } from '#lib/api/incident.ts';
import { WireObjectList, WireObjectPage } from '#lib/api/object.ts';
import { api } from '#lib/api/paths.ts';
import { parseMoment } from '#lib/format/moment.ts';
import { minute } from '#lib/domain/time/length.ts';
import { contentSecurityPolicy, setSecurityHeaders } from '#server/web/http/security-headers.ts';
import { reportService } from '#server/web/report/report-service.ts';
import { octoberHistory } from '#server/web/report/testing/october.ts';
import { plainRecord } from '#test/contract/plain-record.ts';
import { setWebRuntime } from '#server/web/runtime-global.ts';
import type { KnownQueries } from '#server/web/web-runtime.ts';
import { nightCauses } from '#components/testing/night-fleet.ts';
import { moment } from '#components/testing/wire-fleet.ts';
import { filtered, fixtures } from './fixtures.ts';
import { correctionsOf, historyOf, incidentsOf } from './record.ts';
import { clusterPageOf, listOf, objectPageOf } from './pages.ts';

const dev = process.argv.includes('--dev');
const port = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 4000);
let fixture = 'night';

/** The fixture that was chosen last; 'night' at first. */
function chosen(): WireFleet {
  const make = fixtures[fixture];
  if (make === undefined) throw new Error(`There is no ${fixture}; there are: ${Object.keys(fixtures).join(', ')}`);
  return make();
}

function fleetAt(view: FleetView, at: number): WireFleet {
  const fleet = movedTo(at, WireFleet, filtered(chosen(), view));
  const asOf = new Date(at).toISOString();
  return { ...fleet, head: { ...fleet.head, asOf, lastWordAt: asOf } };
}

/** What is made of the fixture as if it were made at a moment (ms): its times are moved, nothing else. */
function movedTo<Shape extends z.ZodType>(at: number, shape: Shape, made: unknown): z.output<Shape> {
  const by = at - moment;
  const moved = JSON.stringify(made).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) =>
    new Date(Date.parse(time) + by).toISOString(),
  );
  return shape.parse(JSON.parse(moved));
}

function today<Shape extends z.ZodType>(shape: Shape, made: unknown): z.output<Shape> {
  return movedTo(Date.now(), shape, made);
}

function pageOrNothing<Shape extends z.ZodType>(at: number, shape: Shape, page: unknown) {
  return page === null ? { type: 'not-found' as const, nearest: [] } : movedTo(at, shape, page);
}

/** The fixture as known at a moment: the same at every one. */
function queriesAt(now: () => number): KnownQueries {
  return {
    head: () => fleetAt(FleetView.parse({}), now()).head,
    fleet: (view) => fleetAt(view, now()),
    clusters: () => ({ asOf: new Date(now()).toISOString(), clusters: [] }),
    clusterPage: (name) => pageOrNothing(now(), WireClusterPage, clusterPageOf(chosen(), name)),
    objectPage: (ref) => Promise.resolve(pageOrNothing(now(), WireObjectPage, objectPageOf(chosen(), ref))),
    neighbours: () => ({ previous: null, next: null }),
    objects: () => movedTo(now(), WireObjectList, listOf(chosen())),
    missing: () => null,
    historyCsv: () => Promise.resolve(null),
    history: (query) => Promise.resolve(movedTo(now(), WireHistory, historyOf(chosen(), query))),
    incidents: () => Promise.resolve(movedTo(now(), WireIncidentList, incidentsOf())),
    corrections: () => Promise.resolve(movedTo(now(), WireCorrectionList, correctionsOf())),
    incidentCsv: () => Promise.resolve(null),
    correctionCsv: () => Promise.resolve(null),
  };
}

setWebRuntime({
  ...queriesAt(() => Date.now()),
  past: (at) =>
    Promise.resolve({
      type: 'past',
      at,
      queries: queriesAt(() => at),
      beside: () => Promise.resolve({ before: at - 1_234_567, after: null }),
    }),
  reports: reportService({
    record: () => plainRecord(octoberHistory),
    clusters: () => chosen().rows.map(({ cluster }) => ({ name: cluster, labels: {} })),
    now: () => Date.now(),
    alarmWithin: 15 * minute,
    simulated: true,
    version: 'preview',
  }),
  transitions: () => Promise.resolve(null),
  changed: () => Promise.resolve({ type: 'unreadable' }),
  exemptions: () => today(WireExemptionList, wireExemptions([wireExemptionRow()])),
  conflicts: () => today(WireConflictList, wireConflicts([wireConflict()])),
  changes: () => {
    const asOf = new Date().toISOString();
    return Promise.resolve({ asOf, from: asOf, to: asOf, changes: [], more: false });
  },
  exemptionCsv: () => [],
  conflictCsv: () => [],
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
  else if (url.pathname === api.history) {
    response.setHeader('content-type', 'application/json');
    const query = HistoryQuery.parse(Object.fromEntries(url.searchParams));
    response.end(JSON.stringify(today(WireHistory, historyOf(chosen(), query))));
  } else if (url.pathname === api.fleet) {
    response.setHeader('content-type', 'application/json');
    const at = parseMoment(url.searchParams.get('at') ?? '') ?? Date.now();
    const fleet = fleetAt(FleetView.parse(Object.fromEntries(url.searchParams)), at);
    const all = url.searchParams.get('causes') === 'all' && fleet.head.causesTotal > fleet.head.causes.length;
    const causes = all ? today(z.array(WireCauseLine), nightCauses) : fleet.head.causes;
    response.end(JSON.stringify({ ...fleet, head: { ...fleet.head, causes } }));
  } else {
    if (!dev) protect(request, response);
    void handle(request, response);
  }
}).listen(port, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${port}/preview/<${Object.keys(fixtures).join('|')}>\n`),
);
