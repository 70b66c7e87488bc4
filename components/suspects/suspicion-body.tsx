'use client';

import type { ReactNode } from 'react';
import type { WireSuspicion } from '#lib/api/git/suspect.ts';
import { minute } from '#lib/domain/time/length.ts';
import { parseTime } from '#lib/format/time.ts';
import { useNow } from '../ui/now.tsx';
import { Section } from '../ui/page/page.tsx';
import { Duration } from '../ui/time.tsx';
import { LoadAgain } from '../ui/without-script.tsx';
import { SuspectList } from './suspect-list.tsx';
import type { KnownSuspicion } from './use-suspects.ts';

const titles: Readonly<Record<WireSuspicion['type'], string>> = {
  culprit: 'The suspect',
  suspects: 'Suspects',
  none: 'Suspects',
  'not-told': 'Suspects',
};

/** Section that says which commits of its range touch what broke, and whose they are; nothing where it broke in no range. */
export function SuspectSection({ known }: { readonly known: KnownSuspicion }) {
  const title = known.type === 'known' && known.suspicion !== null ? titles[known.suspicion.type] : 'Suspects';
  if (known.type === 'known' && known.suspicion === null) return null;
  return (
    <Section id="suspects" title={title} note="commits of the range in which it broke that touch what it builds from">
      <SuspicionBody known={known} />
    </Section>
  );
}

/** The conclusion with its commits and owners. */
export function SuspicionBody({ known }: { readonly known: KnownSuspicion }) {
  switch (known.type) {
    case 'loading':
      return (
        <Mute>
          Git is being asked. <LoadAgain />
        </Mute>
      );
    case 'failed':
      return <Mute>What git tells cannot be read now.</Mute>;
    case 'known':
      return known.suspicion === null ? null : <Suspicion suspicion={known.suspicion} />;
  }
}

function Mute({ children }: { readonly children: ReactNode }) {
  return <p className="text-mute">{children}</p>;
}

function Suspicion({ suspicion }: { readonly suspicion: WireSuspicion }) {
  const { type, sentence, late, suspects, more, owners, asOf } = suspicion;
  if (type === 'not-told')
    return (
      <Mute>
        {sentence} {late && <LoadAgain />}
      </Mute>
    );
  return (
    <>
      <p className="max-w-[74ch]">
        {sentence}
        <OldMirror asOf={asOf} />
      </p>
      {suspects.length > 0 && <SuspectList commits={suspects} />}
      {more && <Mute>There are more; the newest are listed.</Mute>}
      {owners !== null && owners.length > 0 && (
        <p className="mt-2 wrap-anywhere">
          <span className="text-mute">Owned by</span> {owners.join(', ')}{' '}
          <span className="text-mute">(CODEOWNERS)</span>
        </p>
      )}
    </>
  );
}

/** A mirror that is older (ms) is not fetched as it should be. */
const oldMirror = 10 * minute;

function OldMirror({ asOf }: Pick<WireSuspicion, 'asOf'>) {
  const now = useNow();
  if (asOf === null || now - (parseTime(asOf) ?? now) <= oldMirror) return null;
  return (
    <span className="text-mute">
      {' '}
      The mirror was last fetched <Duration since={asOf} /> ago.
    </span>
  );
}
