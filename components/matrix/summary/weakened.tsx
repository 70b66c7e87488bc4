import type { FleetView, WireFleet } from '#lib/api/fleet.ts';
import { exemptionsPath } from '#lib/api/paths.ts';
import { scopeOf, scopeParams } from '#lib/api/scope.ts';
import { countOf } from '#lib/format/number.ts';
import { PageLink } from '../../ui/page-link.tsx';

type ListFilter = { readonly [name: string]: string };

/** Clusters that an address may name one by one. */
const mostNamed = 20;

/** The filter under which the list of exemptions counts the same as the summary; null where that list knows no such filter. */
export function weakenedFilter(fleet: WireFleet, view: FleetView): ListFilter | null {
  const { cluster, label, namespace, ...other } = scopeParams(scopeOf(view));
  if (Object.keys(other).length > 0 || (label !== undefined && view.verdict !== '')) return null;
  const named = label === undefined ? cluster : fleet.rows.map((row) => row.cluster).join(',');
  if (label !== undefined && (fleet.rows.length === 0 || fleet.rows.length > mostNamed)) return null;
  return { ...(named === undefined ? {} : { cluster: named }), ...(namespace === undefined ? {} : { namespace }) };
}

interface WeakenedProps {
  readonly summary: WireFleet['summary'];
  readonly filter: ListFilter | null;
}

/** Number of exemptions that weaken the sentence: the way to the list. */
export function Weakened({ summary, filter }: WeakenedProps) {
  const { exempt, exemptions, conflicts } = summary;
  const have = exempt === 1 ? 'has' : 'have';
  const weakening = `${countOf(exempt, 'object')} ${have} settings that weaken the guarantee (${countOf(exemptions, 'setting')})`;
  return (
    <span className="flex flex-wrap gap-x-4 text-mute md:ml-auto md:flex-none">
      {exemptions > 0 && <Counted text={weakening} href={filter === null ? null : exemptionsPath(filter)} />}
      {conflicts > 0 && (
        <Counted
          text={countOf(conflicts, 'conflict')}
          href={
            filter === null || filter['namespace'] !== undefined
              ? null
              : exemptionsPath({ tab: 'conflicts', ...filter })
          }
        />
      )}
    </span>
  );
}

function Counted({ text, href }: { readonly text: string; readonly href: string | null }) {
  if (href === null) return <span className="inline-flex min-h-6 items-center">{text}</span>;
  return (
    <PageLink className="inline-flex min-h-6 items-center hover:text-ink" href={href} prefetch={false}>
      {text}
    </PageLink>
  );
}
