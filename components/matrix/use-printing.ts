import { useState, useSyncExternalStore } from 'react';

function createPrinting() {
  let printing = false;
  return {
    subscribe(heard: () => void): () => void {
      const tell = (to: boolean) => () => {
        printing = to;
        heard();
      };
      const [begins, ends] = [tell(true), tell(false)];
      window.addEventListener('beforeprint', begins);
      window.addEventListener('afterprint', ends);
      return () => {
        window.removeEventListener('beforeprint', begins);
        window.removeEventListener('afterprint', ends);
      };
    },
    now: () => printing,
  };
}

/** True if the page is being printed: what is drawn for it stands before the browser lays out the paper. */
export function usePrinting(): boolean {
  const [printing] = useState(createPrinting);
  return useSyncExternalStore(printing.subscribe, printing.now, () => false);
}
