import { FleetView } from '#lib/api/fleet.ts';

/** The view in a page's address. What cannot be read there (an order that there is not) is as usual. */
export function viewFrom(params: Readonly<Record<string, string | string[] | undefined>>): FleetView {
  const single = Object.entries(params).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  const read = FleetView.safeParse(Object.fromEntries(single));
  if (read.success) return read.data;
  return FleetView.parse(Object.fromEntries(single.filter(([name]) => name !== 'sort')));
}
