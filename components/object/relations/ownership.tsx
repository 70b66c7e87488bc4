import Link from 'next/link';
import type { WireConflict, WireObjectPage } from '#lib/api/object.ts';
import { exemptionsPath } from '#lib/api/paths.ts';
import { conflictTitle } from '#lib/format/exemption-label.ts';
import { conflictId, Owners } from '../../exemptions/conflict-table.tsx';
import { Duration } from '../../ui/time.tsx';
import { Section } from '../../ui/page/page.tsx';

/** Who else manages the object, or what it manages; nothing where nobody is known to. */
export function Ownership({ page }: { readonly page: WireObjectPage }) {
  const { conflicts, object } = page;
  if (conflicts.length === 0) return null;
  const all = exemptionsPath({ tab: 'conflicts', cluster: object.cluster, q: object.name });
  return (
    <Section id="ownership" title="More than one manager" note={<Link href={all}>all of its cluster</Link>}>
      <ul>
        {conflicts.map((conflict) => (
          <ConflictLine key={conflictId(conflict)} conflict={conflict} self={object.links.self} />
        ))}
      </ul>
    </Section>
  );
}

function ConflictLine({ conflict, self }: { readonly conflict: WireConflict; readonly self: string }) {
  const { kind, resource, owners, cluster, why, since } = conflict;
  const { href, name, namespace } = resource;
  return (
    <li className="line">
      <span className="line-what">
        {href !== self && (
          <>
            {href === null ? name : <Link href={href}>{name}</Link>}{' '}
            <span className="text-mute">
              {resource.kind}
              {namespace !== '' && ` in ${namespace}`}:{' '}
            </span>
          </>
        )}
        <Owners owners={owners} here={cluster} />{' '}
        <span className="text-mute">
          {conflictTitle[kind].toLowerCase()}: {why}
        </span>
      </span>
      <span className="line-end">
        seen for <Duration since={since} bound="at-least" />
      </span>
    </li>
  );
}
