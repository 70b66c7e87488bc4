import type { Period } from '#lib/domain/record/span.ts';
import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';
import { clustersOf, type RecordFilter } from './record-scope.ts';

/** A question over the record: what it names, and how the record calls that. `now` in ms. */
interface Question {
  readonly record: Pick<RecordReader, 'hasObject'>;
  readonly filter: RecordFilter;
  readonly scopes: readonly RecordScope[];
  readonly now: number;
}

const MOST_NAMED = 3;

/**
 * "No such object is recorded on eu-west-3.": each name that is asked for is somewhere, but no object ever had them all, so that an
 * empty list is no good news. null where there was one, or none in particular is asked for.
 */
export async function noneRecorded({ record, filter, scopes, now }: Question): Promise<string | null> {
  const { group, kind, namespace, name } = filter;
  if (group + kind + namespace + name === '') return null;
  const whole: Period = { from: 0, to: now };
  for (const scope of scopes) if (await record.hasObject(scope, whole)) return null;
  const clusters = clustersOf(filter) ?? [];
  const where = clusters.length > MOST_NAMED ? 'these clusters' : clusters.join(' or ');
  return `No such object is recorded${where === '' ? '' : ` on ${where}`}.`;
}
