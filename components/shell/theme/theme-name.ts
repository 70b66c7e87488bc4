/** Light or dark, where somebody chose; null leaves it to the browser. */
export type Theme = 'light' | 'dark' | null;

/** The cookie that keeps what was chosen: the server must know it before it draws, or the page would flash. */
export const themeCookie = 'plumbline-theme';

/** The theme that a cookie's value names; null for anything else. */
export function themeFrom(value: string | undefined): Theme {
  return value === 'light' || value === 'dark' ? value : null;
}
