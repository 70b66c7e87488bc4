import type { ReactNode } from 'react';

interface SectionHeadingProps {
  readonly children: ReactNode;
  /** Note about the section, in small, after its name. */
  readonly note?: ReactNode;
  readonly id?: string;
}

/** The head of a part of a page: a name, a note, a hairline. */
export function SectionHeading({ children, note, id }: SectionHeadingProps) {
  return (
    <h2 id={id} className="mt-5 mb-2 border-b border-rule pb-[5px] text-base font-semibold">
      {children}
      {note !== undefined && ' '}
      {note !== undefined && <span className="ml-2 text-small font-normal text-mute">{note}</span>}
    </h2>
  );
}
