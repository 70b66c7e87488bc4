'use client';

import './corrections.css';
import { parseAsString, useQueryState } from 'nuqs';
import { certainties, correctionsApi, type WireCorrectionList } from '#lib/api/correction.ts';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { recordText } from '../record/record-filter.ts';
import { useRecordFilter } from '../record/record-filters.tsx';
import { RecordList } from '../record/record-list.tsx';
import { usePeriod } from '../record/zoom-bar.tsx';
import { FilterChoice } from '../ui/list/filters.tsx';
import { uniqueRows, usePagedList } from '../queries/use-paged-list.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { CorrectionDays } from './correction-days.tsx';
import { certaintyFrom, correctionParams } from './correction-filter.ts';
import { CorrectionTable, MostDrift } from './correction-table.tsx';
import { certaintyMeaning, correctionsSentence } from './correction-text.ts';
import { TwoColumns } from '../ui/page/page.tsx';

/** The ledger as the server sent it with the page, and what it answers. */
export interface SentCorrections {
  readonly params: Readonly<Record<string, string>>;
  readonly list: WireCorrectionList;
}

interface CorrectionsScreenProps {
  readonly sent: SentCorrections;
  readonly summary: WireFleetSummary;
}

/** Every drift that was found and undone, how sure that is, and which objects drift most. */
export function CorrectionsScreen({ sent, summary }: CorrectionsScreenProps) {
  return (
    <PageFrame title="Corrections" tab="history" summary={{ ...summary, asOf: sent.list.asOf }}>
      <Corrections sent={sent} />
    </PageFrame>
  );
}

function Corrections({ sent }: { readonly sent: SentCorrections }) {
  const [filter, change] = useRecordFilter();
  const [found, setCertainty] = useQueryState(
    'certainty',
    parseAsString.withDefault('').withOptions({ history: 'replace' }),
  );
  const [period, setPeriod] = usePeriod();
  const certainty = certaintyFrom({ certainty: found });
  const params = correctionParams(filter, certainty, period);
  const list = usePagedList({ endpoint: correctionsApi, params, sent });
  const { first } = list;
  const rows = uniqueRows(
    list.pages.flatMap((page) => page.rows),
    (row) => row.links.self + row.at,
  );
  return (
    <RecordList
      tab="corrections"
      sentence={correctionsSentence(first, certainty)}
      filter={filter}
      changeFilter={change}
      filters={
        <FilterChoice
          label="How sure"
          value={certainty}
          offer={[...certainties]}
          onChange={(next) => void setCertainty(next || null)}
        />
      }
      endpoint={correctionsApi}
      params={params}
      list={list}
      period={period}
      usual="30d"
      change={setPeriod}
      shown={rows.length}
      noun="entry"
      nouns="entries"
      nothing={`No ${certainty === '' ? '' : `${certainty} `}correction of ${recordText(filter)} is recorded in this period. That none was seen does not say that none was: Crossplane undoes drift without a word.`}
    >
      <TwoColumns>
        <div>
          <CorrectionDays days={first.days} />
          <dl className="certainties">
            {certainties.map((each) => (
              <div key={each}>
                <dt>{each}</dt>
                <dd>{certaintyMeaning[each]}</dd>
              </div>
            ))}
            <div>
              <dt>at least</dt>
              <dd>clients of the API server thin out their events, so there may have been more</dd>
            </div>
          </dl>
        </div>
        <MostDrift list={first} />
      </TwoColumns>
      <CorrectionTable rows={rows} />
    </RecordList>
  );
}
