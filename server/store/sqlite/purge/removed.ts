/** Number of rows that went, by table; only tables from which any did. */
export type Removed = readonly { readonly table: string; readonly count: number }[];
