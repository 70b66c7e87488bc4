import {
  cellCodes,
  type WireColumn,
  type WireFleet,
  type WireFleetSummary,
  type WireMark,
  type WireRow,
} from '#lib/api/fleet.ts';
import { objectPath } from '#lib/api/paths.ts';
import { verdicts, worse, type Verdict } from '#lib/domain/verdict/verdict.ts';

/** The moment of the fixtures. */
export const moment = Date.UTC(2026, 10, 21, 2, 59, 14);

/** The moment of the fixtures less some minutes, RFC 3339. */
export function minutesAgo(minutes: number): string {
  return new Date(moment - minutes * 60_000).toISOString();
}

const verdictOf = new Map<string, Verdict>(verdicts.map((verdict) => [cellCodes[verdict], verdict]));

/** Counts per verdict with every verdict named, zeros included. */
export function countsOf(cells: string): Record<Verdict, number> {
  const counts: Record<Verdict, number> = {
    diverged: 0,
    drifted: 0,
    unhealthy: 0,
    stale: 0,
    unobserved: 0,
    suspended: 0,
    behind: 0,
    waiting: 0,
    progressing: 0,
    unconfirmed: 0,
    converged: 0,
  };
  for (const code of cells) {
    const verdict = verdictOf.get(code);
    if (verdict !== undefined) counts[verdict] += 1;
  }
  return counts;
}

/** A column that stands for the Kustomization of its name. */
export function wireColumn(title: string, group = 'apps'): WireColumn {
  const object = { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization', namespace: 'flux-system', name: title };
  return { id: `${group}/${title}`, group, title, href: `/objects?kind=Kustomization&name=${title}`, object };
}

/** Mark of a deviating cell; only its column must be told. */
export function wireMark(mark: Pick<WireMark, 'c'> & Partial<WireMark>): WireMark {
  return { n: 1, alarm: 'not-due', href: `/objects/${mark.c}`, say: 'since 02:12 UTC', since: minutesAgo(47), ...mark };
}

/** A row from its letters; worst, silent and counts follow from them. */
export function wireRow(row: Pick<WireRow, 'cluster' | 'cells'> & Partial<WireRow>): WireRow {
  const counts = countsOf(row.cells);
  const present = verdicts.filter((verdict) => counts[verdict] > 0);
  return {
    group: 'production',
    state: 'live',
    since: minutesAgo(600),
    bound: 'exact',
    reason: null,
    worst: present.reduce<Verdict | null>((worst, verdict) => (worst === null ? verdict : worse(worst, verdict)), null),
    silent: (row.marks ?? []).filter((mark) => mark.alarm === 'silent').length,
    declared: 0,
    cautions: [],
    plannedWork: null,
    labels: [],
    drift: '',
    exempt: '',
    commits: [],
    runs: '',
    sources: '',
    marks: [],
    counts,
    ...row,
  };
}

/** The summary of a fleet that is in order. */
export function wireFleetSummary(summary: Partial<WireFleetSummary> = {}): WireFleetSummary {
  const whole = summaryInOrder(summary);
  return { ...whole, guarantee: said(whole.guarantee) };
}

/** A guarantee whose pieces say its lead and body, as one piece each where they are told as text alone. */
export function said(guarantee: WireFleetSummary['guarantee']): WireFleetSummary['guarantee'] {
  const { lead, body, parts } = guarantee;
  const one = (text: string, pieces: typeof parts.lead) =>
    pieces.map((piece) => piece.text).join('') === text ? pieces : text === '' ? [] : [{ text, href: null }];
  return { ...guarantee, parts: { lead: one(lead, parts.lead), body: one(body, parts.body) } };
}

function summaryInOrder(summary: Partial<WireFleetSummary>): WireFleetSummary {
  return {
    asOf: new Date(moment).toISOString(),
    lastWordAt: new Date(moment).toISOString(),
    guarantee: {
      truth: 'holds',
      caption: 'What is in git is what is in your infrastructure, or alarms are sounding.',
      lead: '',
      body: 'So it is, on all 14 clusters: 1,204 objects, 2 not measurable.',
      parts: { lead: [], body: [] },
      holds: 1204,
      broken: 0,
      off: 0,
      unknown: 0,
      planned: 0,
      declared: 0,
      clusters: { total: 14, unseen: 0, away: 0 },
      alarms: 'read',
      paging: null,
    },
    filter: null,
    planned: [],
    causes: [],
    causesTotal: 0,
    causesObjects: 0,
    counts: countsOf(''),
    objects: 1204,
    clusters: { total: 14, synced: 14 },
    partial: [],
    notMeasurable: 2,
    exemptions: 0,
    exempt: 0,
    conflicts: 0,
    record: null,
    simulated: false,
    trouble: null,
    ...summary,
  };
}

/** A fleet from its rows and columns. */
export function wireFleet(fleet: Partial<WireFleet> & Pick<WireFleet, 'rows' | 'columns'>): WireFleet {
  const counts = countsOf(fleet.rows.map((row) => row.cells).join(''));
  return {
    summary: wireFleetSummary({ counts }),
    labels: ['environment', 'region'],
    reconcilers: ['flux', 'helm'],
    hint: null,
    ...fleet,
  };
}

/** Where the object behind a cell has its page. */
export function cellHref(cluster: string, column: WireColumn): string {
  return column.object === null ? column.href : objectPath({ cluster, ...column.object });
}
