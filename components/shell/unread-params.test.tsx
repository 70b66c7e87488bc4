import { render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { UnreadParams } from './page-frame.tsx';

vi.mock('next/navigation', () => ({
  usePathname: () => '/objects',
  useSearchParams: () => new URLSearchParams('verdict=sale&colour=red&kind=Kustomization'),
}));

it('names what of the address is left out, and why', () => {
  render(<UnreadParams />);
  const text = screen.getByText(/^The address holds/).textContent;
  expect(text).toContain('verdict=sale must be verdicts');
  expect(text).toContain('colour=red is no parameter of this page.');
  expect(text).not.toContain('Kustomization');
});
