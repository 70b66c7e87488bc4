import { amounts, countFigures, type ReportQuestion } from './figures.ts';
import { convergedIn, listedIncidents } from './incidents.ts';
import { correctionsOf, observableIn, sharesOf } from './own-count.ts';
import { byName, type ReportAnswer } from './report-answer.ts';
import { offendersOf, suspensionsIn } from './report-lists.ts';
import type { RowRef } from './rows.ts';
import { knownOf, type Between } from './stretches.ts';
import { countApplications, countClusterWall } from './wall-clock.ts';

const day = 86_400_000;

function daysOf({ rows, scope, period }: ReportQuestion): ReportAnswer['days'] {
  const objects = observableIn(rows, scope);
  const days: ReportAnswer['days'] = [];
  for (let start = Math.floor(period.from / day) * day; start < period.to; start += day) {
    const within = { from: Math.max(start, period.from), to: Math.min(start + day, period.to) };
    const shares = amounts(sharesOf(objects.flatMap((object) => knownOf(object, rows, within))));
    days.push({ day: start, shares, corrections: correctionsOf(rows, scope, within) });
  }
  return days;
}

/** Since when there is a record of the clusters that are asked about (ms); null where there is none. */
function since({ rows, scope }: ReportQuestion): number | null {
  const points = [...rows.coverage].flatMap(([cluster, own]) =>
    (scope.clusters?.includes(cluster) ?? true) ? own : [],
  );
  return points.length === 0 ? null : Math.min(...points.map(({ at }) => at));
}

function cutOf({ from, to }: Between, begun: number | null): ReportAnswer['period'] {
  return { from, to, recordedMs: begun === null ? 0 : Math.max(0, to - Math.max(from, begun)), ofMs: to - from };
}

/** The month before a whole month of the calendar, else as much time directly before. All in UTC. */
function periodBefore({ from, to }: Between): Between {
  const date = new Date(from);
  const month = (offset: number): number => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1);
  return from === month(0) && to === month(1) ? { from: month(-1), to: from } : { from: from + from - to, to: from };
}

function beforeOf(question: ReportQuestion): ReportAnswer['before'] {
  const begun = since(question);
  const period = periodBefore(question.period);
  if (begun === null || begun >= period.to) return null;
  return { ...cutOf(period, begun), figures: countFigures({ ...question, period }) };
}

/** Parts of an answer that are not counted again: where the bars of a distribution end, and how incidents are called. */
type Told = Pick<ReportAnswer, 'distribution' | 'incidents'>;

/** The whole report over a period, counted from the rows. */
export function countReport(question: ReportQuestion, { distribution, incidents }: Told): ReportAnswer {
  const { rows, scope, period } = question;
  const there = observableIn(rows, scope)
    .map((object) => ({ ref: object.ref, known: knownOf(object, rows, period) }))
    .filter(({ known }) => known.length > 0);
  const sharesBy = (key: (ref: RowRef) => string): readonly (readonly [string, Record<string, number>])[] =>
    [...Map.groupBy(there, ({ ref }) => key(ref))].map(([name, of]) => [
      name,
      amounts(sharesOf(of.flatMap(({ known }) => known))),
    ]);
  const clusters = sharesBy(({ cluster }) => cluster).map(([cluster, shares]) => ({
    cluster,
    shares,
    wall: countClusterWall(rows, scope, period, cluster),
  }));
  const took = convergedIn(rows, scope, period);
  const titles = new Map([...incidents.longest, ...incidents.worst].map(({ id, title }) => [id, title]));
  return {
    period: cutOf(period, since(question)),
    recordedSince: since(question),
    figures: countFigures(question),
    before: beforeOf(question),
    days: daysOf(question),
    clusters: byName(clusters),
    applications: [...countApplications(rows, scope, period)],
    kinds: byName(
      sharesBy(({ group, kind }) => `${group}/${kind}`).map(([name, shares]) => {
        const [group = '', kind = ''] = name.split('/');
        return { group, kind, shares };
      }),
    ),
    distribution: distribution.map(({ fromMs, toMs }) => ({
      fromMs,
      toMs,
      count: took.filter((each) => each >= fromMs && each < (toMs ?? Infinity)).length,
    })),
    incidents: listedIncidents(rows, scope, period, titles),
    offenders: offendersOf(question),
    suspensions: suspensionsIn(question),
    notSeen: clusters
      .map(({ cluster, shares }) => ({ cluster, unobservedMs: shares['unobserved'] ?? 0 }))
      .filter(({ unobservedMs }) => unobservedMs > 0)
      .toSorted((a, b) => b.unobservedMs - a.unobservedMs)
      .slice(0, 5),
  };
}
