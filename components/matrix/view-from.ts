import { FleetView } from '#lib/api/fleet.ts';

/** The view in a page's address. What cannot be read there (an order that there is not) is as usual. */
export function viewFrom(params: Readonly<Record<string, string | string[] | undefined>>): FleetView {
  const readable = Object.entries(params).filter(
    ([name, value]) => typeof value === 'string' && FleetView.safeParse({ [name]: value }).success,
  );
  return FleetView.parse(Object.fromEntries(readable));
}
