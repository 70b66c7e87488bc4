import { describe, expect, it } from 'vitest';
import type { ReportDocument, Text } from '#lib/report/document.ts';
import { makeDocument } from '#lib/report/make-document.ts';
import { chartedVerdicts } from '#lib/report/sections.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import type { Recorded } from '#server/store/record/recorded.ts';
import { askReport } from './ask-report.ts';
import { asked, everywhere, november, october, octoberHistory } from './testing/october.ts';
import { recorded } from './testing/recorded.ts';

async function words(
  rest: Parameters<typeof asked>[0] = {},
  history: Partial<Recorded> = octoberHistory,
): Promise<ReportDocument> {
  return makeDocument(await askReport(recorded(history), asked(rest)));
}

const said = (text: Text): string => text.map((piece) => piece.text).join('');

function table(document: ReportDocument, id: string): readonly (readonly string[])[] {
  const section = document.sections.find((each) => each.id === id);
  return section?.table.rows.map((row) => row.map((cell) => cell.text)) ?? [];
}

describe('the words of a report', () => {
  it('begin with what it is about, and tell its story in sentences', async () => {
    const document = await words();
    expect(document.title).toBe('Drift report, October 2026');
    expect(document.subtitle).toBe(
      '1 Oct 2026 00:00 to 1 Nov 2026 00:00 UTC, compared with September 2026; all clusters',
    );
    expect(document.lead.map(said)).toEqual([
      'None of 2 incidents took down 5 objects or more at once. Together they took an object away from git 2 times (a lost cluster counts as one).',
      '2 incidents opened; 2 of them closed. Median time to converge: 30 min, the longest: 10 h. Median time to notice: 0 s.',
    ]);
    expect(document.times.map(said)).toEqual([
      'For 10 h 29 min, 1.41 % of the period, at least one object was away from git (observed: 31 d). Each of the 2 clusters was away at some time; on the median cluster something was away for 30 min.',
      'Every object counted alike, for 98.28 % of the object time observed, what was in git was what was running. 0.71 % was away from git and 1.01 % was switched off on purpose.',
      '99.66 % of the object time was observed. All unobserved time was on stg-us: 5 object-hours; the cluster was unreachable.',
      'Away for longer than 15 min, when an alarm should sound: 10 object-hours. Whether one did cannot be said: no alarm source was read in this period.',
    ]);
  });

  it('every number in a sentence leads to what it is made of', async () => {
    const { lead, times } = await words();
    const links = [...lead, ...times].flat().flatMap(({ href }) => href ?? []);
    const spans = links.filter((link) => link.startsWith('/reports/spans'));
    expect(spans[0]).toBe('/reports/spans?from=2026-10-01T00:00:00.000Z&to=2026-11-01T00:00:00.000Z&verdict=converged');
    expect(spans[1]).toMatch(/verdict=diverged,drifted,unhealthy,stale,behind,waiting,progressing$/);
    expect(links).toContain('/absences?from=2026-10-01T00:00:00.000Z&to=2026-11-01T00:00:00.000Z&order=longest');
    expect(links).toContain('/incidents?from=2026-10-01T00:00:00.000Z&to=2026-11-01T00:00:00.000Z&order=worst');
  });

  it('say when less than the whole period is recorded, and do not compare amounts then', async () => {
    const { notices, sections } = await words();
    expect(notices).toEqual([
      'Of the period before (September 2026) 10 d of 30 d are not recorded: only shares and durations are compared.',
    ]);
    const rows = sections.find(({ id }) => id === 'figures')?.table.rows ?? [];
    const row = (label: string) => rows.find(([first]) => first?.text === label)?.map(({ text }) => text);
    expect(row('Share of observed object time converged')).toEqual([
      'Share of observed object time converged',
      '98.28 %',
      '100 %',
      'worse',
    ]);
    expect(row('Incidents of any size')?.slice(1)).toEqual(['2', 'none', '']);
    expect(row('Times that an object left git')?.slice(1)).toEqual(['2', 'none', '']);
    expect(row('   of it with nobody called')?.[1]).toBe('cannot be said: no alarm source was read in this period');
  });

  it('say where the record begins within the period, that it lasts, and that it is simulated', async () => {
    const to = october - 5 * day;
    const period = { from: october - 30 * day, to, end: october };
    const { notices } = await words({ period, asOf: to, simulated: true });
    expect(notices).toEqual([
      'The fleet and its history are simulated: nothing here has happened.',
      'The record begins on 11 Sep 2026 00:00 UTC: 10 d of 25 d are not recorded.',
      'There is no record of the period before to compare with.',
      'The period is not over: this is how it stands now.',
    ]);
  });

  it('tell incidents, offenders and suspensions in tables', async () => {
    const document = await words();
    expect(table(document, 'incidents')).toEqual([
      [
        'checkout on eu-west-3',
        'BuildFailed: worked at 2d81a0c, first failed at 9f31c07, at least 2 between; suspects not looked at',
        '3 Oct 00:00',
        '1 object',
        '10 h',
        'converged 3 Oct 10:00',
      ],
      [
        '<b>helm</b>-controller on stg-us',
        '=cmd|"/c calc"!A1',
        '21 Oct 00:00',
        '1 object',
        '30 min',
        'converged 21 Oct 00:30',
      ],
    ]);
    expect(
      document.worst?.table.rows.map(([what, , , , lasted, time]) => [what?.text, lasted?.text, time?.text]),
    ).toEqual([
      ['checkout on eu-west-3', '10 h', '9.9 object-hours'],
      ['<b>helm</b>-controller on stg-us', '30 min', '0.5 object-hours'],
    ]);
    expect(table(document, 'offenders')).toEqual([
      ['checkout on eu-west-3', '9 h 59 min', '1', '0'],
      ['mail on stg-us', '30 min', '1', '11'],
    ]);
    expect(table(document, 'suspensions')).toEqual([['mail on stg-us', 'm.ito', '15 h']]);
    expect(table(document, 'not-seen')).toEqual([
      ['stg-us', '5 object-hours', '11 Oct 00:00 to 11 Oct 05:00, unreachable: connect ETIMEDOUT'],
    ]);
    expect(table(document, 'distribution').filter(([, count]) => count !== '0')).toEqual([
      ['15 min to 1 h', '1'],
      ['4 h to 1 d', '1'],
    ]);
  });

  it('no time on the clock is longer than the period, and time of many objects says that it is that', async () => {
    const { figures, sections } = await words();
    expect(figures.map(({ label, value, note }) => [label, value, note])).toEqual([
      ['Incidents of 5 objects or more', 'none', 'of 2 of any size; was none'],
      ['Time to notice, median', '0 s', 'was none'],
      ['Time to converge, median', '30 min', 'was none'],
      ['Something away from git', '10 h 29 min', '1.41 % of the period; was none'],
      ['Object time converged', '98.28 %', '99.66 % observed; was 100 %, worse'],
      ['From commit to running', '4 min 10 s', 'median; was none'],
    ]);
    for (const { meaning } of figures) expect(meaning).not.toBe('');
    const rows = sections.find(({ id }) => id === 'figures')?.table.rows ?? [];
    const objectTime = rows.filter(([label]) => label?.text.startsWith('Object time'));
    expect(objectTime.length).toBeGreaterThan(3);
    for (const [, value] of objectTime) expect(value?.text).toMatch(/object-hours?$|^none$/);
  });

  it('clusters and applications, by how long something of them was away', async () => {
    const document = await words();
    expect(table(document, 'clusters')).toEqual([
      ['eu-west-3', '9 h 59 min', '1.34 %', '31 d', '98.66 %'],
      ['stg-us', '30 min', '0.07 %', '30 d 19 h', '97.90 %'],
    ]);
    expect(table(document, 'applications')).toEqual([
      ['checkout (Kustomization)', '1', '9 h 59 min', '1.34 %', '31 d'],
      ['mail (Kustomization)', '1', '30 min', '0.07 %', '30 d 19 h'],
    ]);
  });

  it('what was switched off or not confirmed is told beside the chart, and does not bury what was away', async () => {
    const report = await askReport(recorded(octoberHistory), asked());
    expect(chartedVerdicts(report.days)).toEqual(['diverged', 'drifted']);
    const days = makeDocument(report).sections.find(({ id }) => id === 'days');
    expect(days?.note).toBe('per UTC day, of what was observed; not drawn: 1.01 % switched off');
    expect(days?.table.columns.map(({ title }) => title)).toContain('suspended');
  });

  it('what has one cause is one line, with what it took down; of more than are listed it leads to all', async () => {
    const [first] = octoberHistory.absences;
    if (first === undefined) throw new Error('October has an absence');
    const controller = {
      type: 'controller',
      cluster: 'eu-west-3',
      namespace: 'flux-system',
      name: 'helm-controller',
    } as const;
    const beneath = Array.from({ length: 7 }, (_, index) => ({
      ...first,
      ref: { ...first.ref, name: `bucket-${index}` },
      reason: 'NotReady',
      rootCause: controller,
      range: null,
      closedAt: october + 2 * day + (10 - index) * hour,
    }));
    const alone = Array.from({ length: 12 }, (_, index) => ({
      ...first,
      ref: { ...first.ref, name: `app-${index}`, kind: `Kind${index}` },
      range: null,
      closedAt: october + 2 * day + (9 - index / 2) * hour,
    }));
    const document = await words({}, { ...octoberHistory, absences: [...beneath, ...alone] });
    expect(said(document.lead[0] ?? [])).toBe(
      '1 incident, of 13 of any size, took down 5 objects or more at once. Together they took an object away from git 19 times (a lost cluster counts as one).',
    );
    const [line] = document.worst?.table.rows ?? [];
    expect(line?.map(({ text }) => text)).toEqual([
      'helm-controller on eu-west-3',
      'NotReady',
      '3 Oct 00:00',
      '7 objects',
      '10 h',
      '48 object-hours',
    ]);
    expect(line?.[0]?.href).toMatch(/^\/incidents\/[a-z0-9]{12}$/);
    const longest = document.sections.find(({ id }) => id === 'incidents');
    expect([document.worst?.table.more, longest?.table.more]).toEqual([
      { text: 'the 5 worst of 13 incidents', href: expect.stringMatching(/^\/incidents\?.*order=worst$/) },
      { text: 'the 10 longest of 13 incidents', href: expect.stringMatching(/^\/incidents\?.*order=longest$/) },
    ]);
  });

  it('what was open before the period and closed is told apart', async () => {
    const from = october + 2 * day + 4 * hour;
    const document = await words({ period: { from, to: november, end: november } });
    expect(document.lead.map(said)).toEqual([
      'None of 2 incidents took down 5 objects or more at once. Those that opened in the period took an object away from git once (a lost cluster counts as one).',
      '1 incident opened; 1 closed; 1 more from before the period closed. Median time to converge: 30 min, the longest: 10 h. Median time to notice: 0 s.',
    ]);
  });

  it('an incident that lasts is told as at least so long', async () => {
    const to = october + 2 * day + 4 * hour;
    const document = await words({ period: { from: october, to, end: to } });
    expect(table(document, 'incidents')).toMatchObject([{ 4: 'at least 4 h', 5: 'still open at the end' }]);
    expect(document.lead.map(said)[1]).toBe(
      '1 incident opened; it did not close; 1 was still open at the end. Median time to notice: 30 s.',
    );
  });

  it('a month in which nothing happened says none, and never 0 %', async () => {
    const to = october;
    const document = await words({ period: { from: october - 5 * day, to, end: to } });
    expect(document.lead.map(said)).toEqual(['No incident was seen.']);
    expect(document.times.map(said)).toEqual([
      'In the 5 d that a cluster was observed, nothing was seen away from git.',
      'Every object counted alike, for 100 % of the object time observed, what was in git was what was running.',
      'All of the object time was observed.',
      'Nothing was seen away for longer than 15 min: no alarm is known to have been due.',
    ]);
    expect(document.figures.map(({ value }) => value)).toEqual(['none', 'none', 'none', 'none', '100 %', 'none']);
    expect(table(document, 'incidents')).toEqual([]);
  });

  it('what was not seen is not said not to have been', async () => {
    const blind = {
      cluster: 'stg-us',
      kind: null,
      at: october - 20 * day,
      observed: false,
      state: 'unreachable',
      reason: null,
    };
    const from = october - 5 * day;
    const quiet = {
      ...octoberHistory,
      coverage: [...octoberHistory.coverage.filter(({ cluster }) => cluster !== 'stg-us'), blind],
    };
    const { lead, times, sections } = await words({ period: { from, to: october, end: october } }, quiet);
    const sentences = [...times, ...lead].map(said);
    expect(sentences[2]).toMatch(/^50.00 % of the object time was observed/);
    expect([sentences[0], sentences[3], sentences[4]]).toEqual([
      'In the 5 d that a cluster was observed, nothing was seen away from git.',
      'Nothing was seen away for longer than 15 min: no alarm is known to have been due.',
      'No incident was seen.',
    ]);
    const none = (id: string) => sections.find((section) => section.id === id)?.table.none;
    expect(['applications', 'offenders', 'incidents', 'suspensions'].map(none)).toEqual([
      'None was seen away.',
      'None was seen away.',
      'None was seen.',
      'Nothing was seen switched off.',
    ]);
  });

  it.each([
    ['there is no record', {}, 'There is no record of this period. Nothing of this scope is recorded yet.'],
    [
      'the record begins later',
      {
        coverage: [{ cluster: 'x', kind: null, at: november + day, observed: true, state: 'live', reason: null }],
      },
      'There is no record of this period. The record begins on 2 Nov 2026 00:00 UTC.',
    ],
    [
      'nothing was there',
      { coverage: octoberHistory.coverage },
      'In this period no object was there: there is nothing to report on.',
    ],
    [
      'nothing was observed',
      {
        ...octoberHistory,
        coverage: ['eu-west-3', 'stg-us'].map((cluster) => ({
          cluster,
          kind: null,
          at: october - day,
          observed: false,
          state: 'unreachable',
          reason: null,
        })),
      },
      'Nothing can be said of this period: none of the time of any object was observed.',
    ],
  ] as const)('where %s, that is all that is said', async (_what, history, sentence) => {
    const document = await words({}, history);
    expect(document.lead.map(said)).toEqual([sentence]);
    const { worst, figures, times, sections, reading } = document;
    expect([worst, figures, times, sections, reading]).toEqual([null, [], [], [], []]);
  });

  it('name the scope', async () => {
    const label = { ...everywhere, clusters: ['a', 'b'], label: 'environment=production' };
    expect((await words({ scope: label })).subtitle).toContain('; 2 clusters with environment=production');
    const kind = { ...everywhere, clusters: ['stg-us'], cluster: 'stg-us', kind: { group: '', kind: 'Secret' } };
    expect((await words({ scope: kind })).subtitle).toContain('; 1 cluster: stg-us, Secret only');
    expect((await words({ scope: kind })).self).toMatch(/&cluster=stg-us&group=-&kind=Secret$/);
  });
});
