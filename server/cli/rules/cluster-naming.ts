import type { ClusterAttribution } from '#lib/domain/alarm/source.ts';
import { compareText } from '#lib/domain/observation/compare-text.ts';
import type { AlarmEntry } from '../../config/alarms-schema.ts';

/** The label by which series and alerts name their cluster, as plumbline.yaml says it of the sources that load the rules. */
export interface ClusterNaming {
  readonly label: string;
  /** Values of the label that stand for a cluster, sorted. */
  valuesOf(cluster: string): readonly string[];
}

/** The naming where no source is configured. */
export const plainNaming: ClusterNaming = { label: 'cluster', valuesOf: (cluster) => [cluster] };

/** Sources whose rules are meant; `source`, `cluster`: absent for all. */
export interface MeantSources {
  readonly source?: string | undefined;
  readonly cluster?: string | undefined;
}

/** The naming of the sources that are meant, with the clusters that they speak for ([] for any); or a line on why there is none. */
export type ReadNaming =
  | { readonly type: 'naming'; readonly naming: ClusterNaming; readonly clusters: readonly string[] }
  | { readonly type: 'refused'; readonly line: string };

/** The naming of the sources that load the rules. */
export function namingOf(alarms: readonly AlarmEntry[], { source, cluster }: MeantSources): ReadNaming {
  const named = source === undefined ? alarms : alarms.filter(({ name }) => name === source);
  if (source !== undefined && named.length === 0) return refused(noSource(alarms, source));
  const meant = named
    .filter(({ prometheus }) => prometheus !== null)
    .map(({ attribution }) => attribution)
    .filter(({ clusters }) => cluster === undefined || clusters.length === 0 || clusters.includes(cluster));
  const labels = [...new Set(meant.map(({ label }) => label))].toSorted(compareText);
  if (labels.length > 1)
    return refused(
      `No rules: the alarm sources name clusters by ${labels.join(', ')}: write the rules of one source, with --source.`,
    );
  const [label] = labels;
  const clusters = source === undefined ? [] : meant.flatMap((each) => each.clusters);
  return label === undefined
    ? { type: 'naming', naming: plainNaming, clusters }
    : { type: 'naming', naming: { label, valuesOf: (name) => valuesOf(meant, name) }, clusters };
}

function refused(line: string): ReadNaming {
  return { type: 'refused', line };
}

const mostNamed = 20;

function noSource(alarms: readonly AlarmEntry[], source: string): string {
  const known = alarms.slice(0, mostNamed).map(({ name }) => name);
  return `No rules: no alarm source ${source} is configured. There ${known.length === 0 ? 'is none' : `are: ${known.join(', ')}`}.`;
}

/** A value that stands for no other cluster stands for the one that is called so. */
function valuesOf(attributions: readonly ClusterAttribution[], cluster: string): readonly string[] {
  const values = attributions.flatMap(({ aliases }) => [
    ...Object.keys(aliases).filter((value) => aliases[value] === cluster),
    ...(Object.hasOwn(aliases, cluster) ? [] : [cluster]),
  ]);
  return [...new Set(values)].toSorted(compareText);
}
