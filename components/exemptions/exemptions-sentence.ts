import type { WireConflictList } from '#lib/api/conflict.ts';
import type { WireExemptionList } from '#lib/api/exemption.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import type { SetPart } from './ownership-filter.ts';

/** Sentence of the list of exemptions. */
export function exemptionsSentence(
  { total, objects }: Pick<WireExemptionList, 'total' | 'objects'>,
  parts: readonly SetPart[],
): string {
  const where = parts.map(({ text }) => text).join(', ');
  if (objects.all === 0) return noObjects(parts);
  if (total === 0)
    return where === ''
      ? `Nothing is known that weakens the sentence, on ${countOf(objects.all, 'object')}.`
      : `Nothing that weakens the sentence matches ${where}.`;
  const { exempt } = objects;
  const of = where === '' ? `${formatCount(exempt)} of ${countOf(objects.all, 'object')}` : countOf(exempt, 'object');
  const said = `${of} ${exempt === 1 ? 'has' : 'have'} settings that weaken the guarantee (${countOf(total, 'setting')}).`;
  return where === '' ? said : `${upper(where)}: ${said}`;
}

/** Of the parts of a filter only the cluster says which objects were looked through. */
function noObjects(parts: readonly SetPart[]): string {
  const clusters = parts.find(({ name }) => name === 'cluster');
  const [on, there] = clusters === undefined ? ['', ''] : [` on ${clusters.text}`, ' there'];
  return `No object${on} is known yet, so nothing is known${there} that weakens the sentence.`;
}

/** Sentence of the list of conflicts. */
export function conflictsSentence(
  { total, notListed }: Pick<WireConflictList, 'total' | 'notListed'>,
  parts: readonly SetPart[],
): string {
  const where = parts.map(({ text }) => text).join(', ');
  const all = total + (where === '' ? notListed : 0);
  if (all === 0)
    return where === ''
      ? 'No resource is known to have more than one manager.'
      : `No resource with more than one manager matches ${where}.`;
  const said = `${countOf(all, 'resource')} ${all === 1 ? 'has' : 'have'} more than one manager`;
  return where === '' ? `${said}.` : `${upper(where)}: ${said}.`;
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
