import { cleanup } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

vi.mock('next/navigation', async () => {
  const { pushed } = await import('./router.ts');
  return {
    useRouter: () => ({ push: pushed }),
    usePathname: () => '/',
    useSearchParams: () => new URLSearchParams(),
  };
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
});
