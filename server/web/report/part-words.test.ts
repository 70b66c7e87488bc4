import { describe, expect, it } from 'vitest';
import type { WireReport } from '#lib/api/report.ts';
import type { DocumentSection } from '#lib/report/document.ts';
import { timesOf } from '#lib/report/lead.ts';
import { reportLinks } from '#lib/report/links.ts';
import { applicationSection, clusterSection, kindSection } from '#lib/report/part-sections.ts';
import { offenderSection } from '#lib/report/sections.ts';
import { noShares } from '#lib/domain/record/segments.ts';
import { day } from '#lib/domain/time/length.ts';
import { askReport } from './ask-report.ts';
import { asked, octoberHistory } from './testing/october.ts';
import { recorded } from './testing/recorded.ts';

const october = await askReport(recorded(octoberHistory), asked());

function cluster(name: string, awayMs: number, observedMs = 31 * day): WireReport['clusters'][number] {
  return {
    cluster: name,
    wall: { awayMs, observedMs },
    shares: { ...noShares, ...(observedMs === 0 ? { unobserved: day } : { converged: day }) },
  };
}

function dark(count: number): readonly WireReport['clusters'][number][] {
  return Array.from({ length: count }, (_, n) => cluster(`dark-${n}`, 0, 0));
}

function away(count: number): readonly WireReport['clusters'][number][] {
  return Array.from({ length: count }, (_, n) => cluster(`seen-${n}`, 60_000));
}

function clusters(...all: readonly (readonly WireReport['clusters'][number][])[]): DocumentSection {
  return clusterSection({ ...october, clusters: all.flat() }, reportLinks(october));
}

const names = ({ table }: DocumentSection) => table.rows.map(([first]) => first?.text);

describe('the clusters of a report', () => {
  it('that were never observed stand first, and nothing is said of how long they were away', () => {
    const section = clusters(away(10), dark(2));
    expect(section.table.rows.slice(0, 2).map((row) => row.map(({ text }) => text))).toEqual([
      ['dark-0', 'cannot be said', '', 'none', 'cannot be said'],
      ['dark-1', 'cannot be said', '', 'none', 'cannot be said'],
    ]);
    expect(names(section).slice(2)).toEqual(away(10).map((each) => each.cluster));
    expect(section.note).toMatch(/never observed first, then longest first$/);
    expect(section.table.more.text).toBe('');
  });

  it('that are not listed are counted apart: never observed, and seen away for no longer', () => {
    const section = clusters(away(11), dark(13));
    expect(names(section)).toHaveLength(20);
    expect(section.table.more.text).toBe(
      'and 3 more clusters never observed, 1 more cluster seen away for no longer, in CSV and JSON',
    );
  });

  it('that were all observed stand longest first', () => {
    const section = clusters([cluster('short', 1_000), cluster('long', 2_000)]);
    expect(names(section)).toEqual(['long', 'short']);
    expect(section.note).toMatch(/from git, longest first$/);
  });
});

describe('the sentence on clusters', () => {
  const links = reportLinks(october);
  const lead = (more: Partial<WireReport>) =>
    timesOf({ ...october, ...more }, links)[0]
      ?.map(({ text }) => text)
      .join('');
  const all = [...october.clusters, ...dark(1)];

  it('is of those observed where one never was', () => {
    expect(lead({})).toContain('Each of the 2 clusters was away');
    expect(lead({ clusters: all })).toContain('Each of the 2 clusters observed was away');
    const { figures } = october;
    const quiet = { ...figures, wall: { ...figures.wall, clusters: { ...figures.wall.clusters, neverAway: 1 } } };
    expect(lead({ clusters: all, figures: quiet })).toContain('Of 2 clusters observed 1 was never seen away');
  });
});

describe('what a report lists', () => {
  it('does not call kinds better that are not listed: they may be as bad, or never observed', () => {
    const kinds = Array.from({ length: 21 }, (_, n) => ({ group: '', kind: `K${n}`, shares: noShares }));
    const { table } = kindSection({ ...october, kinds }, reportLinks(october));
    expect(table.more.text).toBe('and 1 more kind, in CSV and JSON');
  });

  it('says that none was seen away, for not everything was observed', () => {
    const empty = { ...october, applications: [], offenders: [] };
    for (const section of [applicationSection, offenderSection])
      expect(section(empty, reportLinks(october)).table.none).toBe('None was seen away.');
  });
});
