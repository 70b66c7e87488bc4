'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { commitArrivalsApi, type WireCommitArrival, type WireCommitArrivals } from '#lib/api/git/commit-arrivals.ts';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import type { Moment } from '#lib/api/moment.ts';
import { clusterPath, commitPath } from '#lib/api/paths.ts';
import { timesNotKnownWords } from '#lib/api/git/times-not-known.ts';
import { countOf } from '#lib/format/number.ts';
import { shortCommit } from '#lib/format/revision.ts';
import { untilAnswered } from '../queries/until-answered.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { PageLink } from '../ui/page-link.tsx';
import { Page, PageHeader, Say, Section } from '../ui/page/page.tsx';
import { RecordTable } from '../ui/tables/record-table.tsx';
import { Time } from '../ui/time.tsx';
import { LoadAgain } from '../ui/without-script.tsx';

interface CommitThenProps {
  /** First digits of its hash. */
  readonly digits: string;
  readonly moment: Moment;
  /** null where the page came without it, with the reason as a sentence. */
  readonly sent: { readonly answer: WireCommitArrivals } | { readonly answer: null; readonly reason: string };
  readonly summary: WireFleetSummary;
}

/** One commit at a past moment: its arrivals as they were recorded by then, and that no more is told. */
export function CommitThen({ digits, moment, sent, summary }: CommitThenProps) {
  const { data, error } = useQuery({
    ...untilAnswered(commitArrivalsApi, { sha: digits, at: moment.at }),
    ...(sent.answer === null ? {} : { initialData: sent.answer }),
  });
  const reason = error?.message ?? (sent.answer === null ? sent.reason : '');
  return (
    <PageFrame title={`Commit ${shortCommit(digits)}`} tab="commits" summary={summary} moment={moment}>
      <Page>
        <PageHeader>
          <h1>{data?.commit.subject ?? `Commit ${shortCommit(digits)}`}</h1>
          <span className="text-mute">
            <code>{shortCommit(data?.commit.sha ?? digits)}</code> {data?.commit.author}
          </span>
        </PageHeader>
        <Say>{data === undefined ? reason : sayOf(data)}</Say>
        {data === undefined && <LoadAgain />}
        {data !== undefined && <Arrivals page={data} />}
        <p className="py-3">
          <Link className="link py-1" href={commitPath(digits)} prefetch={false}>
            Where it is now
          </Link>
        </p>
      </Page>
    </PageFrame>
  );
}

function sayOf({ clusters, isLater }: WireCommitArrivals): string {
  if (isLater) return 'It is dated later than this moment.';
  if (clusters.length === 0) return 'No object of its repository is known of then.';
  const told = clusters.filter(({ notKnown }) => notKnown === null);
  const arrived = told.filter(({ firstAt }) => firstAt !== null).length;
  const of = countOf(told.length, 'cluster');
  const recorded =
    arrived === 0
      ? `By then no arrival of it was recorded on any of ${of}.`
      : `By then its arrival was recorded on ${arrived} of ${of}.`;
  return [...(told.length === 0 ? [] : [recorded]), ...notKnownTexts(clusters)].join(' ');
}

/** Clusters of which nothing is known, and why: a sentence for each reason. */
function notKnownTexts(clusters: WireCommitArrivals['clusters']): readonly string[] {
  return [...Map.groupBy(clusters, ({ notKnown }) => notKnown)].flatMap(([why, of]) => {
    if (why === null) return [];
    const because =
      why === 'part-of-cluster'
        ? ': you see some namespaces there, and arrivals are kept for whole clusters'
        : ': record or mirror cannot tell it';
    return `On ${countOf(of.length, 'cluster')} its arrival is ${timesNotKnownWords[why]}${because}.`;
  });
}

function Arrivals({ page: { clusters } }: { readonly page: WireCommitArrivals }) {
  return (
    <Section id="arrivals" title="Arrivals by then" note="of it, or of the first later commit that holds it">
      <p className="max-w-[74ch] text-mute">
        Where none is recorded it may have come unseen. Whether it was on its way, superseded or stuck then is not told:
        which commit an object ran is kept with changes of its verdict alone.
      </p>
      {clusters.length > 0 && (
        <RecordTable
          stacked
          caption="Arrivals by cluster"
          titles={['Cluster', 'Offered', 'First object', 'Last object']}
        >
          {clusters.map((row) => (
            <Row key={row.cluster} row={row} />
          ))}
        </RecordTable>
      )}
    </Section>
  );
}

function Row({ row: { cluster, offeredAt, firstAt, lastAt, notKnown } }: { readonly row: WireCommitArrival }) {
  const none = notKnown === null ? 'not recorded' : timesNotKnownWords[notKnown];
  return (
    <tr>
      <th scope="row">
        <PageLink className="link" href={clusterPath(cluster)} prefetch={false}>
          {cluster}
        </PageLink>
      </th>
      <td>{offeredAt === null ? <Mute text={none} /> : <Time at={offeredAt} />}</td>
      <td>{firstAt === null ? <Mute text={none} /> : <Time at={firstAt} />}</td>
      <td>
        {lastAt !== null ? (
          <Time at={lastAt} />
        ) : (
          <Mute text={firstAt === null ? none : 'others followed, or that is not known'} />
        )}
      </td>
    </tr>
  );
}

function Mute({ text }: { readonly text: string }) {
  return <span className="text-mute">{text}</span>;
}
