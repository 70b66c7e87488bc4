'use client';

import './absences.css';
import { parseAsString, useQueryStates } from 'nuqs';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { absencesApi, type WireAbsenceList } from '#lib/api/absence.ts';
import { calledHows } from '#lib/domain/alarm/alarm-figures.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { recordText } from '../record/record-filter.ts';
import { useRecordFilter } from '../record/record-filters.tsx';
import { RecordList } from '../record/record-list.tsx';
import { usePeriod } from '../record/zoom-bar.tsx';
import { FilterChoice } from '../ui/list/filters.tsx';
import { uniqueRows, usePagedList } from '../queries/use-paged-list.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { absenceParams, absencePartsFrom } from './absence-filter.ts';
import { AbsenceTable } from './absence-table.tsx';
import { calledChoiceText, narrowedSentence } from './absence-text.ts';

/** The list as the server sent it with the page, and what it answers. */
export interface SentAbsences {
  readonly params: Readonly<Record<string, string>>;
  readonly list: WireAbsenceList;
}

interface AbsencesScreenProps {
  readonly sent: SentAbsences;
  readonly summary: WireFleetSummary;
}

/** Everything that left converged in a period, until it was converged again. */
export function AbsencesScreen({ sent, summary }: AbsencesScreenProps) {
  return (
    <PageFrame title="Absences" tab="history" summary={{ ...summary, asOf: sent.list.asOf }}>
      <Absences sent={sent} />
    </PageFrame>
  );
}

const text = parseAsString.withDefault('');
const parsers = { verdict: text, open: text, called: text, order: text };
const ends = { true: 'ongoing', false: 'ended' } as const;

function Absences({ sent }: { readonly sent: SentAbsences }) {
  const [filter, change] = useRecordFilter();
  const [found, setParts] = useQueryStates(parsers, { history: 'replace' });
  const [period, setPeriod] = usePeriod();
  const parts = absencePartsFrom(found);
  const params = absenceParams(filter, parts, period);
  const list = usePagedList({ endpoint: absencesApi, params, sent });
  const { first } = list;
  const rows = uniqueRows(
    list.pages.flatMap((page) => page.rows),
    (row) => row.links.self + row.openedAt,
  );
  return (
    <RecordList
      tab="absences"
      sentence={narrowedSentence(first, parts)}
      filter={filter}
      changeFilter={change}
      filters={
        <>
          <FilterChoice
            label="Worst"
            value={parts.verdict}
            offer={verdicts.filter((verdict) => verdict !== 'converged')}
            onChange={(verdict) => void setParts({ verdict: verdict || null })}
          />
          <FilterChoice
            label="State"
            value={parts.open === 'true' || parts.open === 'false' ? ends[parts.open] : ''}
            offer={Object.values(ends)}
            onChange={(word) => void setParts({ open: word === '' ? null : String(word === ends.true) })}
          />
          <FilterChoice
            label="Past the deadline, called"
            value={calledChoiceText(parts.called)}
            offer={calledHows.map(calledChoiceText)}
            onChange={(words) =>
              void setParts({ called: calledHows.find((how) => calledChoiceText(how) === words) ?? null })
            }
          />
          <FilterChoice
            label="Order"
            value={parts.order}
            offer={['newest', 'longest']}
            onChange={(order) => void setParts({ order: order || null })}
          />
        </>
      }
      endpoint={absencesApi}
      params={params}
      list={list}
      period={period}
      usual="7d"
      change={setPeriod}
      shown={rows.length}
      noun="absence"
      nothing={`No absence of ${recordText(filter)} matches in this period.`}
    >
      <AbsenceTable rows={rows} columns="all" />
    </RecordList>
  );
}
