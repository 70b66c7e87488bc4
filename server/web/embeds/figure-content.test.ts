import { describe, expect, it } from 'vitest';
import { ReportQuery, type WireReport } from '#lib/api/report.ts';
import { type EmbedScope, figureNames, parseScope } from '#lib/domain/matrix/embed-scope.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import { compareIn, measures } from '#lib/report/write-figure.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import type { RecordReader } from '#server/store/port/record-port.ts';
import { reportService } from '../report/report-service.ts';
import { given } from '../testing/moment.ts';
import { november, october, octoberHistory } from '../report/testing/october.ts';
import { recorded } from '../report/testing/recorded.ts';
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

const desk = deskOf(recorded(octoberHistory));

function figure(text: string): Extract<EmbedScope, { type: 'figure' }> {
  const scope = parseScope(`figure:${text}`);
  if (scope?.type !== 'figure') throw new Error(`${text} is no figure`);
  return scope;
}

/** Something of eu-west-3 that was away for an hour. */
function gone(name: string, ended: 'converged' | 'removed', rest: Partial<Absence> = {}): Absence {
  const at = november - 20 * day;
  return {
    ref: sampleRef({ cluster: 'eu-west-3', name }),
    uid: 'u',
    openedAt: at,
    bound: 'exact',
    noticedAt: at,
    closedAt: at + hour,
    ended,
    worst: 'diverged',
    reason: `${name} failed`,
    rootCause: null,
    range: null,
    ...rest,
  };
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
      const then = deskOf(recorded(octoberHistory), now);
      return (await figureContent(figure('incidents/last-month/fleet'), then)).standing;
    };
    expect(await standing(november + day)).toBe('was none (September 2026); 99.66 % of the object time was observed');
    expect(await standing(october + day)).toBe('100 % of the object time was observed');
  });

  it('of incidents of the fleet says how many matter, and accounts for all', async () => {
    const { incidents } = (await reportOf({ period: 'last-month' })).figures;
    const { lead, sentence } = await figureContent(figure('incidents/last-month/fleet'), desk);
    expect([incidents?.large, incidents?.opened]).toEqual([0, 2]);
    expect(`${lead} ${sentence}`).toBe(
      'None of 2 incidents took down 5 objects or more at once. 2 incidents opened; 2 of them closed.',
    );
  });

  it('of incidents of the fleet counts causes, not objects', async () => {
    const dead = { type: 'controller', cluster: 'stg-us', namespace: 'flux-system', name: 'helm-controller' } as const;
    const beneath = Array.from({ length: 6 }, (_, index) => gone(`app-${index}`, 'converged', { rootCause: dead }));
    const many = deskOf(recorded({ ...octoberHistory, absences: [...beneath, gone('alone', 'converged')] }));
    const { lead, sentence, badge } = await figureContent(figure('incidents/last-month/fleet'), many);
    expect(`${lead} ${sentence}`).toBe(
      '1 incident, of 2 of any size, took down 5 objects or more at once. 2 incidents opened; 2 of them closed.',
    );
    expect(badge.words).toBe('1');
  });

  it.each(['converged', 'incidents', 'overdue'])(
    '%s cannot be said of a period in which nothing was observed',
    async (name) => {
      const unseen = octoberHistory.coverage.map((change) => ({ ...change, observed: false }));
      const blind = deskOf(recorded({ ...octoberHistory, coverage: unseen, absences: [] }));
      const { lead, sentence } = await figureContent(figure(`${name}/last-month/fleet`), blind);
      expect(`${lead} ${sentence}`).toBe('Cannot be said of this period: nothing was observed.');
    },
  );

  it('of incidents accounts also for what was open before, and for what was removed', async () => {
    const earlier = { ...gone('old', 'removed'), openedAt: november - 40 * day, noticedAt: november - 40 * day };
    const before = deskOf(recorded({ ...octoberHistory, absences: [earlier] }));
    const of = async (scope: string, from = before) => {
      const { lead, sentence } = await figureContent(figure(`incidents/last-month/${scope}`), from);
      return `${lead} ${sentence}`;
    };
    const otherwise = '1 ended because what failed was removed, is not watched any more, or was part of another.';
    expect(await of('fleet')).toBe(
      `None of 1 incident took down 5 objects or more at once. No more incidents opened; ${otherwise}`,
    );
    expect(await of('cluster:eu-west-3')).toBe(`1 incident from before the period; ${otherwise}`);
    const both = deskOf(recorded({ ...octoberHistory, absences: [earlier, gone('new', 'converged')] }));
    expect(await of('cluster:eu-west-3', both)).toBe(
      `2 incidents in all, 1 of them new; 1 closed; the one from before the period did not close; ${otherwise}`,
    );
  });

  it('of incidents of a part of the fleet tells neither members nor reach: they may lie outside', async () => {
    const dead = {
      type: 'controller',
      cluster: 'eu-west-3',
      namespace: 'flux-system',
      name: 'helm-controller',
    } as const;
    const outside = Array.from({ length: 6 }, (_, index) => gone(`app-${index}`, 'converged', { rootCause: dead }));
    const within = {
      ...gone('app-9', 'converged', { rootCause: dead }),
      ref: sampleRef({ cluster: 'stg-us', name: 'app-9' }),
    };
    const from = deskOf(recorded({ ...octoberHistory, absences: [...outside, within] }));
    const { lead, sentence } = await figureContent(figure('incidents/last-month/cluster:stg-us'), from);
    expect(`${lead} ${sentence}`).toBe('1 incident opened; 1 closed.');
  });

  it.each(['fleet', 'cluster:stg-us'])(
    'incidents of %s are not counted while stored history is still being made into them',
    async (of) => {
      const making = { ...recorded(octoberHistory), incidentsUpTo: async () => october + day };
      const { lead, sentence, badge, standing } = await figureContent(
        figure(`incidents/last-month/${of}`),
        deskOf(making),
      );
      expect(`${lead} ${sentence}`).toBe(
        'Cannot be said yet: stored history is still being made into incidents, so far up to 2 Oct 2026 00:00 UTC.',
      );
      expect([badge.words, standing]).toEqual([
        'cannot be said',
        expect.stringMatching(/^was cannot be said \(September 2026\); [\d.]+ % of the object time was observed$/),
      ]);
    },
  );

  it('of the time past the deadline says that alarms cannot be spoken for', async () => {
    const { lead, sentence } = await figureContent(figure('overdue/last-month/fleet'), desk);
    expect(lead).not.toBe('None');
    expect(sentence).toContain('longer than 15 min. Whether anybody was called cannot be said');
  });

  it.each(figureNames)('%s is said of no period that is not recorded', async (name) => {
    const empty = deskOf(recorded({}));
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
    ['incidents', [0, 0, 1], 'None was seen.'],
    ['incidents', [0, 1, 1], 'Cannot be said of this period: nothing was observed.'],
    ['incidents', [1, 1, 1], 'None was seen.'],
    ['incidents', [0, 0, 0], ' There is no record of this period.'],
    ['overdue', [0, 0, 1], 'None was seen to be away from git for longer than 15 min.'],
  ] as const)(
    'of %s where %j ms were observed, existed and recorded',
    async (name, [observedMs, existedMs, recordedMs], said) => {
      const report = await reportOf({ period: 'last-month', cluster: 'stg-us' });
      const { period } = report;
      const none = {
        opened: 0,
        openAtStart: 0,
        closed: 0,
        closedFromBefore: 0,
        gone: 0,
        open: 0,
        large: 0,
        members: 0,
      };
      const counted = report.figures.incidents;
      const incidents = counted && { ...counted, ...none };
      const figures = { ...report.figures, incidents, observedMs, existedMs, overdueMs: 0 };
      const changed = {
        ...report,
        period: { ...period, recordedMs },
        figures,
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
  const quiet = deskOf(recorded({ ...octoberHistory, absences: [], arrivals: [] }));
  const nothing = { counts: [], standing: '', lines: [], table: null, more: '' };
  const notices =
    'Of the period before (September 2026) 10 d of 30 d are not recorded: only shares and durations are compared.';
  const none = 'none (September 2026)';
  const deadline = 'away from git for longer than 15 min';
  const titles: Readonly<Record<string, string>> = {
    converged: 'Converged',
    incidents: 'Incidents of 5 objects or more',
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
    [
      desk,
      'incidents',
      'None',
      'of 2 incidents took down 5 objects or more at once. 2 incidents opened; 2 of them closed.',
      none,
    ],
    [quiet, 'incidents', 'None', 'was seen.', none],
    [
      desk,
      'overdue',
      '10 object-hours',
      `${deadline}. Whether anybody was called cannot be said: no alarm source was read in this period.`,
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
      'Incidents, October 2026, stg-us',
      '/reports?period=last-month&cluster=stg-us',
      '1',
      'incident opened; 1 closed.',
    ]);
  });

  it.each(['converged', 'incidents', 'overdue', 'arrival'])('of which nothing can be said: %s', async (name) => {
    const sign = { type: 'truth', truth: 'empty' };
    const saying = (title: string, href: string, sentence: string, words: string): object => {
      return { ...nothing, title, href, sign, lead: '', sentence, badge: { sign, words, silent: false } };
    };
    const of = async (where: string, from = desk) => figureContent(figure(`${name}/last-month/${where}`), from);
    const staging = '/reports?period=last-month&label=environment%3Dstaging';
    const title = name === 'incidents' ? 'Incidents' : (titles[name] ?? '');
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
    expect(await of('label:environment=staging', deskOf(recorded({})))).toEqual(
      saying(`${title}, October 2026, environment=staging`, staging, 'There is no record of this period.', 'no record'),
    );
  });
});
