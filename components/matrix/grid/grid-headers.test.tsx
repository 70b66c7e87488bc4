import { render, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { GridHeader } from './grid.ts';
import { GridHeaders } from './grid-headers.tsx';
import { headerItemsOf } from './items.ts';

function header(group: string, title: string): GridHeader {
  return { id: `${group}/${title}`, group, title, href: '/', row: null };
}

function showHeads(headers: readonly GridHeader[], isQuiet: (index: number) => boolean = () => false) {
  const items = headerItemsOf(headers, isQuiet, new Set());
  render(
    <table>
      <GridHeaders
        all={items}
        columns={{ headers: items, lefts: null }}
        transposed={false}
        labels={[]}
        stop={null}
        onUnfold={() => undefined}
      />
    </table>,
  );
}

/** The names that stand upright beside the name of a column. */
const upright = () => [...document.querySelectorAll('.m-upright')].map((name) => name.textContent);

describe('the name of a group', () => {
  it('stands upright beside its column where it would be cut above it', () => {
    showHeads([
      header('apps', 'web'),
      header('apps', 'mail'),
      header('flux-system', 'web-assets'),
      header('argocd', 'shop'),
    ]);
    expect(upright()).toEqual(['flux-system', 'argocd']);
    const [groups] = screen.getAllByRole('row');
    const names = within(groups ?? document.body).getAllByRole('columnheader');
    expect(names.map((name) => name.textContent)).toEqual(['apps', 'flux-system', 'argocd']);
    expect(names[1]?.querySelector('.sr-only')?.textContent).toBe('flux-system');
    expect(screen.getByRole('link', { name: 'web-assets' })).toBeDefined();
  });

  it('stands so beside a fold too, once for the group', () => {
    const headers = Array.from({ length: 20 }, (_, n) => header(n < 2 ? 'declared' : 'apps', `service-${n}`));
    showHeads(headers, (index) => index < 2);
    expect(upright()).toEqual(['declared']);
    expect(screen.getByRole('button', { name: 'Show 2 columns of declared that are in order' })).toBeDefined();
  });

  it('takes the beginning that its columns share only where it can be read whole', () => {
    const names = ['payments-reconciliation-a', 'payments-reconciliation-b', 'payments-reconciliation-c'];
    showHeads(names.map((name) => header('apps', name)));
    expect(screen.queryByText('payments-reconciliation-…')).toBeNull();
    expect(screen.getByRole('link', { name: 'payments-reconciliation-a' }).textContent).toMatch(/^payments/);
  });

  it('takes it where there is room for both', () => {
    const names = Array.from({ length: 12 }, (_, n) => `payments-reconciliation-${n}`);
    showHeads(names.map((name) => header('apps', name)));
    expect(screen.getByText('payments-reconciliation-…')).toBeDefined();
    expect(screen.getByRole('link', { name: 'payments-reconciliation-3' }).textContent).toBe('3');
  });
});
