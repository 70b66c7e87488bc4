import { describe, expect, it } from 'vitest';
import { ReportQuery, type WireReport } from '#lib/api/report.ts';
import { type EmbedScope, figureNames, parseScope } from '#lib/domain/matrix/embed-scope.ts';
import { compareIn, measures } from '#lib/report/write-figure.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import type { RecordReader } from '#server/store/port/record-port.ts';
import { readRecord } from '#server/store/record/record.ts';
import { reportService } from '../report/report-service.ts';
import { given } from '../testing/moment.ts';
import { november, october, octoberHistory } from '../report/testing/october.ts';
import { sampleRef } from '../testing/sample.ts';
import { figureContent } from './figure-content.ts';

function deskOf(record: RecordReader | null, now = november + day) {
  return reportService({
    record: () => record,
    clusters: () => [
      { record: { name: 'eu-west-3', labels: { environment: 'production' } }, objects: [] },
      { record: { name: 'stg-us', labels: { environment: 'staging' } }, objects: [] },
    ],
    now: () => now,
    alarmWithin: hour / 4,
    simulated: false,
    version: '1.2.3',
  });
}

const desk = deskOf(readRecord(octoberHistory));

function figure(text: string): Extract<EmbedScope, { type: 'figure' }> {
  const scope = parseScope(`figure:${text}`);
  if (scope?.type !== 'figure') throw new Error(`${text} is no figure`);
  return scope;
}

async function reportOf(query: Record<string, string>): Promise<WireReport> {
  return given(await desk.report(ReportQuery.parse(query)));
}

describe('a figure of a report', () => {
  it.each([
    ['fleet', {}],
    ['label:environment=production', { label: 'environment=production' }],
    ['cluster:stg-us', { cluster: 'stg-us' }],
  ] as const)('of %s is that of the report', async (of, query) => {
    const report = await reportOf({ period: 'last-month', ...query });
    const content = await figureContent(figure(`converged/last-month/${of}`), desk);
    expect(content.lead).toBe(compareIn(report, measures.converged).now);
    expect(content.standing).toContain(`${compareIn(report, measures.observed).now} of the object time was observed`);
    expect(content.badge).toEqual({ sign: null, words: content.lead, silent: false });
    expect(content.title).toMatch(/^Converged, October 2026, /);
    expect(content.href).toMatch(/^\/reports\?period=last-month/);
  });

  it('stands beside that of the period before, and alone where none is recorded', async () => {
    const standing = async (now: number) => {
      const then = deskOf(readRecord(octoberHistory), now);
      return (await figureContent(figure('incidents/last-month/fleet'), then)).standing;
    };
    expect(await standing(november + day)).toBe('was none (September 2026); 99.66 % of the object time was observed');
    expect(await standing(october + day)).toBe('100 % of the object time was observed');
  });

  it('of the times away counts those that left, came back and last', async () => {
    const { incidents } = (await reportOf({ period: 'last-month' })).figures;
    const { lead, sentence } = await figureContent(figure('incidents/last-month/fleet'), desk);
    expect(incidents.opened).toBeGreaterThan(0);
    expect(lead).toBe(String(incidents.opened));
    expect(sentence).toContain(`${incidents.closed} of them came back`);
  });

  it.each(['converged', 'incidents', 'overdue'])(
    '%s cannot be said of a period in which nothing was observed',
    async (name) => {
      const unseen = octoberHistory.coverage.map((change) => ({ ...change, observed: false }));
      const blind = deskOf(readRecord({ ...octoberHistory, coverage: unseen, incidents: [] }));
      const { lead, sentence } = await figureContent(figure(`${name}/last-month/fleet`), blind);
      expect(`${lead} ${sentence}`).toBe('Cannot be said of this period: nothing was observed.');
    },
  );

  it('of the times away accounts also for what left earlier, and for what was removed', async () => {
    const [first] = octoberHistory.incidents;
    if (first === undefined) throw new Error('October has an incident');
    const at = november - 40 * day;
    const earlier = { ...first, openedAt: at, noticedAt: at, ended: 'removed' as const };
    const removed = deskOf(readRecord({ ...octoberHistory, incidents: [earlier] }));
    const { lead, sentence } = await figureContent(figure('incidents/last-month/fleet'), removed);
    expect(`${lead} ${sentence}`).toBe('None was seen to leave git; 1 was removed, or is not watched any more.');
  });

  it('of the times away adds up where objects were removed', async () => {
    const at = november - 20 * day;
    const incidents = (['converged', 'removed', 'removed'] as const).map((ended, index) => ({
      ref: sampleRef({ name: `${ended}-${index}` }),
      uid: 'u',
      openedAt: at,
      bound: 'exact' as const,
      noticedAt: at,
      closedAt: at + hour,
      ended,
      worst: 'diverged' as const,
      reason: 'BuildFailed',
      rootCause: null,
      range: null,
    }));
    const removing = deskOf(readRecord({ ...octoberHistory, incidents }));
    const { lead, sentence } = await figureContent(figure('incidents/last-month/fleet'), removing);
    expect(`${lead} ${sentence}`).toMatch(
      /^3 times an object left git; 1 .*came back; 2 were removed, or are not watched/,
    );
  });

  it('of the time past the deadline says that alarms cannot be spoken for', async () => {
    const { lead, sentence } = await figureContent(figure('overdue/last-month/fleet'), desk);
    expect(lead).not.toBe('None');
    expect(sentence).toContain('longer than 15 min. Whether anybody was called is unknown');
  });

  it.each(figureNames)('%s is said of no period that is not recorded', async (name) => {
    const empty = deskOf(readRecord({}));
    const content = await figureContent(figure(`${name}/last-month/fleet`), empty);
    expect(content.sentence).toBe('There is no record of this period.');
    expect(content.badge.words).toBe('no record');
  });

  it.each(figureNames)('%s is not said while the record cannot be read', async (name) => {
    const content = await figureContent(figure(`${name}/last-month/fleet`), deskOf(null));
    expect(content.badge.words).toBe('cannot be said');
    expect(content.lead + content.badge.words).not.toMatch(/\d/);
  });

  it('that nothing was seen for is not 0 and not 100 %', async () => {
    const content = await figureContent(figure('converged/last-month/label:environment=nowhere'), desk);
    expect(`${content.lead} ${content.sentence} ${content.badge.words}`).not.toMatch(/\d/);
  });

  it.each([
    ['incidents', [0, 0, 1], 'None was seen to leave git.'],
    ['incidents', [0, 1, 1], 'Cannot be said of this period: nothing was observed.'],
    ['incidents', [1, 1, 1], 'None was seen to leave git.'],
    ['incidents', [0, 0, 0], ' There is no record of this period.'],
    ['overdue', [0, 0, 1], 'None was seen to be away from git for longer than 15 min.'],
  ] as const)(
    'of %s where %j ms were observed, existed and recorded',
    async (name, [observedMs, existedMs, recordedMs], said) => {
      const report = await reportOf({ period: 'last-month', cluster: 'stg-us' });
      const { period } = report;
      const figures = { ...report.figures, observedMs, existedMs, overdueMs: 0 };
      const incidents = { ...figures.incidents, opened: 0, openedAtLeast: false, closed: 0, lasting: 0, removed: 0 };
      const changed = {
        ...report,
        period: { ...period, recordedMs },
        figures: { ...figures, incidents },
        before: null,
      };
      const content = await figureContent(figure(`${name}/last-month/cluster:stg-us`), {
        report: () => Promise.resolve(changed),
      });
      expect(`${content.lead} ${content.sentence}`).toBe(said);
    },
  );

  it('says all that is to be known before it is believed', async () => {
    const report = await reportOf({ period: 'last-month' });
    const lasting = { ...report, period: { ...report.period, lasting: true }, before: null };
    const { more } = await figureContent(figure('converged/last-month/fleet'), {
      report: () => Promise.resolve(lasting),
    });
    expect(more).toMatch(/^There is no record of the period before to compare with\. [NT]/);
  });

  it('speaks of nothing outside of its clusters', async () => {
    for (const name of figureNames) {
      const content = await figureContent(figure(`${name}/last-month/cluster:stg-us`), desk);
      expect(JSON.stringify(content)).not.toContain('eu-west-3');
    }
  });
});

describe('a figure is whole', () => {
  const quiet = deskOf(readRecord({ ...octoberHistory, incidents: [], arrivals: [] }));
  const nothing = { counts: [], standing: '', lines: [], table: null, more: '' };
  const notices =
    'Of the period before (September 2026) 10 d of 30 d are not recorded: only shares and durations are compared.';
  const none = 'none (September 2026)';
  const deadline = 'away from git for longer than 15 min';
  const titles: Readonly<Record<string, string>> = {
    converged: 'Converged',
    incidents: 'Times away from git',
    overdue: 'Away past the deadline',
    arrival: 'From commit to running',
  };

  it.each([
    [
      desk,
      'converged',
      '98.28 %',
      'of the object time observed, what was in git was what was running.',
      '100 %, worse (September 2026)',
    ],
    [desk, 'incidents', '2', 'times an object left git; 2 of them came back.', none],
    [quiet, 'incidents', 'None', 'was seen to leave git.', none],
    [
      desk,
      'overdue',
      '10 object-hours',
      `${deadline}. Whether anybody was called is unknown: Plumbline reads no alarms yet.`,
      none,
    ],
    [quiet, 'overdue', 'None', `was seen to be ${deadline}.`, none],
    [desk, 'arrival', '4 min 10 s', 'from commit to running, the median of 1 arrival.', none],
    [quiet, 'arrival', 'None', 'is known of: no commit was followed from its offer to all of its objects.', none],
  ] as const)('of the fleet, %#', async (from, name, lead, sentence, was) => {
    expect(await figureContent(figure(`${name}/last-month/fleet`), from)).toEqual({
      ...nothing,
      title: `${titles[name]}, October 2026, fleet`,
      href: '/reports?period=last-month',
      sign: null,
      lead,
      sentence,
      standing: `was ${was}; 99.66 % of the object time was observed`,
      more: notices,
      badge: { sign: null, words: lead.replace('None', 'none'), silent: false },
    });
  });

  it('of one time, and of one cluster', async () => {
    const { title, href, lead, sentence } = await figureContent(figure('incidents/last-month/cluster:stg-us'), desk);
    expect([title, href, lead, sentence]).toEqual([
      'Times away from git, October 2026, stg-us',
      '/reports?period=last-month&cluster=stg-us',
      '1',
      'time an object left git; 1 came back.',
    ]);
  });

  it.each(['converged', 'incidents', 'overdue', 'arrival'])('of which nothing can be said: %s', async (name) => {
    const sign = { type: 'truth', truth: 'empty' };
    const saying = (title: string, href: string, sentence: string, words: string): object => {
      return { ...nothing, title, href, sign, lead: '', sentence, badge: { sign, words, silent: false } };
    };
    const of = async (where: string, from = desk) => figureContent(figure(`${name}/last-month/${where}`), from);
    const staging = '/reports?period=last-month&label=environment%3Dstaging';
    const title = titles[name] ?? '';
    expect(await of('cluster:nope')).toEqual(
      saying(`${title}, nope`, '/reports?period=last-month&cluster=nope', 'There is no cluster nope.', 'not there'),
    );
    expect(await of('label:environment=staging', deskOf(null))).toEqual(
      saying(
        `${title}, environment=staging`,
        staging,
        'That cannot be said now: the record cannot be read.',
        'cannot be said',
      ),
    );
    expect(await of('label:environment=staging', deskOf(readRecord({})))).toEqual(
      saying(`${title}, October 2026, environment=staging`, staging, 'There is no record of this period.', 'no record'),
    );
  });
});
