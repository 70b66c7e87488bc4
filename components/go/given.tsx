import type { WireGo } from '#lib/api/pager/go.ts';
import { Section } from '../ui/page/page.tsx';
import { Sentences } from './sentences.tsx';

/** The labels as they were read, and what of them was not. */
export function Given({ given, unread }: Pick<WireGo, 'given' | 'unread'>) {
  if (given.length === 0 && unread.length === 0) return null;
  return (
    <Section id="given" title="What the link gave">
      {unread.length > 0 && <Sentences of={unread} />}
      {given.length > 0 && (
        <dl className="go-labels">
          {given.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  );
}
