import './list-page.css';
import type { ReactNode } from 'react';

/** The sentence above a list: how much there is of what. */
export function ListSentence({ children }: { readonly children: ReactNode }) {
  return <h1 className="list-say">{children}</h1>;
}

interface ListBodyProps {
  /** Rows of another question are on their way. */
  readonly waiting?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** The rows of a list, or what is said in their place. */
export function ListBody({ waiting = false, className = '', children }: ListBodyProps) {
  return (
    <div className={`list-body ${className} ${waiting ? 'opacity-55' : ''}`} aria-busy={waiting}>
      {children}
    </div>
  );
}
