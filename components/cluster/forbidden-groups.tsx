import type { WireCluster } from '#lib/api/cluster.ts';
import { compareText } from '#lib/domain/observation/compare-text.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { shellWord } from '#lib/format/shell-word.ts';
import { CopyButton } from '../ui/copy-button.tsx';

const groupsShown = 60;

function rightsCommand(cluster: string): string {
  const context = `--context ${shellWord(cluster)}`;
  return `./plumbline rbac ${context} | kubectl ${context} apply -f -`;
}

/** The API groups that Plumbline may not read on a cluster, and the one command that mends it; nothing where it may read all. */
export function ForbiddenGroups({ cluster: { name, feeds } }: { readonly cluster: WireCluster }) {
  const forbidden = feeds.filter(({ state }) => state === 'forbidden');
  const groups = [...new Set(forbidden.map(({ group }) => (group === '' ? 'core' : group)))].toSorted(compareText);
  if (groups.length === 0) return null;
  const nothing = feeds.every(({ state }) => state === 'forbidden' || state === 'absent');
  const more = groups.length - groupsShown;
  const command = rightsCommand(name);
  return (
    <section aria-label="API groups that may not be read" className="mb-3 max-w-[110ch]">
      <p>
        Plumbline may not read {countOf(groups.length, 'API group')}: {groups.slice(0, groupsShown).join(', ')}
        {more > 0 && ` and ${formatCount(more)} more`}. This gives it the rights, where the context in your kubeconfig
        is called as the cluster is here:
      </p>
      <p className="mt-1 flex flex-wrap items-baseline gap-3">
        <code className="wrap-anywhere">{command}</code>
        <CopyButton text={command} what="the command" />
      </p>
      {nothing && (
        <p className="mt-1">
          It may read nothing here: the role has to be bound to its user too, as in{' '}
          <code>deploy/rbac/clusterrolebinding.yaml</code>.
        </p>
      )}
    </section>
  );
}
