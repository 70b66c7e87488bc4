// What the summary of a page counts of what a filter keeps, at a past moment.
import { z } from 'zod';
import { away, isIn, nameOf, objectsIn, type Scope } from './own-count.ts';
import type { RecordRows, RowRef } from './rows.ts';
import { isSeen, stateAt } from './stretches.ts';
import { Amounts } from './wire.ts';

const Said = z.object({ text: z.string(), href: z.string().nullable() });

/** The summary of the fleet, with the clusters that stand under it. */
export const SummaryAnswer = z.object({
  summary: z.object({
    counts: Amounts,
    objects: z.number(),
    notMeasurable: z.number(),
    clusters: z.object({ total: z.number() }),
    guarantee: z.object({
      clusters: z.object({ total: z.number(), unseen: z.number(), away: z.number() }),
      parts: z.object({ lead: z.array(Said), body: z.array(Said) }),
    }),
    filter: z.object({ outside: z.string() }).nullable(),
  }),
  rows: z
    .array(z.object({ cluster: z.string(), counts: Amounts }))
    .transform((rows) => rows.toSorted((a, b) => (a.cluster < b.cluster ? -1 : 1))),
});

/** Counts of a summary. */
export interface Summary {
  readonly counts: Readonly<Record<string, number>>;
  readonly objects: number;
  readonly clusters: { readonly total: number; readonly unseen: number; readonly away: number };
  /** null for a summary of all there is. */
  readonly outside: string | null;
  readonly rows: readonly { readonly cluster: string; readonly counts: Readonly<Record<string, number>> }[];
}

/** A filter as the API names it, and what it keeps. */
export interface Filter {
  readonly query: Readonly<Record<string, string>>;
  readonly keeps: Scope;
}

/** Verdicts said of the rest where it is as bad, worst first. */
const troubled = ['diverged', 'drifted', 'unhealthy', 'stale', 'unobserved', 'behind', 'waiting', 'progressing'];

/** Objects that stood at a moment, each that was there, by its verdict. */
export function countStanding(rows: RecordRows, scope: Scope, at: number): ReadonlyMap<string, string> {
  return new Map(standing(rows, scope, at).map(({ ref, state }) => [nameOf(ref), state]));
}

interface Standing {
  readonly ref: RowRef;
  readonly state: string;
}

function standing(rows: RecordRows, scope: Scope, at: number): readonly Standing[] {
  return objectsIn(rows, scope).flatMap((object) => {
    const state = stateAt(object, rows, at);
    return state === null ? [] : [{ ref: object.ref, state }];
  });
}

/** Number of each. */
export function tally(words: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

function onClusters(objects: readonly Standing[]): ReadonlySet<string> {
  return new Set(objects.map(({ ref }) => ref.cluster));
}

/** The summary of what a scope keeps; `filtered` where that is not all there is. */
export function countSummary(rows: RecordRows, scope: Scope, filtered: boolean, at: number): Summary {
  const all = standing(rows, { clusters: null }, at);
  const kept = all.filter(({ ref }) => isIn(scope, ref));
  const unseen = (cluster: string): boolean => !isSeen(rows.coverage.get(cluster) ?? [], null, at);
  const named = [...rows.coverage.keys()].filter((name) => scope.clusters?.includes(name) ?? true);
  const whole = scope.kind === undefined && scope.namespace === undefined && scope.name === undefined;
  const clusters = whole ? named : [...onClusters(kept)];
  return {
    counts: tally(kept.map(({ state }) => state)),
    objects: kept.length,
    clusters: {
      total: clusters.length,
      unseen: clusters.filter(unseen).length,
      away: onClusters(kept.filter(({ state }) => away.has(state) && state !== 'stale')).size,
    },
    outside: filtered
      ? outsideOf(all, kept, [...rows.coverage.keys()].filter((one) => unseen(one) && !clusters.includes(one)).length)
      : null,
    rows: clusters.toSorted().map((cluster) => ({
      cluster,
      counts: tally(kept.filter(({ ref }) => ref.cluster === cluster).map(({ state }) => state)),
    })),
  };
}

/** Words on what of the rest is as bad as the worst that is kept, or worse. */
function outsideOf(all: readonly Standing[], kept: readonly Standing[], unseen: number): string {
  const inside = new Set(kept);
  const worst = troubled.findIndex((word) => kept.some(({ state }) => state === word));
  const compared = worst === -1 ? troubled : troubled.slice(0, worst + 1);
  const rest = all.filter((one) => !inside.has(one) && compared.includes(one.state));
  const counts = tally(rest.map(({ state }) => state));
  const words = compared.filter((word) => counts[word] !== undefined).map((word) => `${counts[word]} ${word}`);
  const plural = (n: number): string => `${n} cluster${n === 1 ? '' : 's'}`;
  const parts = [
    ...(words.length === 0 ? [] : [`${words.join(', ')} on ${plural(onClusters(rest).size)}`]),
    ...(unseen === 0 ? [] : [`${plural(unseen)} ${unseen === 1 ? 'is' : 'are'} not seen`]),
  ];
  return parts.length === 0 ? 'Outside this filter nothing is worse.' : `Outside this filter: ${parts.join('; ')}.`;
}

/** Of some moments those at which most is wrong on most clusters: there a filter leaves most outside. */
export function worstMoments(rows: RecordRows, moments: readonly number[], count: number): readonly number[] {
  const wrongAt = (at: number): number => {
    const wrong = standing(rows, { clusters: null }, at).filter(({ state }) => troubled.includes(state));
    return new Set(wrong.map(({ ref, state }) => `${ref.cluster} ${state}`)).size;
  };
  return moments.toSorted((a, b) => wrongAt(b) - wrongAt(a)).slice(0, count);
}

/** The number with which a piece of a sentence begins, and the question of the API that lists these objects. */
export function linksOf({ guarantee }: z.infer<typeof SummaryAnswer>['summary']) {
  return [...guarantee.parts.lead, ...guarantee.parts.body].flatMap(({ text, href }) => {
    if (href === null) return [];
    const number = Number(/^[\d,]+/.exec(text)?.[0].replaceAll(',', '') ?? 'NaN');
    return [{ text, number, query: Object.fromEntries(new URL(href, 'http://localhost').searchParams) }];
  });
}

/** Filters that the fleet's page takes whose objects are told by their names. */
export function fleetFilters(rows: RecordRows): readonly Filter[] {
  const names = [...rows.labels.keys()];
  const pairs = new Set([...rows.labels.values()].flatMap((of) => Object.entries(of).map((pair) => pair.join('='))));
  const namespaces = new Set(rows.objects.map(({ ref }) => ref.namespace));
  const carriers = (pair: string): readonly string[] =>
    names.filter((name) => {
      const [key = '', value] = pair.split('=');
      return rows.labels.get(name)?.[key] === value;
    });
  const [first = '', second = ''] = names;
  return [
    { query: {}, keeps: { clusters: null } },
    ...names.map((name) => ({ query: { cluster: name }, keeps: { clusters: [name] } })),
    { query: { cluster: `${first},${second}` }, keeps: { clusters: [first, second] } },
    ...[...pairs].map((label) => ({ query: { label }, keeps: { clusters: carriers(label) } })),
    ...[...namespaces].map((namespace) => ({
      query: { namespace: namespace === '' ? '-' : namespace },
      keeps: { clusters: null, namespace },
    })),
  ];
}

/** Filters by kind, which lists of objects take. */
export function kindFilters(rows: RecordRows): readonly Filter[] {
  const kinds = new Map(rows.objects.map(({ ref: { group, kind } }) => [`${group}/${kind}`, { group, kind }]));
  return [...kinds.values()].map((kind) => ({
    query: { group: kind.group === '' ? '-' : kind.group, kind: kind.kind },
    keeps: { clusters: null, kind },
  }));
}
