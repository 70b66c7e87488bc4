import type { WireGo } from '#lib/api/pager/go.ts';
import { Section } from '../ui/page/page.tsx';
import { Sentences } from './sentences.tsx';

/** The labels as they were read, and what of them was not. */
export function Given({ given, found, unread }: Pick<WireGo, 'given' | 'found' | 'unread'>) {
  if (given.length === 0 && unread.length === 0) return null;
  return (
    <>
      <Section id="given" title="What the link gave">
        {unread.length > 0 && <Sentences of={unread} />}
        <LabelList of={given} />
      </Section>
      {found.length > 0 && (
        <Section id="found" title="What was found beside it">
          <LabelList of={found} />
        </Section>
      )}
    </>
  );
}

function LabelList({ of }: { readonly of: WireGo['given'] }) {
  if (of.length === 0) return null;
  return (
    <dl className="go-labels">
      {of.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
