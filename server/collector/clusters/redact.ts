const longest = 300;

/**
 * A message of a cluster, a plugin or the machine, fit to be stored and shown: one line of at most 300 characters,
 * without tokens, userinfo in URLs or anything else that looks like a secret.
 */
export function redact(text: string): string {
  const line = text
    .slice(0, 4_000)
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, '$1***@')
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]+/gi, '$1 ***')
    .replace(/\beyJ[\w-]+\.[\w.-]+/g, '***')
    .replace(/\bk8s-aws-v1\.[\w-]+/g, '***')
    .replace(/\b(gh[pousr]_|glpat-|AKIA|ASIA|ya29\.)[\w-]+/g, '***')
    .replace(/((?:password|passwd|secret|token|api[-_]?key|access[-_]?key)["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,;&]+)/gi, '$1***')
    .replace(/-----BEGIN [A-Z ]+-----[^]*?(-----END [A-Z ]+-----|$)/g, '***')
    .replace(/[\w+/=-]{64,}/g, '***')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** What an unknown thrown thing says, redacted. */
export function saying(error: unknown): string {
  return redact(error instanceof Error ? error.message : String(error));
}
