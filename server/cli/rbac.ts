import { compareText } from '#lib/domain/observation/compare-text.ts';
import { kindKey } from '#lib/domain/observation/ref.ts';
import { countOf } from '#lib/format/number.ts';
import { askServedKinds, type ServedKinds } from '../collector/clusters/watch/watches.ts';
import { faultText } from '../collector/model/feeds/feed-text.ts';
import { openClusterAccess } from '../collector/open-cluster-access.ts';
import { clusterRole, groupsRule } from '../collector/reconcilers/cluster-role.ts';
import { watchedByName } from '../collector/reconcilers/registry.ts';
import { problemLine } from '../config/problem.ts';
import { selectedConfig } from '../config/selected-config.ts';
import { systemClock } from '../runtime/clock.ts';
import { exitCode } from '../runtime/exit-code.ts';
import type { Output } from './output.ts';
import { isOfKubernetes } from './rules/fleet-kinds.ts';
import { selectClusters } from './select-clusters.ts';

/** Options of `plumbline rbac`. */
export interface RbacOptions {
  /** API groups to name beside what is found. */
  readonly providerGroup?: readonly string[] | undefined;
  /** Context of the default kubeconfig; its cluster is asked which groups it serves. */
  readonly context?: string | undefined;
}

/** API groups that a cluster serves, or lines for the person and the code to exit with. */
type Found =
  | { readonly type: 'groups'; readonly groups: readonly string[]; readonly stale: readonly string[] }
  | { readonly type: 'refused'; readonly lines: readonly string[]; readonly code: number };

/** A group is named in full: "*" would be every group there is. */
const groupName = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

/** `plumbline rbac`: prints the read-only ClusterRole, with one more rule for the groups that are named or that a cluster serves. */
export async function rbac({ providerGroup = [], context }: RbacOptions, output: Output): Promise<number> {
  const wrong = providerGroup.find((group) => !groupName.test(group));
  if (wrong !== undefined) {
    output.say(`"${wrong}" is not an API group such as s3.aws.upbound.io.`);
    return exitCode.usage;
  }
  const found = context === undefined ? nothingAsked : await groupsOf(context);
  if (found.type === 'refused') {
    for (const line of found.lines) output.say(line);
    return found.code;
  }
  if (context !== undefined) for (const line of findings(context, found)) output.say(line);
  const groups = [...new Set([...providerGroup, ...found.groups])];
  output.out((groups.length === 0 ? clusterRole() : clusterRole() + groupsRule(groups)).trimEnd());
  return exitCode.ok;
}

const nothingAsked: Found = { type: 'groups', groups: [], stale: [] };

/** Asks the cluster of a context which groups of Crossplane's providers, composites and claims it serves. */
async function groupsOf(context: string): Promise<Found> {
  if (context.includes(','))
    return refuse(exitCode.usage, ['--context of rbac takes one name: the role of each cluster is its own.']);
  const selected = await selectClusters({ context }, process.env);
  if (selected.type === 'refused') return selected;
  const loaded = await selectedConfig(selected.selection);
  if (loaded.type === 'invalid')
    return refuse(
      exitCode.config,
      loaded.problems.map((problem) => problemLine('kubeconfig', problem)),
    );
  const [entry] = loaded.config.clusters;
  if (entry?.type !== 'cluster') return refuse(exitCode.usage, ['--context needs a name.']);
  const opened = await openClusterAccess(entry, loaded.config, systemClock);
  if (opened.type !== 'access')
    return refuse(exitCode.config, [`${context}: ${opened.type === 'invalid' ? opened.message : 'is no cluster'}`]);
  const served = await askServedKinds(opened.access, systemClock);
  return served.type === 'ok'
    ? { type: 'groups', groups: groupsToName(served), stale: served.stale }
    : refuse(exitCode.unavailable, [`No role: ${context} does not tell what it serves: ${faultText(served.fault)}.`]);
}

function refuse(code: number, lines: readonly string[]): Found {
  return { type: 'refused', lines, code };
}

const namedKeys: ReadonlySet<string> = new Set(watchedByName.map(kindKey));

/** The API groups of the kinds that are read by their category alone, none of Kubernetes itself: the role does not name them. */
export function groupsToName({ kinds }: Pick<ServedKinds, 'kinds'>): readonly string[] {
  const found = new Set(kinds.flatMap((kind) => (namedKeys.has(kindKey(kind)) ? [] : [kind.group])));
  return [...found].filter((group) => groupName.test(group) && !isOfKubernetes(group)).toSorted(compareText);
}

function findings(context: string, { groups, stale }: Extract<Found, { type: 'groups' }>): readonly string[] {
  const named = countOf(groups.length, 'API group');
  return [
    `${context} serves ${groups.length === 0 ? 'no API group' : named} of Crossplane's providers, composites or claims.`,
    ...(stale.length === 0
      ? []
      : [`Its server could not tell what is in ${stale.join(', ')}: name it by --provider-group, or ask again.`]),
  ];
}
