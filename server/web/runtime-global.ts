import type { WebRuntime } from './web-runtime.ts';

declare global {
  /** Next bundles its own copies of modules: this one name is what they share with the process that mounts it. */
  var plumblineWeb: WebRuntime | undefined;
}

/** Puts the runtime where pages find it; null takes it away. */
export function setWebRuntime(runtime: WebRuntime | null): void {
  globalThis.plumblineWeb = runtime ?? undefined;
}

/** The runtime of this process, for pages. Throws where nothing mounted them: a page is never rendered at build time. */
export function webRuntime(): WebRuntime {
  const runtime = globalThis.plumblineWeb;
  if (!runtime) throw new Error('Pages are served by server/web/main.ts only; no runtime is mounted in this process.');
  return runtime;
}
