import { cleanup } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

vi.mock('next/navigation', async () => {
  const { pushed, wentBack } = await import('./router.ts');
  return {
    useRouter: () => ({ push: pushed, back: wentBack }),
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
