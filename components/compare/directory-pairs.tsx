import type { WireComparePage } from '#lib/api/git/compare.ts';
import { comparePath } from '#lib/api/paths.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageLink as Link } from '../ui/page-link.tsx';
import { Ledger, type Column } from '../ui/tables/ledger.tsx';

const columns: readonly Column[] = [
  { name: 'left', width: '40%', title: 'Left' },
  { name: 'right', width: '40%', title: 'Right' },
  { name: 'why', title: 'Why' },
];

/** Directories that are the same thing in two environments, each pair a link; how to name some where there are none. */
export function DirectoryPairs({ page: { pairs, morePairs, repository } }: { readonly page: WireComparePage }) {
  if (pairs.length === 0) return <NoPairs />;
  return (
    <>
      <Ledger name="pairs" caption="Directories that can be compared" columns={columns} rows={pairs.length}>
        <tbody>
          {pairs.map(({ left, right, configured, repository: of }, index) => (
            <tr key={`${of ?? ''}\n${left}\n${right}`} data-index={index}>
              <th scope="row" className="left">
                <Link
                  className="link"
                  href={comparePath({ ...(of === null ? {} : { repository: of }), left, right })}
                  prefetch={false}
                  data-row-link
                >
                  {left}
                </Link>
              </th>
              <td className="right-side">{right}</td>
              <td className="why text-mute">
                {configured ? 'named in plumbline.yaml' : 'beside each other, called after places'}
                {of !== null && of !== repository && `, of ${of}`}
              </td>
            </tr>
          ))}
        </tbody>
      </Ledger>
      {morePairs && <p className="py-2 text-mute">There are more: these are the first hundred that were found.</p>}
    </>
  );
}

const example = `compare:
  pairs:
    - { left: clusters/production, right: clusters/staging }
`;

function NoPairs() {
  return (
    <EmptyState title="No two directories beside each other are called after environments or clusters.">
      <p className="mt-2 text-mute">
        Write two directories above, or one and two commits. What is to be offered here is named in plumbline.yaml:
      </p>
      <pre className="mt-2 border border-rule bg-raised p-3 break-all whitespace-pre-wrap">{example}</pre>
    </EmptyState>
  );
}
