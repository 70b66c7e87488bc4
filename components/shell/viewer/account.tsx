'use client';

import { useState } from 'react';
import type { ShownViewer } from '#lib/domain/access/visit.ts';
import { DialogPanel } from '../../ui/dialog-panel.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { Time } from '../../ui/time.tsx';
import { useViewer } from './viewer.tsx';

/** The viewer who is logged in, what they see, and the way out; nothing where nobody is asked. */
export function Account() {
  const viewer = useViewer();
  const [open, setOpen] = useState(false);
  if (viewer === null) return null;
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        aria-label={`Logged in as ${viewer.name}`}
        className="inline-flex min-h-6 min-w-6 items-center justify-center hover:text-ink"
      >
        <span className="max-w-[16ch] truncate max-sm:hidden">{viewer.name}</span>
        <span
          aria-hidden="true"
          className="rounded-full border border-field px-1.5 text-[11px] leading-[16px] sm:hidden"
        >
          {firstLetter(viewer.name)}
        </span>
      </button>
      <DialogPanel title={viewer.name} open={open} onOpenChange={setOpen}>
        <AccountPanel viewer={viewer} />
      </DialogPanel>
    </>
  );
}

function AccountPanel({ viewer }: { readonly viewer: ShownViewer }) {
  const { subject, roles, sees, until, logout } = viewer;
  return (
    <div className="grid gap-3">
      <p className="break-all text-mute">{subject}</p>
      <section>
        <h3 className="font-semibold">You see</h3>
        <ul className="break-words">
          {sees.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </section>
      <p>
        Roles: {roles.join(', ')}.{' '}
        {until !== null && (
          <>
            Until <Time at={new Date(until).toISOString()} />.
          </>
        )}
      </p>
      <p className="flex gap-5">
        {roles.includes('auditor') && (
          <PageLink href="/access" className="link">
            Who looked
          </PageLink>
        )}
        {/* No link of the program's own: those are fetched ahead. */}
        {logout !== null && (
          <a href={logout} className="link" rel="nofollow">
            Log out
          </a>
        )}
      </p>
    </div>
  );
}

/** The first letter as people see it, which may be of several code points. */
function firstLetter(name: string): string {
  const [first] = new Intl.Segmenter('en').segment(name);
  return first?.segment ?? '';
}
