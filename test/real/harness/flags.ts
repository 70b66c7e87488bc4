/** Command-line flags with their values, e.g. {'--port': '1'} as ['--port', '1']. */
export function flags(values: { readonly [flag: string]: string }): readonly string[] {
  return Object.entries(values).flat();
}
