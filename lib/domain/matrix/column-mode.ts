/** Trait that makes a column of the matrix. */
export type ColumnMode =
  | { readonly by: 'delivery' | 'reconciler' | 'kind' | 'group' | 'namespace' }
  | { readonly by: 'label'; readonly key: string };

const plain = ['delivery', 'reconciler', 'kind', 'group', 'namespace'] as const;

/** Reads the `columns` parameter of a view: delivery, reconciler, kind, group, namespace or label:<key>. null for anything else. */
export function parseColumnMode(text: string): ColumnMode | null {
  const found = plain.find((mode) => mode === text);
  if (found !== undefined) return { by: found };
  const key = text.startsWith('label:') ? text.slice('label:'.length) : '';
  return key === '' ? null : { by: 'label', key };
}
