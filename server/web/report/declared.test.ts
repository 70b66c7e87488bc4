import { describe, expect, it } from 'vitest';
import { declaredKind } from '#lib/domain/verdict/only-declared.ts';
import type { WireReport } from '#lib/api/report.ts';
import { makeDocument } from '#lib/report/make-document.ts';
import { readRecord } from '#server/store/record/record.ts';
import { transitionOf } from '#test/contract/store-records.ts';
import { csvRows } from '#test/referee/csv.ts';
import { askReport } from './ask-report.ts';
import { reportCsv } from './report-csv.ts';
import { day } from '#lib/domain/time/length.ts';
import { asked, october, octoberHistory } from './testing/october.ts';

/** One stack in a row of its own, one beside what is read of a cluster. */
const stacks = ['dns', 'eu-west-3'].map((cluster) => {
  const at = october - 20 * day;
  const ref = { cluster, ...declaredKind, namespace: '', name: `stack-on-${cluster}` };
  return transitionOf(ref, at, { noticedAt: at, from: null, to: 'unobserved' });
});

async function reportOf(declared: boolean, rest: Parameters<typeof asked>[0] = {}): Promise<WireReport> {
  const transitions = declared ? [...octoberHistory.transitions, ...stacks] : octoberHistory.transitions;
  return askReport(readRecord({ ...octoberHistory, transitions }), asked(rest));
}

const rowOf = (report: WireReport, label: string): string | undefined =>
  makeDocument(report)
    .sections.find(({ id }) => id === 'figures')
    ?.table.rows.find(([name]) => name?.text === label)?.[1]?.text;

describe('what is only declared', () => {
  it('is no time that was not observed: a report is the same but for its count', async () => {
    const [without, report] = [await reportOf(false), await reportOf(true)];
    const but = ({ figures, before, ...rest }: WireReport) => ({
      ...rest,
      figures: { ...figures, declared: 0 },
      before: before && { ...before, figures: { ...before.figures, declared: 0 } },
    });
    expect(but(report)).toEqual(but(without));
    expect([without.figures.declared, report.figures.declared]).toEqual([0, 2]);
  });

  it('neither is it of a day, a cluster, a kind or the period before', async () => {
    const later = { from: october + 31 * day, to: october + 61 * day, end: october + 61 * day };
    const report = await reportOf(true, { period: later, asOf: later.to });
    expect(report.clusters.map(({ cluster }) => cluster)).not.toContain('dns');
    expect(report.kinds.map(({ kind }) => kind)).toEqual(['Kustomization']);
    expect(report.days.every(({ shares }) => shares.unobserved === 0)).toBe(true);
    expect([report.figures.observedShare, report.before?.figures.declared]).toEqual([1, 2]);
  });

  it('is counted apart in sentence, table and CSV', async () => {
    const report = await reportOf(true);
    const lead = makeDocument(report).times.map((text) => text.map((piece) => piece.text).join(''));
    expect(lead.some((text) => text.endsWith('2 declared stacks are never observed.'))).toBe(true);
    expect(rowOf(report, 'Declared stacks, never observed')).toBe('2');
    const line = csvRows([...reportCsv(report)].join('')).find(
      ({ figure }) => figure === 'declared stacks, never observed',
    );
    expect([line?.['value'], line?.['unit']]).toEqual(['2', 'count']);
  });

  it('is all there is where only it is asked for', async () => {
    const { kind, group } = declaredKind;
    const { figures } = await reportOf(true, {
      scope: { clusters: null, cluster: '', label: '', kind: { group, kind } },
    });
    expect([figures.declared, figures.objects, figures.existedMs, figures.observedShare]).toEqual([2, 0, 0, null]);
  });
});
