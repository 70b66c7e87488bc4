import './page.css';
import type { ReactNode } from 'react';
import Link from 'next/link';
import type { WireObjectPage } from '#lib/api/object.ts';
import { clusterPath } from '#lib/api/paths.ts';
import { PageLink } from '../page-link.tsx';

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
export function PageHeader({ children }: PartProps) {
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

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly href: string; readonly title: ReactNode; readonly here: boolean }[];
}

/** Pages that stand beside each other, the one that is shown among them. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ href, title, here }) => (
        <Link key={href} href={href} prefetch={false} aria-current={here ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  );
}

/** Where the page stands: fleet / environment / cluster. */
export function Crumbs({ cluster }: { readonly cluster: Pick<WireObjectPage['cluster'], 'name' | 'labels'> }) {
  const environment = cluster.labels['environment'];
  return (
    <nav aria-label="Where this is" className="pt-3 text-mute [&_a:hover]:text-ink">
      <PageLink href="/">fleet</PageLink>
      {environment !== undefined && (
        <>
          {' / '}
          <PageLink href={`/?label=${encodeURIComponent(`environment=${environment}`)}`} prefetch={false}>
            {environment}
          </PageLink>
        </>
      )}
      {' / '}
      <PageLink href={clusterPath(cluster.name)} prefetch={false}>
        {cluster.name}
      </PageLink>
    </nav>
  );
}

interface SectionProps extends PartProps {
  /** Names its heading. */
  readonly id: string;
  readonly title: string;
  /** Note about the section, in small, after its name. */
  readonly note?: ReactNode;
}

/** A part of a page under its head: a name, a note, a hairline. */
export function Section({ id, title, note, children }: SectionProps) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mt-5 mb-2 border-b border-rule pb-[5px] text-base font-semibold">
        {title}
        {note !== undefined && ' '}
        {note !== undefined && <span className="ml-2 text-small font-normal text-mute">{note}</span>}
      </h2>
      {children}
    </section>
  );
}
