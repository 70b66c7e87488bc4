import { act } from '@testing-library/react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { UnreadParams } from './page-frame.tsx';

const address = vi.hoisted(() => ({ query: '' }));
vi.mock('next/navigation', () => ({
  usePathname: () => '/objects',
  useSearchParams: () => new URLSearchParams(address.query),
}));

it('a name that every object has, which the server is given otherwise, breaks no page and is named in the end', async () => {
  address.query = 'constructor=native&constructor=x&colour=red';
  const root = document.createElement('div');
  root.innerHTML = renderToString(<UnreadParams />);
  expect(root.textContent).toContain('colour=red');
  address.query = '__proto__=1&constructor=x&colour=red';
  const onRecoverableError = vi.fn<(error: unknown) => void>();
  await act(async () => hydrateRoot(root, <UnreadParams />, { onRecoverableError }));
  expect(onRecoverableError).not.toHaveBeenCalled();
  expect(root.textContent).toContain('__proto__=1 is no parameter of this page; constructor=x is no parameter');
});
