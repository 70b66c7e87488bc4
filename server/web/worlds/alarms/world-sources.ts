import type { AlarmCoveragePage, AlarmFinding } from '#lib/domain/alarm/finding.ts';
import type { NamedRule } from '#lib/domain/alarm/coverage/loaded-rules.ts';
import type { AlarmSource } from '#lib/domain/alarm/source.ts';
import type { Sight } from '../sight.ts';

/** Told in place of what of a source is not read: how much it has may be that of others. */
const someCut = ['Not all of it is read: who sees the whole fleet is told what.'];

/** Tests if a sight sees all that a source speaks for. `spokenFor`: its clusters, whatever names them. */
function isOwn({ attribution }: AlarmSource, spokenFor: readonly string[], { granted }: Sight): boolean {
  const { clusters } = attribution;
  return clusters.length > 0 && [...clusters, ...spokenFor].every((cluster) => granted(cluster) === 'all');
}

/**
 * An alarm source as a sight tells it, without the clusters that are not seen; null where it speaks for none that is. `spokenFor`: its clusters, whatever
 * names them.
 */
export function sourceWithin(source: AlarmSource, spokenFor: readonly string[], sight: Sight): AlarmSource | null {
  const { granted } = sight;
  const { clusters, aliases } = source.attribution;
  const seen = clusters.filter((name) => granted(name) !== 'none');
  // A source without clusters of its own speaks for those that its label names: it may be any.
  if (clusters.length > 0 && seen.length === 0) return null;
  return {
    ...source,
    attribution: {
      ...source.attribution,
      clusters: seen,
      aliases: Object.fromEntries(Object.entries(aliases).filter(([, name]) => granted(name) !== 'none')),
    },
    cut: source.cut.length === 0 || isOwn(source, spokenFor, sight) ? source.cut : someCut,
  };
}

/** Subject of a weakness: what the clusters that are asked for have themselves, a rule, or whatever else its source has. */
const about: Readonly<Record<AlarmFinding['type'], 'clusters' | 'rule' | 'source'>> = {
  'nobody-receives': 'source',
  'not-routed': 'source',
  'leaves-out': 'clusters',
  'dead-rule': 'source',
  'clock-resets': 'rule',
  'calls-once': 'rule',
  'not-evaluated': 'rule',
  'not-loaded': 'clusters',
  'silence-outlives': 'source',
  orphan: 'source',
};

/** Facts of what sources tell of: their clusters, whatever names them, and the rules that read anything that is seen. */
export interface ToldOf {
  readonly clustersOf: (source: string) => readonly string[];
  readonly rules: readonly NamedRule[];
}

/**
 * Weaknesses of alarms that a sight tells of: all of a source that speaks for nothing but clusters of which all is seen; of others those of what is
 * seen, and of rules that read any of it.
 */
export function findingsWithin(
  { sources, findings }: Pick<AlarmCoveragePage, 'sources' | 'findings'>,
  { clustersOf, rules }: ToldOf,
  sight: Sight,
): readonly AlarmFinding[] {
  const own = new Set(sources.flatMap((source) => (isOwn(source, clustersOf(source.name), sight) ? source.name : [])));
  const reading = new Set(rules.map(({ source, name }) => JSON.stringify([source, name])));
  return findings.filter(({ type, source, rule }) => {
    if (own.has(source)) return true;
    switch (about[type]) {
      case 'clusters':
        return true;
      case 'rule':
        return reading.has(JSON.stringify([source, rule]));
      case 'source':
        return false;
    }
  });
}
