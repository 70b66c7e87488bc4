import { parseForeign } from '#lib/foreign.ts';
import { createDetailReader } from '../../codec/pack/packed-detail.ts';
import { text, type Cell } from './cells.ts';

/** Gives what is in a cell of `detail`, packed or, where `purge` has redacted it, JSON. What it gives is yet to be looked at. */
export function openDetailReader(stringOf: (id: number) => string): (cell: Cell) => unknown {
  const unpack = createDetailReader(stringOf);
  return (cell) => (cell instanceof Uint8Array ? unpack(cell) : parseForeign(text(cell)));
}
