/** Parameters that name a moment; a pager's link may have the second. */
const momentNames = ['at', 'startsAt'];

/** The address of this page at another moment (as in `momentText`), or now (null); `query` without its "?". */
export function addressAt(path: string, query: string, at: string | null): string {
  const params = new URLSearchParams(query);
  for (const name of momentNames) params.delete(name);
  if (at !== null) params.set('at', at);
  const text = params.toString().replaceAll('%3A', ':');
  return text === '' ? path : `${path}?${text}`;
}

/** The address of a page with one value of a parameter (of several with commas) replaced, or left out (null). */
export function addressWith(
  path: string,
  query: string,
  parameter: string,
  value: string,
  other: string | null,
): string {
  const params = new URLSearchParams(query);
  const kept = (params.get(parameter) ?? '')
    .split(',')
    .map((word) => (word.trim() === value ? (other ?? '') : word.trim()))
    .filter((word) => word !== '');
  if (kept.length === 0) params.delete(parameter);
  else params.set(parameter, kept.join(','));
  const left = params.toString();
  return left === '' ? path : `${path}?${left}`;
}
