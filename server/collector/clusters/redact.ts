import { redact as withoutSecrets } from '#lib/domain/observation/redact.ts';

const longest = 300;

/** A message of a cluster, a plugin or the machine, fit for a fault: one line of at most 300 characters, without secrets. */
export function redact(text: string): string {
  const line = withoutSecrets(text.slice(0, 4_000)).replace(/\s+/g, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** The message of anything thrown, redacted. */
export function saying(error: unknown): string {
  return redact(error instanceof Error ? error.message : String(error));
}
