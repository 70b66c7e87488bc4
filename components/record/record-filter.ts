import { addressTexts, type AddressParams } from '../queries/address-texts.ts';

/** The parts of a filter of the record that stand in the URL, '' for any; "-" for the core group and for no namespace. */
const recordNames = ['cluster', 'group', 'kind', 'namespace', 'name'] as const;
export type RecordFilter = Readonly<Record<(typeof recordNames)[number], string>>;

/** The filter in an address. */
export function recordFilterFrom(params: AddressParams): RecordFilter {
  return addressTexts(recordNames, params);
}

/** Names of a filter in words: "Kustomization flux-system/checkout on eu-west-3", "everything on every cluster". */
export function recordText({ cluster, kind, namespace, name }: RecordFilter): string {
  const what = kind === '' ? (name === '' ? 'everything' : '') : kind;
  const full = namespace === '' || namespace === '-' || name === '' ? name : `${namespace}/${name}`;
  const inside = name === '' && namespace !== '' ? (namespace === '-' ? 'cluster-scoped' : `in ${namespace}`) : '';
  const where = cluster === '' ? 'every cluster' : cluster.split(',').join(' and ');
  return `${[what, full, inside].filter((part) => part !== '').join(' ')} on ${where}`;
}
