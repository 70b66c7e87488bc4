import { countOf } from '#lib/format/number.ts';
import { readKubeconfigDirectory } from '../../collector/clusters/kubeconfig/kubeconfig.ts';
import { type ClusterClaim, createClusterClaims } from '../../collector/cluster-claims.ts';
import { configuredClaim, directoryClaim, wordsOfFile } from '../../collector/open-cluster-access.ts';
import { placeIn } from '../../config/load-config.ts';
import { problemLine } from '../../config/problem.ts';
import type { Selection } from '../../config/process-settings.ts';
import type { ClusterEntry, PlumblineConfig } from '../../config/schema.ts';
import { readBoundedFile } from '../../runtime/bounded-file.ts';
import type { Clock } from '../../runtime/clock.ts';
import { silentLog } from '../../runtime/log.ts';
import { signingKey } from '../../web/embeds/key-file.ts';
import { keysAt } from '../link.ts';

/** Result of a look at everything that can be looked at without asking a cluster. */
export interface DryRun {
  /** A line for each thing that will not work, with its place. */
  readonly faults: readonly string[];
  /** A line for each thing that works and should be known. */
  readonly notes: readonly string[];
  /** All of it in one line, where nothing is at fault. */
  readonly summary: string;
}

/** One thing that is wrong, and the line of `clusters` that it is about. */
interface Fault {
  readonly index: number;
  /** The cluster, or its file. */
  readonly who: string;
  readonly message: string;
}

/** Opens every kubeconfig and looks at the files that it names; asks no cluster and runs no plugin. */
export async function dryRun(selection: Selection, config: PlumblineConfig, clock: Clock): Promise<DryRun> {
  const claims = createClusterClaims();
  const faults: Fault[] = [];
  const notes: string[] = [];
  let files = 0;
  for (const [index, entry] of config.clusters.entries()) {
    const looked = await lookAt(entry, index, config, clock);
    for (const claim of looked.claims) {
      claims.put(claim);
      const fault = await claim.examine();
      const who = entry.type === 'cluster' ? claim.name : claim.by;
      if (fault !== null) faults.push({ index, who, message: fault });
    }
    notes.push(...looked.notes);
    if (entry.type === 'directory') files += looked.claims.length;
  }
  notes.push(...(await notesOnKeys(config.embeds.keys)));
  const ofAuth = await faultsOfAuth(selection, config);
  for (const name of claims.names()) notes.push(...claims.cautions(name).map((caution) => `${name}: ${caution}`));
  return {
    faults: [...(await Promise.all(faults.map((fault) => lineOf(fault, selection)))), ...ofAuth],
    notes,
    summary: summaryOf(selection, config, files),
  };
}

/** The clusters of a line of `clusters`, and what is left out there. */
async function lookAt(
  entry: ClusterEntry,
  rank: number,
  config: PlumblineConfig,
  clock: Clock,
): Promise<{ readonly claims: readonly ClusterClaim[]; readonly notes: readonly string[] }> {
  if (entry.type === 'cluster') return { claims: [await configuredClaim(entry, config, clock)], notes: [] };
  const options = { clock, allowedExecPlugins: config.security.execPlugins };
  const changes = await readKubeconfigDirectory({ ...entry, options, log: silentLog });
  const claims = changes.flatMap((change) => directoryClaim(change, entry, rank) ?? []);
  const leftOut = changes.flatMap((change) =>
    change.type === 'left-out' ? [`${wordsOfFile(change, entry)}: ${change.message}`] : [],
  );
  const empty = claims.length === 0 ? [`${entry.directory}: it holds no kubeconfig yet`] : [];
  return { claims, notes: [...leftOut, ...empty] };
}

/** Says why signed links would not open; nothing where they do, or where none are wanted. */
async function notesOnKeys(path: string | null): Promise<readonly string[]> {
  if (path === null) return [];
  const keys = await keysAt(path);
  if (typeof keys === 'string') return [keys];
  return signingKey(keys) === null ? [`${path} has no key that signs: plumbline link --new-key makes one.`] : [];
}

/** The files that `auth` names and that cannot be read here. In a pod only the pages have them: there this is not run. */
async function faultsOfAuth(selection: Selection, { auth }: PlumblineConfig): Promise<readonly string[]> {
  const named: readonly (readonly [path: readonly string[], file: string | null])[] = [
    [['auth', 'oidc', 'clientSecretFile'], auth?.oidc?.clientSecretFile ?? null],
    [['auth', 'proxy', 'jwks'], auth?.proxy?.jwks.type === 'file' ? auth.proxy.jwks.at : null],
  ];
  const faults: string[] = [];
  for (const [path, file] of named) {
    const read = file === null ? null : await readBoundedFile(file, { most: 1_000_000 });
    if (read?.type !== 'unreadable' || selection.type !== 'file') continue;
    faults.push(
      problemLine(selection.path, { message: `${file} ${read.why}`, ...(await placeIn(selection.path, path)) }),
    );
  }
  return faults;
}

async function lineOf({ index, who, message }: Fault, selection: Selection): Promise<string> {
  if (selection.type === 'contexts') return `context ${selection.names[index] ?? ''}: ${message}`;
  return problemLine(selection.path, {
    message: `${who}: ${message}`,
    ...(await placeIn(selection.path, ['clusters', index])),
  });
}

/** "plumbline.yaml is sound: 2 clusters, and 3 kubeconfigs in 1 directory. No cluster was asked." */
function summaryOf(selection: Selection, { clusters }: PlumblineConfig, files: number): string {
  const directories = clusters.filter(({ type }) => type === 'directory').length;
  const named = clusters.length - directories;
  const parts = [
    ...(named > 0 || directories === 0 ? [countOf(named, 'cluster')] : []),
    ...(directories > 0
      ? [`${countOf(files, 'kubeconfig')} in ${directories} ${directories === 1 ? 'directory' : 'directories'}`]
      : []),
  ];
  const about = selection.type === 'file' ? selection.path : 'The kubeconfig';
  return `${about} is sound: ${parts.join(', and ')}. No cluster was asked.`;
}
