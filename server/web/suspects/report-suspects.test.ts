import { expect, it } from 'vitest';
import { notLookedAt } from '#lib/api/git/named-suspect.ts';
import type { WireReportIncident } from '#lib/api/report.ts';
import { reportLinks } from '#lib/report/links.ts';
import { worstSection } from '#lib/report/incident-sections.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import { readRecord } from '#server/store/record/record.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { given, sampleMoment } from '../testing/moment.ts';
import { fakeGit, fakeSha } from '../testing/fake-git.ts';
import { memoryStore } from '../testing/memory-reader.ts';
import { sampleDiverged } from '../testing/sample.ts';
import { sampleIncident } from '../testing/sample-incident.ts';
import { csvRows } from '#test/referee/csv.ts';
import { reportCsv } from '../report/report-csv.ts';
import { reportService } from '../report/report-service.ts';
import { november, octoberHistory } from '../report/testing/october.ts';
import { withSuspects } from './report-suspects.ts';

const url = 'https://github.com/acme/control-repo';
const rev = (digit: string): string => `main@sha1:${fakeSha(digit)}`;
const range = { lastGood: rev('a'), firstBad: rev('c'), seenBetween: 0, watched: true };
const store = await memoryStore().source.open();

async function reportOf(incidents: readonly WireReportIncident[]) {
  const october = reportService({
    record: () => readRecord(octoberHistory),
    clusters: () => [],
    now: () => november + day,
    alarmWithin: hour / 4,
    simulated: false,
    version: '1.2.3',
  });
  const query = {
    period: '',
    from: '2026-10-01',
    to: '2026-11-01',
    cluster: '',
    label: '',
    group: '',
    kind: '',
  } as const;
  const report = given(await october.report(query));
  return { ...report, incidents: { worst: [...incidents], longest: [] } };
}

const told: WireReportIncident = {
  ...{ id: 'abcdefgh0001', title: 'checkout', openedAt: '2026-10-05T00:00:00.000Z', bound: 'exact' },
  ...{ noticedAt: '2026-10-05T00:00:00.000Z', closedAt: null, ended: null, lastedMs: hour, worst: 'diverged' },
  ...{
    reason: 'BuildFailed',
    range,
    suspect: notLookedAt('Git was not asked.'),
    most: { objects: 1, clusters: 1 },
    members: 1,
    returns: 0,
  },
  objectTimeMs: hour,
};

function moment(commits: Parameters<typeof fakeGit>[0]['commits']) {
  const cache = createFleetCache();
  const part = { repository: url, path: 'apps/checkout', range };
  cache.apply([{ type: 'object', object: sampleDiverged({ name: 'checkout' }, part) }]);
  const incident = async () => ({ type: 'incident' as const, incident: sampleIncident({ range }) });
  const record = { ...readRecord({}), incident };
  return {
    ...sampleMoment(cache, defaultPolicy, fakeGit({ url, commits, owners: ['@acme/payments'] })),
    reader: () => ({ ...store, record }),
  };
}

const first = { digit: 'a', files: ['README.md'] };
const bad = { digit: 'b', subject: 'Raise checkout', files: ['apps/checkout/k.yaml'] };

it('a report names the suspect of an incident where one commit is', async () => {
  const report = await reportOf([told, { ...told, id: 'other', range: null, suspect: null }]);
  const named = await withSuspects(report, moment([first, bad, { digit: 'c', files: ['x'] }]));
  expect(named.incidents.worst.map(({ suspect }) => suspect)).toMatchObject([
    {
      type: 'culprit',
      commit: { sha: fakeSha('b'), subject: 'Raise checkout', author: 'Ada' },
      owners: ['@acme/payments'],
    },
    null,
  ]);
  const because = (of: typeof named) => worstSection(of, reportLinks(of)).table.rows[0]?.[1]?.text;
  expect(because(named)).toContain('; suspect: bbbbbbb Raise checkout, Ada, owned by @acme/payments');
  expect(because(report)).toContain('; suspects not looked at');
  const [line] = csvRows([...reportCsv(named)].join('')).filter(({ section }) => section === 'worst incident');
  expect(line).toMatchObject({ suspect: 'culprit', suspectCommit: fakeSha('b'), owners: "'@acme/payments" });
});

it('and none where several touch it', async () => {
  const several = moment([first, bad, { digit: 'c', files: ['apps/checkout/k.yaml'] }]);
  const named = await withSuspects(await reportOf([told]), several);
  expect(named.incidents.worst[0]?.suspect).toMatchObject({ type: 'suspects', commit: null });
});
