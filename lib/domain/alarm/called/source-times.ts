import { compareText } from '../../observation/compare-text.ts';
import { differenceOf, intersectionOf, type FlatStretches } from '../../record/flat-stretches.ts';
import type { Period } from '../../record/span.ts';
import { timeUnion } from '../../time/time-union.ts';
import { notConfigured, type AlarmCoverage } from '../call.ts';
import { noneLeftOut, type CallsOfSource, type LeftOut } from './left-out.ts';

/** Times of a period in which alarm sources spoke for clusters, and could be read. */
export interface SourceTimes {
  /** When it could not be known who was called for objects of a cluster: no source spoke for it, or one that did could not be read whole. */
  unknownOn(cluster: string): FlatStretches;
  /** When a source spoke for a cluster. */
  spoken(source: string, cluster: string): FlatStretches;
  /** Sources whose calls are not read, of those that spoke for a cluster or called for it. */
  leftOutOn(cluster: string): readonly CallsOfSource[];
}

/** A time from one word on a source to the next. */
interface Word extends Period {
  readonly read: boolean;
  /** null: for all clusters. */
  readonly clusters: ReadonlySet<string> | null;
}

/**
 * Times of a period by what was told of sources, in any order; of two words of one moment the later in the list holds. From `causesUpTo` on (ms) root
 * causes are not known yet, and so not who was called for them; null where they all are. A source that is left out could be read at no time.
 */
export function sourceTimes(
  coverage: readonly AlarmCoverage[],
  period: Period,
  causesUpTo: number | null = null,
  leftOut: LeftOut = noneLeftOut,
): SourceTimes {
  const words = [...wordsOf(coverage, period, leftOut), ...heardWords(leftOut, period)];
  const all = Float64Array.of(period.from, Math.max(period.from, period.to));
  /** Clusters of which the same words speak have the same times. */
  const unknown = new Map<string, FlatStretches>();

  function heardOn(cluster: string): readonly Word[][] {
    return words.map(([, its]) => its.filter(({ clusters }) => clusters?.has(cluster) ?? true));
  }

  return {
    unknownOn(cluster) {
      const heard = heardOn(cluster).flat();
      const key = heard.map(({ from, to, read }) => `${from} ${to} ${read}`).join();
      const known = unknown.get(key) ?? unknownIn(heard, all, causesUpTo ?? period.to);
      unknown.set(key, known);
      return known;
    },
    spoken(source, cluster) {
      const its = words.find(([name]) => name === source)?.[1] ?? [];
      return covered(its.filter(({ clusters }) => clusters?.has(cluster) ?? true));
    },
    leftOutOn(cluster) {
      const heard = words.filter(([, its]) => its.some(({ clusters }) => clusters?.has(cluster) ?? true));
      const names = new Set(heard.map(([source]) => source));
      return leftOut.sources.filter(({ source }) => names.has(source));
    },
  };
}

function unknownIn(heard: readonly Word[], all: FlatStretches, causesUpTo: number): FlatStretches {
  const unspoken = differenceOf(all, covered(heard));
  const unread = covered(heard.filter(({ read }) => !read));
  const either = timeUnion();
  either.add(causesUpTo, all[1] ?? causesUpTo);
  for (const list of [unspoken, unread])
    for (let at = 0; at < list.length; at += 2) either.add(list[at] ?? 0, list[at + 1] ?? 0);
  return intersectionOf(either.stretches(), all);
}

function covered(words: readonly Word[]): FlatStretches {
  const union = timeUnion();
  for (const { from, to } of words) union.add(from, to);
  return union.stretches().slice();
}

/** By source, the times of its words that lie in a period. One that is forgotten says nothing. */
function wordsOf(
  coverage: readonly AlarmCoverage[],
  period: Period,
  leftOut: LeftOut,
): readonly (readonly [string, readonly Word[]])[] {
  const unlooked = new Set(leftOut.sources.map(({ source }) => source));
  const sources = [...Map.groupBy(coverage, ({ source }) => source)];
  return sources
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([source, points]) => {
      const inOrder = points.toSorted((a, b) => a.at - b.at);
      const words = inOrder.map(({ at, read, clusters, reason }, place) => ({
        from: Math.max(period.from, at),
        to: Math.min(period.to, inOrder[place + 1]?.at ?? period.to),
        read: read && !unlooked.has(source),
        clusters: clusters.length === 0 ? null : new Set(clusters),
        reason,
      }));
      return [source, words.filter(({ from, to, reason }) => from < to && reason !== notConfigured)] as const;
    });
}

/** Of sources that are left out, the times in which they called for clusters, as words that could not be read. */
function heardWords({ heard }: LeftOut, period: Period): readonly (readonly [string, readonly Word[]])[] {
  return heard
    .map(({ source, cluster, ...its }) => {
      const [from, to] = [Math.max(period.from, its.from), Math.min(period.to, its.to)];
      return [source, [{ from, to, read: false, clusters: new Set([cluster]) }]] as const;
    })
    .filter(([, [{ from, to }]]) => from < to);
}
