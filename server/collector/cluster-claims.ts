import type { CurrentCluster } from '#lib/domain/record/current.ts';
import type { ClusterAccessResult } from './cluster-runner.ts';

/** A cluster that somebody names: a line of plumbline.yaml, or a kubeconfig in a watched directory. */
export interface ClusterClaim {
  readonly name: string;
  /** Tells it apart from others of the name, in words: "plumbline.yaml", "clusters/eu-west-3.yaml". */
  readonly by: string;
  /** Who is served where several want one name: lines of plumbline.yaml (-1), then directories in their order. Of one directory who has it, then files by name. */
  readonly rank: number;
  readonly labels: CurrentCluster['labels'];
  readonly accessResult: ClusterAccessResult;
  /** Clusters that are one have it in common; null where there is no way in. */
  readonly endpoint: string | null;
  /** Weaknesses of the way into it, a sentence each. */
  cautions(): readonly string[];
  /** Looks at all that the way in takes, without asking the cluster; why it will not do, null where it is sound. */
  examine(): Promise<string | null>;
}

/** Names of clusters, and who holds each. */
export type ClusterClaims = ReturnType<typeof createClusterClaims>;

/** Makes the list of names. A name has one holder; whoever else wants it is kept, and shown on the holder. */
export function createClusterClaims() {
  const byName = new Map<string, readonly ClusterClaim[]>();
  const byEndpoint = new Map<string, ReadonlySet<string>>();

  function holder(name: string): ClusterClaim | null {
    return byName.get(name)?.[0] ?? null;
  }

  function change(name: string, claims: readonly ClusterClaim[]): void {
    const before = holder(name)?.endpoint ?? null;
    if (claims.length === 0) byName.delete(name);
    else byName.set(name, claims);
    const after = holder(name)?.endpoint ?? null;
    if (before === after) return;
    if (before !== null) byEndpoint.set(before, new Set([...namesAt(before)].filter((each) => each !== name)));
    if (after !== null) byEndpoint.set(after, new Set([...namesAt(after), name]));
  }

  function namesAt(endpoint: string): ReadonlySet<string> {
    return byEndpoint.get(endpoint) ?? new Set();
  }

  return {
    holder,
    names: (): readonly string[] => [...byName.keys()],
    /** The claim by the same file or line, as it was last. */
    find: (name: string, by: string): ClusterClaim | null => byName.get(name)?.find((each) => each.by === by) ?? null,
    /** Adds a claim, or replaces that by the same file or line. */
    put(claim: ClusterClaim): void {
      const others = (byName.get(claim.name) ?? []).filter(({ by }) => by !== claim.by);
      const held = holder(claim.name);
      // Who may add a file to a directory must not come to stand for a cluster that is read from another file of it.
      const keeps = ({ by }: ClusterClaim): number => Number(held?.accessResult.type === 'access' && by === held.by);
      change(
        claim.name,
        [...others, claim].toSorted((a, b) => a.rank - b.rank || keeps(b) - keeps(a) || (a.by < b.by ? -1 : 1)),
      );
    },
    remove(name: string, by: string): void {
      change(
        name,
        (byName.get(name) ?? []).filter((each) => each.by !== by),
      );
    },
    /** All that a person should know of the cluster that holds a name: how it is reached, and who else is taken for it. */
    cautions(name: string): readonly string[] {
      const [held, ...others] = byName.get(name) ?? [];
      if (!held) return [];
      const twins = held.endpoint === null ? [] : [...namesAt(held.endpoint)].filter((each) => each !== name);
      return [
        ...held.cautions(),
        ...(others.length === 0
          ? []
          : [`Its name is wanted by ${listed(others.map(({ by }) => by))} too: not read, for ${held.by} has it.`]),
        ...(twins.length === 0
          ? []
          : [`${listed(twins)} is at the same API server: if it is one cluster, all of it is counted twice.`]),
      ];
    },
  };
}

const most = 3;

function listed(names: readonly string[]): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
