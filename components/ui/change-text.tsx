import type { WireChange } from '#lib/api/object.ts';
import { RangeEnd } from './commit.tsx';

/** "→" between what was and what is, drawn: the fonts that are served with the pages do not have it. */
export function Arrow() {
  return (
    <span className="arrow">
      <span className="sr-only">→</span>
    </span>
  );
}

/** A text with its arrow drawn, where it has one. */
function ArrowText({ text }: { readonly text: string }) {
  const at = text.indexOf('→');
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <Arrow />
      {text.slice(at + 1)}
    </>
  );
}

interface ChangeTextProps {
  readonly change: Pick<WireChange, 'text' | 'revision'>;
  /** The revision before stands back. */
  readonly quiet?: true;
}

/** Words of a change: of a revision from which to which, each a link where it leads somewhere. */
export function ChangeText({ change: { text, revision }, quiet }: ChangeTextProps) {
  const { from = null, to = null } = revision ?? {};
  if (to === null) return <ArrowText text={text} />;
  return (
    <>
      {from === null ? 'First revision ' : 'Revision '}
      {from !== null && (
        <span className={quiet && 'text-mute'}>
          <RangeEnd end={from} /> <Arrow />{' '}
        </span>
      )}
      <RangeEnd end={to} />
    </>
  );
}
