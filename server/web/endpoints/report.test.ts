import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anybody } from '#lib/domain/access/viewer.ts';
import { WireArrivalList, WireReport, WireSpanList } from '#lib/api/report.ts';
import type { RecordReader } from '#server/store/port/record-port.ts';
import { readRecord } from '#server/store/record/record.ts';
import { createServer, type Server } from 'node:http';
import { day, hour } from '#lib/domain/time/length.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { reportService } from '../report/report-service.ts';
import { november, octoberHistory } from '../report/testing/october.ts';
import { sampleMoment, samplePresent } from '../testing/moment.ts';
import { answerApi } from './answer-api.ts';

let server: Server;
let origin: string;
let record: RecordReader | null;

beforeEach(async () => {
  record = readRecord(octoberHistory);
  const reports = reportService({
    record: () => record,
    clusters: () => [
      { record: { name: 'eu-west-3', labels: { environment: 'production', region: 'eu' } }, objects: [] },
      { record: { name: 'stg-us', labels: { environment: 'staging' } }, objects: [] },
    ],
    now: () => november + day,
    alarmWithin: hour / 4,
    simulated: false,
    version: '1.2.3',
  });
  const present = samplePresent(sampleMoment(createFleetCache()), { reports });
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    const past = () => Promise.resolve({ type: 'unreadable' as const });
    void answerApi({ present, past, viewer: anybody, origin: 'https://plumbline.example.org', url, request, response });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  origin = `http://127.0.0.1:${address.port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => void server.close(resolve));
});

const october = 'from=2026-10-01&to=2026-11-01';
const get = (path: string): Promise<Response> => fetch(`${origin}/api/v1/${path}`);

describe('GET /api/v1/report', () => {
  it('is the report of the period that is asked for', async () => {
    const report = WireReport.parse(await (await get(`report?${october}`)).json());
    expect(report).toMatchObject({ schema: 'plumbline.report/9', period: { name: 'October 2026' }, version: '1.2.3' });
    expect(WireReport.parse(await (await get('report?period=last-month')).json()).figures).toEqual(report.figures);
  });

  it.each([
    ['csv', 'text/csv', /^section,cluster,/],
    ['md', 'text/markdown', /^# Drift report, October 2026/],
    ['html', 'text/html', /^<!doctype html>/],
  ])('as %s is a file with a name of its own', async (format, type, start) => {
    const response = await get(`report?${october}&format=${format}`);
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="drift-report-2026-10-01-to-2026-11-01.${format}"`,
    );
    expect(await response.text()).toMatch(start);
  });

  it('as json is no file', async () => {
    for (const format of ['', '&format=json'])
      expect((await get(`report?${october}${format}`)).headers.get('content-disposition')).toBeNull();
  });

  it('links in a file lead to where Plumbline is served, whatever a request says of its host', async () => {
    const headers = { 'X-Forwarded-Proto': 'http', 'X-Forwarded-Host': 'evil.example' };
    const html = await (await fetch(`${origin}/api/v1/report?${october}&format=html`, { headers })).text();
    expect(html).toContain('href="https://plumbline.example.org/reports?from=');
    expect(html).not.toMatch(/evil\.example|127\.0\.0\.1/);
  });

  it('of a label is about the clusters that carry it now', async () => {
    const report = WireReport.parse(await (await get(`report?${october}&label=environment=production`)).json());
    expect(report.scope).toMatchObject({ clusters: ['eu-west-3'], label: 'environment=production' });
    expect(report.figures.objects).toBe(1);
  });

  it.each([
    ['cluster=eu-west', { parameter: 'cluster', value: 'eu-west', nearest: ['eu-west-3'] }],
    ['label=environment=prod', { parameter: 'label', value: 'environment=prod' }],
    ['group=-&kind=Kustomizatoin', { parameter: 'kind', value: 'Kustomizatoin' }],
  ])('of %s, which is not there, is refused: a report of nothing would read as good news', async (scope, missing) => {
    for (const path of ['report', 'spans', 'arrivals']) {
      const response = await get(`${path}?${october}&${scope}`);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ type: '/problems/not-found', notThere: [missing] });
    }
  });

  it.each([
    ['report?from=monday', 'from'],
    ['report?from=2026-11-01&to=2026-10-01', 'to'],
    ['report?to=2026-10-01', 'from'],
    ['report?period=last-month&from=2026-10-01', 'period'],
    ['report?colour=red', 'colour'],
    ['report?format=pdf', 'format'],
    ['spans?verdict=broken', 'verdict'],
    ['spans?cursor=nonsense', 'cursor'],
    ['arrivals?label=production', 'label'],
  ])('%s is refused for %s', async (path, parameter) => {
    const response = await get(path);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ parameter });
  });

  it('where the record cannot be read, is not ready', async () => {
    record = null;
    expect((await get('report')).status).toBe(503);
    record = { ...readRecord({}), since: () => Promise.reject(new Error('disk I/O error')) };
    expect((await get('report')).status).toBe(503);
  });
});

describe('what the figures are made of', () => {
  it.each(['converged', 'diverged', 'drifted', 'suspended', 'diverged,drifted', ''])(
    'the spans of "%s", added up, are the figure',
    async (verdict) => {
      const { figures } = WireReport.parse(await (await get(`report?${october}`)).json());
      let cursor = '';
      let sum = 0;
      let total = 0;
      do {
        const list = WireSpanList.parse(
          await (await get(`spans?${october}&verdict=${verdict}&limit=2&cursor=${cursor}`)).json(),
        );
        sum += list.spans.reduce((all, { observedMs }) => all + observedMs, 0);
        cursor = list.nextCursor ?? '';
        total = list.observedMs;
      } while (cursor !== '');
      expect(sum).toBe(total);
      const named = verdict === '' ? null : new Set(verdict.split(','));
      const figure = Object.entries(figures.shares)
        .filter(([name]) => name !== 'unobserved' && (named?.has(name) ?? true))
        .reduce((all, [, ms]) => all + ms, 0);
      expect(sum).toBe(figure);
    },
  );

  it('a span tells what of it lies in the period, and what of that was observed', async () => {
    const list = WireSpanList.parse(await (await get(`spans?${october}&verdict=suspended`)).json());
    expect(list.spans).toMatchObject([{ ref: { name: 'mail' }, withinMs: 20 * hour, observedMs: 15 * hour }]);
  });

  it('arrivals, newest first, with the figures that stand in the report', async () => {
    const list = WireArrivalList.parse(await (await get(`arrivals?${october}`)).json());
    expect(list.arrivals?.map(({ cluster, tookMs }) => [cluster, tookMs])).toEqual([
      ['eu-west-3', 250_000],
      ['stg-us', null],
    ]);
    const { figures } = WireReport.parse(await (await get(`report?${october}`)).json());
    expect(list.spread).toEqual(figures.arrivals);
  });
});
