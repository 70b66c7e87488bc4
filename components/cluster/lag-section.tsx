'use client';

import { useState } from 'react';
import type { WireLag, WireLagList } from '#lib/api/commit.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { lagUnknownText } from '#lib/format/git/lag-text.ts';
import { useClusterLag } from '../queries/use-lag.ts';
import { Commit, CommitWords } from '../ui/commit.tsx';
import { LagText, MirrorAge } from '../ui/lag.tsx';
import { PageLink } from '../ui/page-link.tsx';
import { Section } from '../ui/page/page.tsx';
import { RecordTable } from '../ui/tables/record-table.tsx';

const few = 10;

/** Appliers of a cluster that commits which touch them have not reached, the furthest behind first; nothing where no object has a path. */
export function LagSection({ cluster }: { readonly cluster: string }) {
  const list = useClusterLag(cluster);
  const [all, setAll] = useState(false);
  if (list === undefined || list.lags.length === 0) return null;
  const open = list.lags.filter(({ touching }) => touching === null || touching > 0);
  const shown = all ? open : open.filter(({ touching }) => touching !== null).slice(0, few);
  return (
    <Section id="lag" title="Commits that have not arrived" note={<Note list={list} />}>
      <p>{lagSummary(list)}</p>
      {shown.length > 0 && (
        <RecordTable
          stacked
          caption="Objects behind their branch, the furthest first"
          titles={['Object', 'Runs', 'Behind']}
        >
          {shown.map((lag) => (
            <Row key={lag.href} lag={lag} />
          ))}
        </RecordTable>
      )}
      {shown.length < open.length && (
        <button type="button" className="link screen-only mt-2 py-1" onClick={() => setAll(true)}>
          {shown.length === 0 ? 'Show' : 'And'} {countOf(open.length - shown.length, 'object')}{' '}
          {shown.length < few ? 'of which it is not known' : 'more'}
        </button>
      )}
    </Section>
  );
}

function Row({ lag }: { readonly lag: WireLag }) {
  const { ref, href, runs } = lag;
  return (
    <tr>
      <th scope="row" className="wrap-anywhere">
        <PageLink className="link" href={href} prefetch={false}>
          {ref.name}
        </PageLink>{' '}
        <span className="text-mute">
          {ref.kind} in {ref.namespace}
        </span>
      </th>
      <td className="wrap-anywhere">
        {runs === null ? (
          <span className="text-mute">not known</span>
        ) : (
          <>
            <Commit commit={runs} href={null} /> <CommitWords commit={runs} />
          </>
        )}
      </td>
      <td className="wrap-anywhere">
        <LagText lag={lag} />
      </td>
    </tr>
  );
}

function Note({ list }: { readonly list: WireLagList }) {
  const ages = list.repositories.flatMap(({ mirroredAt }) => mirroredAt ?? []).toSorted();
  return <MirrorAge at={ages[0] ?? null} />;
}

/** Numbers of those behind and of those of which that is not known, with why. */
export function lagSummary({ lags, leftOut, repositories }: WireLagList): string {
  const behind = lags.filter(({ touching }) => touching !== null && touching > 0).length;
  const unknown = lags.filter(({ touching }) => touching === null);
  const of = countOf(lags.length - unknown.length, 'object with a path', 'objects with a path');
  const known =
    unknown.length === lags.length
      ? ''
      : behind === 0
        ? `No commit that touches one of ${of} waits. `
        : `Commits that touch ${formatCount(behind)} of ${of} wait. `;
  const whys = [...new Set(unknown.map(({ why, branch }) => lagUnknownText(why ?? 'not-told', branch)))];
  const reasons = repositories.flatMap(({ reason }) => reason ?? []);
  const why = reasons.length > 0 ? reasons.join(' ') : `${whys.slice(0, 3).join('; ')}.`;
  const others = known === '' ? '' : unknown.length === 1 ? ' other' : ' others';
  const rest = unknown.length === 0 ? '' : `Of ${formatCount(unknown.length)}${others} it is not known: ${why} `;
  return `${known}${rest}${leftOut === 0 ? '' : `${formatCount(leftOut)} more are not told.`}`.trim();
}
