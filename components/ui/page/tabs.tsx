import './tabs.css';
import Link from 'next/link';
import type { ReactNode } from 'react';

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
