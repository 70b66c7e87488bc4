import './page.css';
import type { ReactNode } from 'react';

interface PartProps {
  readonly children: ReactNode;
}

interface PageProps extends PartProps {
  /** Utilities that the page adds. */
  readonly className?: string;
}

/** The body of a page that is read from top to bottom. */
export function Page({ className = '', children }: PageProps) {
  return <div className={`page ${className}`}>{children}</div>;
}

/** The name of what a page is about, in a line with its glyph and what it is. */
export function PageHead({ children }: PartProps) {
  return <div className="page-title">{children}</div>;
}

/** The sentence beneath the name of a page. */
export function Say({ children }: PartProps) {
  return <p className="say">{children}</p>;
}

/** Two columns; one beneath the other where there is no room. */
export function TwoColumns({ children }: PartProps) {
  return <div className="two">{children}</div>;
}
