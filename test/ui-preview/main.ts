// Shows the pages over a made-up fleet: node test/ui-preview/main.ts [--dev] [port]; /preview/<name> changes the fleet.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import createNext from 'next';
import { z } from 'zod';
import { wireConflict, wireConflicts, wireExemptionRow, wireExemptions } from '#components/testing/wire-ownership.ts';
import { alarmsApi, AlarmsQuery, WireAlarms } from '#lib/api/alarm/alarms.ts';
import { clusterApi, clustersApi, WireClusterPage } from '#lib/api/cluster.ts';
import { commitApi, CommitQuery, commitsApi, CommitsQuery, WireCommitList, WireCommitPage } from '#lib/api/commit.ts';
import { conflictsApi, WireConflictList } from '#lib/api/conflict.ts';
import { correctionsApi, WireCorrectionList } from '#lib/api/correction.ts';
import { exemptionsApi, WireExemptionList } from '#lib/api/exemption.ts';
import { fleetApi, FleetQuery, FleetView, WireCauseLine, WireFleet } from '#lib/api/fleet.ts';
import { historyApi, HistoryQuery, WireHistory } from '#lib/api/history.ts';
import { absencesApi, WireAbsenceList } from '#lib/api/absence.ts';
import {
  incidentApi,
  IncidentFilter,
  IncidentQuery,
  incidentsApi,
  membershipsApi,
  WireIncidentList,
  WireIncidentPage,
  WireMemberships,
} from '#lib/api/incident.ts';
import { neighboursApi, objectApi, ObjectQuery, WireObjectList, WireObjectPage } from '#lib/api/object.ts';
import { objectsApi } from '#lib/api/object-filter.ts';
import { arrivalsApi, ArrivalsQuery, reportApi, ReportFileQuery, spansApi, SpansQuery } from '#lib/api/report.ts';
import { streamApi } from '#lib/api/stream.ts';
import { parseMoment } from '#lib/format/moment.ts';
import { minute } from '#lib/domain/time/length.ts';
import * as endpoints from '#server/web/endpoints/registered.ts';
import { isRefused, refuse } from '#server/web/http/problem.ts';
import { contentSecurityPolicy, setSecurityHeaders } from '#server/web/http/security-headers.ts';
import { reportService } from '#server/web/report/report-service.ts';
import { octoberHistory } from '#server/web/report/testing/october.ts';
import { readRecord } from '#server/store/record/record.ts';
import type { Present } from '#server/web/present.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { besideOthers, createPatience, wholePage } from '#server/web/git/patience.ts';
import { withPage } from '#server/web/runtime-global.ts';
import type { PageMoment, WebRuntime } from '#server/web/web-runtime.ts';
import { nightCauses } from '#components/testing/night-fleet.ts';
import { moment } from '#components/testing/wire-fleet.ts';
import { alarmsOf } from './alarms.ts';
import { commitPageOf, commitsOf } from './commits.ts';
import { filtered, fixtures } from './fixtures.ts';
import { incidentPageOf, incidentsOf, membershipsOf } from './incidents.ts';
import { correctionsOf, historyOf, absencesOf } from './record.ts';
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
  return { ...fleet, summary: { ...fleet.summary, asOf, lastWordAt: asOf } };
}

/** Fixture as if it were made at a moment (ms): its times are moved, nothing else. */
function movedTo<Shape extends z.ZodType>(at: number, shape: Shape, made: unknown): z.output<Shape> {
  const by = at - moment;
  const moved = JSON.stringify(made).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) =>
    new Date(Date.parse(time) + by).toISOString(),
  );
  return shape.parse(JSON.parse(moved));
}

function pageOrNothing<Shape extends z.ZodType>(at: number, shape: Shape, page: unknown): z.output<Shape> | null {
  return page === null ? null : movedTo(at, shape, page);
}

const reports = reportService({
  record: () => readRecord(octoberHistory),
  clusters: () => chosen().rows.map(({ cluster }) => ({ record: { name: cluster, labels: {} }, objects: [] })),
  now: () => Date.now(),
  alarmWithin: 15 * minute,
  simulated: true,
  version: 'preview',
});

/** Answer of each path from the fixture as if it were made at a moment (ms), the same at every one; null for what is not there. */
const answers: Readonly<Record<string, (query: unknown, at: number) => unknown>> = {
  [fleetApi.path](query, at) {
    const { causes, ...view } = FleetQuery.parse(query);
    const fleet = fleetAt(view, at);
    const all = causes === 'all' && fleet.summary.causesTotal > fleet.summary.causes.length;
    return all
      ? { ...fleet, summary: { ...fleet.summary, causes: movedTo(at, z.array(WireCauseLine), nightCauses) } }
      : fleet;
  },
  [clustersApi.path]: (_query, at) => ({ asOf: new Date(at).toISOString(), clusters: [] }),
  [clusterApi.path]: (query, at) =>
    pageOrNothing(at, WireClusterPage, clusterPageOf(chosen(), clusterApi.query.parse(query).name)),
  [objectApi.path]: (query, at) => pageOrNothing(at, WireObjectPage, objectPageOf(chosen(), ObjectQuery.parse(query))),
  [neighboursApi.path]: () => ({ previous: null, next: null }),
  [alarmsApi.path]: (query, at) => movedTo(at, WireAlarms, alarmsOf(chosen(), AlarmsQuery.parse(query), isPast(at))),
  [objectsApi.path]: (_query, at) => movedTo(at, WireObjectList, listOf(chosen())),
  [historyApi.path]: (query, at) => movedTo(at, WireHistory, historyOf(chosen(), HistoryQuery.parse(query))),
  [absencesApi.path]: (_query, at) => movedTo(at, WireAbsenceList, absencesOf()),
  [incidentsApi.path]: (query, at) => movedTo(at, WireIncidentList, incidentsOf(IncidentFilter.parse(query))),
  [incidentApi.path]: (query, at) => pageOrNothing(at, WireIncidentPage, incidentPageOf(IncidentQuery.parse(query).id)),
  [commitsApi.path]: (query, at) => movedTo(at, WireCommitList, commitsOf(CommitsQuery.parse(query))),
  [commitApi.path]: (query, at) =>
    pageOrNothing(at, WireCommitPage, commitPageOf(CommitQuery.pick({ sha: true }).parse(query))),
  [membershipsApi.path]: (_query, at) => movedTo(at, WireMemberships, membershipsOf()),
  [correctionsApi.path]: (_query, at) => movedTo(at, WireCorrectionList, correctionsOf()),
  [exemptionsApi.path]: (_query, at) => movedTo(at, WireExemptionList, wireExemptions([wireExemptionRow()])),
  [conflictsApi.path]: (_query, at) => movedTo(at, WireConflictList, wireConflicts([wireConflict()])),
  [reportApi.path]: (query) => reports.report(ReportFileQuery.parse(query)),
  [spansApi.path]: (query) => reports.spans(SpansQuery.parse(query)),
  [arrivalsApi.path]: (query) => reports.arrivals(ArrivalsQuery.parse(query)),
};

/** True of a moment (ms) that the bar above the page calls past. */
function isPast(at: number): boolean {
  return Date.now() - at > minute;
}

async function answer(path: string, query: unknown, at: number): Promise<object> {
  const found = await answers[path]?.(query, at);
  return typeof found === 'object' && found !== null ? found : refuse({ type: 'not-found', what: '', nearest: [] });
}

const summaryAt = (now: number) => fleetAt(FleetView.parse({}), now).summary;

function momentAt(now: () => number): PageMoment<Present> {
  return {
    summary: () => summaryAt(now()),
    async ask({ described }, query) {
      const found = await answer(described.path, query, now());
      return isRefused(found) ? found : described.answer.parse(found);
    },
  };
}

const runtime: WebRuntime = {
  ...momentAt(() => Date.now()),
  summary: () => summaryAt(Date.now()),
  endpoints,
  patience: {
    beside: createPatience(systemClock, besideOthers),
    whole: createPatience(systemClock, wholePage),
  },
  past: (at) =>
    Promise.resolve({
      type: 'past',
      moment: { ...momentAt(() => at), summary: async () => summaryAt(at), file: () => Promise.resolve(null) },
      beside: () => Promise.resolve({ before: at - 1_234_567, after: null }),
    }),
  changed: () => Promise.resolve({ type: 'unreadable' }),
};

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

/** Path of an endpoint and parameters that an address asks for. */
function questionOf({ pathname, searchParams }: URL) {
  const { at, ...query } = Object.fromEntries(searchParams);
  const [, sha] = /^\/api\/v1\/commits\/([^/]+)$/.exec(pathname) ?? [];
  if (sha !== undefined)
    return { path: commitApi.path, query: { ...query, sha }, at: parseMoment(at ?? '') ?? Date.now() };
  const [, id] = /^\/api\/v1\/incidents\/([^/]+)$/.exec(pathname) ?? [];
  const asked = id === undefined ? { path: pathname, query } : { path: incidentApi.path, query: { ...query, id } };
  return { ...asked, at: parseMoment(at ?? '') ?? Date.now() };
}

const app = createNext({ dev, dir: fileURLToPath(new URL('../..', import.meta.url)), hostname: '127.0.0.1', port });
const handle = app.getRequestHandler();
await app.prepare();

createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://preview');
  const question = questionOf(url);
  if (url.pathname.startsWith('/preview/')) {
    fixture = url.pathname.slice('/preview/'.length);
    response.writeHead(302, { location: `/${url.search}` }).end();
  } else if (url.pathname === streamApi.path) stream(response);
  else if (answers[question.path] !== undefined) {
    void answer(question.path, question.query, question.at).then((found) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(found));
    });
  } else {
    if (!dev) protect(request, response);
    void withPage({ response, runtime }, () => handle(request, response));
  }
}).listen(port, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${port}/preview/<${Object.keys(fixtures).join('|')}>\n`),
);
