'use client';

import './absences.css';
import Link from 'next/link';
import { absencesApi, type WireAbsenceList } from '#lib/api/absence.ts';
import { absencesPath } from '#lib/api/paths.ts';
import { usePagedList } from '../queries/use-paged-list.ts';
import { absencesSentence } from './absence-text.ts';
import { AbsenceTable } from './absence-table.tsx';

/** Question to the API, and its answer as it came with the page; null where the record could not be read. */
export interface SentAbsenceSection {
  readonly params: Readonly<Record<string, string>>;
  readonly list: WireAbsenceList | null;
}

interface AbsenceDetailProps {
  readonly sent: SentAbsenceSection;
}

/** The newest absences of one object, folded away beneath its incidents, with the way to all of them. */
export function AbsenceDetail({ sent: { params, list } }: AbsenceDetailProps) {
  // The list of all is a page of the present.
  const { limit: _few, at: _then, ...all } = params;
  if (list === null) return null;
  return (
    <details className="absence-detail">
      <summary>Each time that it was away, in the last 90 days</summary>
      <Newest sent={{ params, list }} />
      <p className="pt-2">
        <Link className="link" href={absencesPath(all)} prefetch={false}>
          All of them, with a file
        </Link>
      </p>
    </details>
  );
}

interface NewestProps {
  readonly sent: { readonly params: Readonly<Record<string, string>>; readonly list: WireAbsenceList };
}

function Newest({ sent }: NewestProps) {
  const { first: list, error } = usePagedList({ endpoint: absencesApi, params: sent.params, sent });
  return (
    <>
      {error !== null && <p className="text-mute">{error.message} What stands here is from before.</p>}
      <p className="max-w-[74ch] py-2">{absencesSentence(list)}</p>
      {list.rows.length > 0 && <AbsenceTable rows={list.rows} columns="of-object" />}
    </>
  );
}
