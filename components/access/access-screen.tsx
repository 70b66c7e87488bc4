'use client';

import type { WireFleetSummary } from '#lib/api/fleet.ts';
import type { NotedAccess } from '#lib/domain/access/visit.ts';
import { countOf } from '#lib/format/number.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page, PageHeader, Say } from '../ui/page/page.tsx';
import { Time } from '../ui/time.tsx';

/** Accesses that the page shows, and how many are kept. */
interface AccessScreenProps {
  readonly summary: WireFleetSummary;
  readonly accesses: readonly NotedAccess[];
  readonly kept: number;
}

const bys: Readonly<Record<NotedAccess['by'], string>> = {
  open: 'nobody was asked',
  session: 'by login',
  proxy: 'by proxy',
  token: 'by token',
};

/** Who looked at what, for auditors. */
export function AccessScreen({ summary, accesses, kept }: AccessScreenProps) {
  return (
    <PageFrame title="Who looked" tab={null} summary={summary}>
      <Page>
        <PageHeader>
          <h1>Who looked</h1>
        </PageHeader>
        <Say>
          The last {countOf(accesses.length, 'answer')} of {kept} in the memory of this process, without their queries.
          The log holds all of them.
        </Say>
        {accesses.length === 0 && <p>Nobody has looked since this process began.</p>}
        <ol className="mt-4">
          {accesses.map((access, index) => (
            <li
              key={`${access.at} ${index}`}
              className="flex flex-wrap gap-x-4 border-b border-rule py-1 max-sm:flex-col [overflow-wrap:anywhere]"
            >
              <Time at={new Date(access.at).toISOString()} className="text-mute" />
              <span title={access.subject}>{access.name ?? access.subject}</span>
              <span className="text-mute">{bys[access.by]}</span>
              <span className="min-w-0 flex-1 font-mono">
                {access.method} {access.path}
              </span>
              <span className="text-mute">
                {access.status} in {access.ms} ms{access.ahead && ', fetched ahead'}
              </span>
            </li>
          ))}
        </ol>
      </Page>
    </PageFrame>
  );
}

/** In place of it, for whoever is no auditor. */
export function NoAuditorScreen({
  summary,
  isAsked,
}: {
  readonly summary: WireFleetSummary;
  readonly isAsked: boolean;
}) {
  return (
    <PageFrame title="Who looked" tab={null} summary={summary}>
      <EmptyState title={isAsked ? 'This page is for auditors' : 'Nobody is asked to log in'} whole>
        <p className="mt-2">
          {isAsked
            ? 'Ask whoever runs Plumbline for the role auditor (auth.access in plumbline.yaml).'
            : 'Without auth in plumbline.yaml everybody sees everything, and nobody is noted.'}
        </p>
      </EmptyState>
    </PageFrame>
  );
}
