'use client';

import { useEffect, useState } from 'react';

interface CopyButtonProps {
  readonly text: string;
  /** Name of what is copied, for those who cannot see what stands beside it: "the command". */
  readonly what: string;
}

/** Copies a text and says so for two seconds. */
export function CopyButton({ text, what }: CopyButtonProps) {
  const [said, setSaid] = useState('Copy');
  useEffect(() => {
    if (said === 'Copy') return;
    const timer = setTimeout(() => setSaid('Copy'), 2000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setSaid('Copied'),
      () => setSaid('Not allowed here'),
    );
  };
  return (
    <button
      type="button"
      onClick={copy}
      className="screen-only rounded-[3px] border border-field px-2 text-small text-mute hover:text-ink"
    >
      {said}
      <span className="sr-only"> {what}</span>
    </button>
  );
}
