'use client';

import './go.css';
import { useQuery } from '@tanstack/react-query';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { goApi, type WireGo } from '#lib/api/pager/go.ts';
import type { Moment } from '#lib/api/moment.ts';
import { countOf } from '#lib/format/number.ts';
import { endpointQuery } from '../queries/endpoint-query.ts';
import { useRefetch } from '../queries/use-refetch.ts';
import { useFrames } from '../shell/live/live.tsx';
import { useMoment } from '../shell/moment/moment.tsx';
import { PageFrame } from '../shell/page-frame.tsx';
import { Page, PageHeader, Section } from '../ui/page/page.tsx';
import { PageLink as Link } from '../ui/page-link.tsx';
import { OldLine } from '../ui/sticky-line.tsx';
import { ObjectTable } from '../ui/tables/object-table.tsx';
import { FoundObject } from './found-object.tsx';
import { Given } from './given.tsx';
import { LabelForm } from './label-form.tsx';
import { NothingFound } from './nothing-found.tsx';
import { Sentences } from './sentences.tsx';

/** Labels as the page was asked with them, and what they led to. */
export interface SentGo {
  readonly params: Readonly<Record<string, string>>;
  readonly answer: WireGo;
}

interface GoScreenProps {
  readonly sent: SentGo;
  readonly summary: WireFleetSummary;
  readonly moment: Moment | null;
}

/** Where a pager's link stops: what its labels lead to where that is not one object for certain, and what is known. */
export function GoScreen({ sent, summary, moment }: GoScreenProps) {
  return (
    <PageFrame title="From a pager" tab={null} summary={summary} moment={moment}>
      <GoBody sent={sent} />
    </PageFrame>
  );
}

/** It is asked again no more often (ms): each time the fleet is searched. */
const pause = 15_000;

function GoBody({ sent: { params, answer } }: { readonly sent: SentGo }) {
  const isPast = useMoment() !== null;
  const options = endpointQuery(goApi, params);
  const { data, error } = useQuery({ ...options, initialData: answer });
  const refetch = useRefetch(options.queryKey, pause);
  useFrames(({ type }) => {
    if (!isPast && (type === 'summary' || type === 'reset')) refetch();
  });
  const { sentence, timeNote, assumed, unread, given, found, foundBy } = data;
  const isEmpty = given.length === 0 && unread.length === 0;
  return (
    <>
      <OldLine gone={null} error={error} />
      <Page className="pt-3">
        <PageHeader>
          <h1>{sentence}</h1>
        </PageHeader>
        {timeNote !== null && <p className="say">{timeNote}</p>}
        <Result answer={data} isEmpty={isEmpty} />
        {foundBy.length > 0 && (
          <Section id="found-by" title="Looked up">
            <Sentences of={foundBy} />
          </Section>
        )}
        {assumed.length > 0 && (
          <Section id="assumed" title="Assumed">
            <Sentences of={assumed} />
          </Section>
        )}
        <Ways of={data.ways} />
        <Given given={given} found={found} unread={unread} />
        <LabelForm given={given} at={data.at} open={isEmpty} />
      </Page>
    </>
  );
}

function Result({ answer, isEmpty }: { readonly answer: WireGo; readonly isEmpty: boolean }) {
  switch (answer.outcome) {
    case 'exact':
    case 'inferred':
      return answer.objects.map((object) => <FoundObject key={object.links.self} object={object} />);
    case 'several':
      return <Several answer={answer} />;
    case 'none':
      return isEmpty ? <Empty /> : <NothingFound answer={answer} />;
  }
}

function Empty() {
  return (
    <p className="say">
      A link in a pager leads here with the labels of its alert, and on to the object that they name, as it was when the
      page came. Paste the labels of an alert to find its object.
    </p>
  );
}

function Several({ answer: { objects, total, ways } }: { readonly answer: WireGo }) {
  const more = total - objects.length;
  const [list] = ways;
  return (
    <div className="mt-3">
      <ObjectTable caption="Objects that fit, worst first" objects={objects} total={total} withCluster />
      {more > 0 && list !== undefined && (
        <p className="pt-2">
          <Link className="link" href={list.href} prefetch={false}>
            And {countOf(more, 'more', 'more')}
          </Link>
        </p>
      )}
    </div>
  );
}

function Ways({ of }: { readonly of: WireGo['ways'] }) {
  return (
    <nav aria-label="Where to look" className="mt-4 flex flex-wrap gap-x-4 gap-y-1">
      {of.map(({ text, href }) => (
        <Link key={href} className="link max-w-full py-1 [overflow-wrap:anywhere]" href={href} prefetch={false}>
          {text}
        </Link>
      ))}
    </nav>
  );
}
