'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { commitApi } from '#lib/api/commit.ts';
import { countOf } from '#lib/format/number.ts';
import { endpointQuery } from '../../queries/endpoint-query.ts';
import { PageLink as Link } from '../../ui/page-link.tsx';
import { Section } from '../../ui/page/page.tsx';

interface NotConcernedProps {
  readonly sha: string;
  readonly count: number;
}

/** Objects of its repository that build from none of its files: a count, whose names are asked for when it is opened. */
export function NotConcerned({ sha, count }: NotConcernedProps) {
  const [open, setOpen] = useState(false);
  const query = useQuery({ ...endpointQuery(commitApi, { sha, state: 'not-concerned' }), enabled: open });
  if (count === 0) return null;
  const objects = query.data?.clusters.flatMap((cluster) => cluster.objects) ?? [];
  const more = count - objects.length;
  return (
    <Section id="not-concerned" title="Not concerned">
      <details className="commit-fold" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          {countOf(count, 'object')} of its repository {count === 1 ? 'builds' : 'build'} from no file that it changes
        </summary>
        {query.error !== null && <p className="py-1">{query.error.message}</p>}
        {query.isLoading && <p className="py-1 text-mute">Being read</p>}
        <ul>
          {objects.map(({ ref, href }) => (
            <li key={href}>
              <Link className="link" href={href} prefetch={false}>
                {ref.name}
              </Link>{' '}
              <span className="text-mute">
                {ref.kind}
                {ref.namespace !== '' && ` in ${ref.namespace}`} on {ref.cluster}
              </span>
            </li>
          ))}
          {query.data !== undefined && more > 0 && <li className="text-mute">and {countOf(more, 'more object')}</li>}
        </ul>
      </details>
    </Section>
  );
}
