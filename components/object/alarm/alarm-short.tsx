import type { WireObjectPage } from '#lib/api/object.ts';
import { linkName } from '#lib/domain/alarm/alarm-text.ts';
import { useMoment } from '../../shell/moment/moment.tsx';
import { LinkGlyph } from '../../ui/link-glyph.tsx';
import { chainIsOf } from './alarm-words.ts';

/** Of an object for which nobody is being called: the broken link and its mend, with the way to the whole chain. */
export function AlarmShort({ page }: { readonly page: WireObjectPage }) {
  const past = useMoment() !== null;
  const { alarm } = page.object;
  if (past || alarm.state !== 'silent' || alarm.broken === null) return null;
  return (
    <p className="alarm-short">
      <LinkGlyph state="broken" />
      <span>
        <a className="link" href="#alarm">
          Broken link: {linkName[alarm.broken]}
        </a>
        .{chainIsOf(page) && page.chain.mend !== null && <> {page.chain.mend}</>}
      </span>
    </p>
  );
}
