'use client';

import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';

interface DialogPanelProps {
  readonly title: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** Opens it; absent where something else does. */
  readonly trigger?: ReactNode;
  readonly children: ReactNode;
}

/** A panel over the page, with its name and the way to close it. */
export function DialogPanel({ title, open, onOpenChange, trigger, children }: DialogPanelProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      {trigger !== undefined && (
        <Dialog.Trigger className="min-h-6 hover:text-ink max-sm:hidden">{trigger}</Dialog.Trigger>
      )}
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-50 bg-[color-mix(in_srgb,var(--paper)_80%,transparent)]" />
        <Dialog.Popup className="fixed top-1/2 left-1/2 z-50 max-h-[90dvh] w-[min(760px,calc(100vw-28px))] -translate-x-1/2 -translate-y-1/2 overflow-auto border border-field bg-raised px-6 py-5">
          <div className="mb-3 flex items-baseline justify-between">
            <Dialog.Title className="text-say font-medium">{title}</Dialog.Title>
            <Dialog.Close className="rounded-[3px] border border-field px-2 py-0.5 text-mute hover:text-ink">
              Close
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
