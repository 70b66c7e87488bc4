import type { WireComparePage } from '#lib/api/git/compare.ts';
import { comparePath } from '#lib/api/paths.ts';
import { FilterLabel, Filters } from '../ui/list/filters.tsx';
import type { CompareParams } from './compare-params.ts';

interface CompareFormProps {
  readonly params: CompareParams;
  readonly page: WireComparePage;
}

/** Asks for what is compared; a form of the page, so that it works without JavaScript. */
export function CompareForm({ params, page: { repositories, repository, comparison } }: CompareFormProps) {
  const { left = '', right = '', leftAt = '', rightAt = '' } = params;
  return (
    <Filters label="What is compared">
      <form action={comparePath()} method="get" className="compare-form">
        <Field name="left" label="Left" value={left} hint="clusters/production" />
        <Field name="leftAt" label="at" value={leftAt} hint="branch or commit" />
        <Field name="right" label="Right" value={right} hint="the same directory" />
        <Field name="rightAt" label="at" value={rightAt} hint="the same commit" />
        {repositories.length > 1 && (
          <FilterLabel label="Repository">
            <select name="repository" defaultValue={repository ?? ''}>
              {repositories.map((key) => (
                <option key={key}>{key}</option>
              ))}
            </select>
          </FilterLabel>
        )}
        <button type="submit" className="link py-1">
          Compare
        </button>
        {comparison !== null && (
          <a className="link py-1" href={comparePath(swapped(params, comparison.left.commit.sha))}>
            Swap
          </a>
        )}
      </form>
    </Filters>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly hint: string;
}

function Field({ name, label, value, hint }: FieldProps) {
  return (
    <FilterLabel label={label} wide={!name.endsWith('At')}>
      <input
        name={name}
        defaultValue={value}
        placeholder={hint}
        autoComplete="off"
        spellCheck={false}
        maxLength={1_024}
        aria-label={label === 'at' ? `${name === 'leftAt' ? 'Left' : 'Right'} at` : undefined}
        className="placeholder:text-mute"
      />
    </FilterLabel>
  );
}

/** The same with its sides changed. What is not named follows the left: then the commit itself is. */
function swapped({ left, right, leftAt, rightAt, repository }: CompareParams, first: string): Record<string, string> {
  const turned = {
    repository,
    left: right ?? left,
    right: left ?? right,
    leftAt: rightAt ?? leftAt,
    rightAt: rightAt === undefined ? undefined : (leftAt ?? first),
  };
  return Object.fromEntries(Object.entries(turned).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}
