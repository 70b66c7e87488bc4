import type { AlarmCoveragePage, AlarmFinding } from '#lib/domain/alarm/finding.ts';
import type { LoadedRules } from '#lib/domain/alarm/coverage/loaded-rules.ts';
import type { AlarmSource } from '#lib/domain/alarm/source.ts';
import type { Sight } from '../sight.ts';

/** An alarm source as a sight tells it, without the clusters that are not seen; null where it speaks for none that is. */
export function sourceWithin(source: AlarmSource, { granted }: Sight): AlarmSource | null {
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

/**
 * Weaknesses of alarms that a sight tells of: all of a source that speaks for nothing but clusters of which all is seen; of others those of what is
 * seen, and of rules that read any of it. `rules`: those.
 */
export function findingsWithin(
  { sources, findings }: Pick<AlarmCoveragePage, 'sources' | 'findings'>,
  rules: LoadedRules | null,
  { granted }: Sight,
): readonly AlarmFinding[] {
  const own = new Set(
    sources.flatMap(({ name, attribution: { clusters } }) =>
      clusters.length > 0 && clusters.every((cluster) => granted(cluster) === 'all') ? name : [],
    ),
  );
  const reading = new Set((rules?.rules ?? []).map(({ source, name }) => JSON.stringify([source, name])));
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
