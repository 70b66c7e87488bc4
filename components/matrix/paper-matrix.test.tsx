import { act, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { largeFleet } from '../testing/large-fleet.ts';
import { showPage } from '../testing/show-page.tsx';
import { FleetScreen } from './fleet-screen.tsx';
import { viewFrom } from './view-from.ts';

/** The parts of the matrix once the browser has said that it prints. */
function printed(clusters: number, columns: number): readonly HTMLElement[] {
  const fleet = largeFleet(clusters, columns);
  showPage(<FleetScreen sent={{ view: viewFrom({}), fleet }} moment={null} />, { search: '', answer: () => fleet });
  act(() => void window.dispatchEvent(new Event('beforeprint')));
  return [...document.querySelectorAll<HTMLElement>('.matrix-part')];
}

/** The columns of a part by their names, a fold as "+14". */
function columnsIn(part: HTMLElement | undefined): readonly (string | null)[] {
  return [...(part?.querySelectorAll('.m-head [data-h]') ?? [])].map((name) => name.textContent);
}

describe('a matrix on paper', () => {
  it('is one with that on the screen where a page has room for it', () => {
    expect(printed(12, 10)).toEqual([]);
    expect(document.querySelector('.matrix-area')?.hasAttribute('data-parted')).toBe(false);
  });

  it('of more columns than a page has room for is printed in parts, each column in one of them', () => {
    const fleet = largeFleet(30, 60);
    // Every column deviates somewhere, so that none is folded.
    const rows = fleet.rows.map((row, index) => (index === 0 ? { ...row, cells: 'D'.repeat(60) } : row));
    const loud = { ...fleet, rows };
    showPage(<FleetScreen sent={{ view: viewFrom({}), fleet: loud }} moment={null} />, {
      search: '',
      answer: () => loud,
    });
    expect(screen.getByText(/^The matrix, 30 rows by 60 columns, is too large for this page/)).toBeDefined();
    act(() => void window.dispatchEvent(new Event('beforeprint')));
    const parts = [...document.querySelectorAll<HTMLElement>('.matrix-part')];
    expect(parts.map((part) => part.querySelector('p')?.textContent)).toEqual([
      'Columns 1 to 30 of 60',
      'Columns 31 to 60 of 60',
    ]);
    expect(parts.flatMap(columnsIn)).toEqual(fleet.columns.map((column) => column.title));
    expect(parts.map((part) => part.querySelectorAll('.m-body [data-k]').length)).toEqual(
      parts.map(() => document.querySelectorAll('.matrix-area .m-body [data-k]').length),
    );
    act(() => void window.dispatchEvent(new Event('afterprint')));
    expect(document.querySelector('.matrix-part')).toBeNull();
  });

  it('has every row, also those that the screen does not draw', () => {
    const [part] = printed(400, 8);
    const drawn = document.querySelectorAll('.matrix-area .m-body tr').length;
    expect(part?.querySelectorAll('.m-body tr').length).toBeGreaterThan(drawn);
    expect(part?.querySelector('.m-body tr[style]')).toBeNull();
  });

  it('ends after 200 rows, and says how many more there are', () => {
    const fleet = largeFleet(300, 8);
    const loud = { ...fleet, rows: fleet.rows.map((row) => ({ ...row, worst: 'diverged' as const, silent: 1 })) };
    showPage(<FleetScreen sent={{ view: viewFrom({}), fleet: loud }} moment={null} />, {
      search: '',
      answer: () => loud,
    });
    act(() => void window.dispatchEvent(new Event('beforeprint')));
    const rows = document.querySelectorAll('.matrix-part .m-body tr[data-k]').length;
    expect(
      screen.getByText(`${300 - rows} more rows are not printed: the list of objects has them all.`),
    ).toBeDefined();
  });
});
