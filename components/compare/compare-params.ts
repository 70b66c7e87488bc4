import { CompareQuery } from '#lib/api/git/compare.ts';
import { addressTexts, type AddressParams } from '../queries/address-texts.ts';

const names = ['repository', 'left', 'right', 'leftAt', 'rightAt', 'only', 'file'] as const;

/** Parts of an address that ask to compare, as parameters of the API. */
export type CompareParams = Readonly<Partial<Record<(typeof names)[number], string>>>;

/** The parts of an address that can be read and are set. */
export function compareParams(params: AddressParams): CompareParams {
  const texts = addressTexts(names, params, (part) => CompareQuery.safeParse(part).success);
  return Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== ''));
}
