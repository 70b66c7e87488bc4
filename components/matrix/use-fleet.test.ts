import { describe, expect, it } from 'vitest';
import { minutesAgo, wireColumn, wireFleet, wireFleetSummary, wireRow } from '../testing/wire-fleet.ts';
import { applyFleetFrame } from './use-fleet.ts';

const columns = [wireColumn('checkout')];
const fleet = wireFleet({
  columns,
  rows: [wireRow({ cluster: 'a', cells: 'c' }), wireRow({ cluster: 'b', cells: 'c' })],
});

function after(frame: Parameters<typeof applyFleetFrame>[1]) {
  const next = applyFleetFrame(fleet, frame);
  if (next === 'again') throw new Error('The frame was not applied.');
  return next;
}

describe('applyFleetFrame', () => {
  it('puts changed rows where they were', () => {
    const next = after({ type: 'rows', rows: [wireRow({ cluster: 'a', cells: 'D' })], order: null, columns: null });
    expect(next.rows.map((row) => row.cluster + row.cells)).toEqual(['aD', 'bc']);
    expect(next.rows[1]).toBe(fleet.rows[1]);
  });

  it('takes the new order; rows that are not in it are gone', () => {
    const next = after({
      type: 'rows',
      rows: [wireRow({ cluster: 'z', cells: 'c' })],
      order: ['z', 'a'],
      columns: null,
    });
    expect(next.rows.map((row) => row.cluster)).toEqual(['z', 'a']);
  });

  it('keeps nothing of the old rows where the columns changed', () => {
    const next = after({
      type: 'rows',
      rows: [wireRow({ cluster: 'b', cells: 'cc' })],
      order: ['b'],
      columns: [...columns, wireColumn('web')],
    });
    expect(next.rows.map((row) => row.cluster)).toEqual(['b']);
    expect(next.columns).toHaveLength(2);
  });

  it('asks again where the order names a row that never came', () => {
    expect(applyFleetFrame(fleet, { type: 'rows', rows: [], order: ['a', 'b', 'c'], columns: null })).toBe('again');
  });

  it('takes a new summary, and asks again after a reset', () => {
    expect(after({ type: 'summary', summary: wireFleetSummary({ objects: 7 }) }).summary.objects).toBe(7);
    expect(applyFleetFrame(fleet, { type: 'reset', at: minutesAgo(0) })).toBe('again');
  });

  it('is the same fleet after a tick', () => {
    expect(applyFleetFrame(fleet, { type: 'tick', at: minutesAgo(0), lastWordAt: null })).toBe(fleet);
  });
});
