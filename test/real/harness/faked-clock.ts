/**
 * The environment that puts a program's clock off by so much (ms) with Debian's libfaketime, for its children too. Its monotonic
 * clocks go on as they are, as on a machine whose wall clock was set wrongly.
 */
export function clockOffBy(ms: number): { readonly [key: string]: string } {
  const seconds = Math.round(ms / 1000);
  return {
    // The loader knows the folder of this machine's architecture ($LIB).
    LD_PRELOAD: '/usr/$LIB/faketime/libfaketimeMT.so.1',
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}
