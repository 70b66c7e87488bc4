import { CommitsQuery } from '#lib/api/commit.ts';
import { addressTexts, type AddressParams } from '../queries/address-texts.ts';

const names = ['repository', 'branch', 'path'] as const;

/** Filter of the list of commits, '' for any. */
export type CommitsFilter = Readonly<Record<(typeof names)[number], string>>;

/** The filter in an address; what cannot be read there counts as not set. */
export function commitsFilterFrom(params: AddressParams): CommitsFilter {
  return addressTexts(names, params, (part) => CommitsQuery.safeParse(part).success);
}

/** The parts that are set, as parameters of the API. */
export function commitsParams(filter: CommitsFilter): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
}

/** The filters that are set, in words, so that what emptied the list can be named and taken away. */
export function setParts(
  filter: CommitsFilter,
): readonly { readonly name: keyof CommitsFilter; readonly text: string }[] {
  return names.filter((name) => filter[name] !== '').map((name) => ({ name, text: `${name} ${filter[name]}` }));
}
