import './figures.css';
import type { ReactNode } from 'react';

/** The four figures at the head of a page of one thing. */
export function FigureRow({ children }: { readonly children: ReactNode }) {
  return <dl className="figures">{children}</dl>;
}

interface FigureProps {
  readonly name: string;
  readonly value: ReactNode;
  readonly note: ReactNode;
}

/** One figure: its name, its value, and what is to be known of it. */
export function Figure({ name, value, note }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="figure-value">{value}</dd>
      <dd className="figure-note">{note}</dd>
    </div>
  );
}
