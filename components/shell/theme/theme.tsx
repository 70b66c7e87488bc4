'use client';

import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { themeCookie, type Theme } from './theme-name.ts';

interface Kept {
  readonly kept: Theme;
  readonly keep: (theme: Theme) => void;
}

const KeptTheme = createContext<Kept>({ kept: null, keep: () => {} });

const year = 31_536_000;

/** Holds the theme that was chosen in this browser; `kept` is what its cookie said when the server drew the page. */
export function ThemeProvider({ kept: sent, children }: { readonly kept: Theme; readonly children: ReactNode }) {
  const [kept, setKept] = useState(sent);
  const value = useMemo(
    (): Kept => ({
      kept,
      keep(theme) {
        document.cookie = `${themeCookie}=${theme ?? ''}; path=/; max-age=${theme === null ? 0 : year}; samesite=lax`;
        setKept(theme);
      },
    }),
    [kept],
  );
  return <KeptTheme value={value}>{children}</KeptTheme>;
}

/** Theme that an address asked for: it goes with the reader from page to page, whose links do not name it. */
let carried: Theme = null;

/** The theme of the page: what its address asks for, else what was chosen in this browser, else the browser's own (null). */
export function useTheme(): { readonly theme: Theme; readonly choose: (theme: Theme) => void } {
  const [asked, ask] = useQueryState(
    'theme',
    parseAsStringLiteral(['light', 'dark']).withOptions({ history: 'replace' }),
  );
  const { kept, keep } = useContext(KeptTheme);
  useEffect(() => {
    if (asked === null && carried !== null) void ask(carried);
    else carried = asked;
  }, [asked, ask]);
  return {
    theme: asked ?? carried ?? kept,
    choose(theme) {
      carried = null;
      keep(theme);
      void ask(null);
    },
  };
}
