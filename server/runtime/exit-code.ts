/** Exit codes of a process of Plumbline. The numbers are those of sysexits.h. */
export const exitCode = {
  ok: 0,
  /** Wrong usage of the command line. */
  usage: 64,
  /** Something outside is not to be had: a port that is taken. */
  unavailable: 69,
  /** A bug of ours. */
  software: 70,
  /** Something outside is not to be had now, and may be soon: a disk that may not be written. */
  temporary: 75,
  /** The configuration is wrong, or asks for something that is refused. */
  config: 78,
} as const;

/** True if starting the process again cannot help: it would end in the same way. */
export function isFinal(code: number | null): boolean {
  return code === exitCode.usage || code === exitCode.unavailable || code === exitCode.config;
}
