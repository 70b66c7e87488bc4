import { vi } from 'vitest';

/** Every address that a page under test has led to. */
export const pushed = vi.fn<(href: string) => void>();

/** Called each time that a page under test has led back. */
export const wentBack = vi.fn<() => void>();
