import { useRouter } from 'next/navigation';
import type { MouseEvent } from 'react';

/** Links of the matrix are plain ones, for there are thousands; they still do not reload the page. */
export function useLinks() {
  const router = useRouter();

  function go(href: string): void {
    if (href.startsWith('/')) router.push(href);
    else location.assign(href);
  }

  function onClick(event: MouseEvent): void {
    const changed = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (event.defaultPrevented || event.button !== 0 || changed) return;
    const href = event.target instanceof Element ? event.target.closest('a')?.getAttribute('href') : null;
    if (href === null || href === undefined || !href.startsWith('/')) return;
    event.preventDefault();
    router.push(href);
  }

  return { go, onClick };
}
