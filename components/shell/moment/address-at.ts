/** The address of this page at another moment (as in `momentText`), or now (null); `query` without its "?". */
export function addressAt(path: string, query: string, at: string | null): string {
  const params = new URLSearchParams(query);
  params.delete('at');
  if (at !== null) params.set('at', at);
  const text = params.toString().replaceAll('%3A', ':');
  return text === '' ? path : `${path}?${text}`;
}
