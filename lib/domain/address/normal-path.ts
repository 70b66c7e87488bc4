/** Path characters that may stand as they are (RFC 3986, 3.3), brackets, in which bundlers name their files, and escapes. */
const written = /^\/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/[\]]|%[0-9A-Fa-f]{2})*$/;
/** An empty segment, or one that is folded away: "." and "..", also with the parameters that some servers cut off first. */
const folded = /\/\/|\/\.{1,2}(?:[/;]|$)/;
/** Escapes of what needs none, or of what would divide or fold the path for one that decodes it: slash, backslash, dot. */
const needless = /[A-Za-z0-9\-._~/\\]/;
/** Controls, and the format and line characters by which an address looks like another. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** Left in what was decoded once, it was escaped twice: one that decodes twice would see what stands behind it. */
const escape = /%[0-9A-Fa-f]{2}/;

/**
 * True for a path that means the same to everyone who reads it: proxies, which decode and fold paths before their rules see them, and us.
 * So is every path of `lib/api/paths.ts` with names that Kubernetes takes.
 */
export function isNormalPath(path: string): boolean {
  if (!written.test(path) || folded.test(path)) return false;
  for (const [escapes] of path.matchAll(/(?:%[0-9A-Fa-f]{2})+/g)) {
    const meant = decoded(escapes);
    if (meant === null || needless.test(meant) || unseen.test(meant)) return false;
  }
  return !escape.test(decoded(path) ?? path);
}

/** Escapes of what turns the direction of all text behind it (U+202A to U+202E, U+2066 to U+2069): a link would make our sentences read as it likes. */
const turning = /%E2%80%A[A-E]|%E2%81%A[6-9]/i;

/** True for the words of what is shown without a login in another case than ours: a proxy's rule that ignores case would let it pass, and we would take it for a page. */
function isInOtherCase(path: string): boolean {
  const [, word = ''] = path.split('/', 2);
  return /^(?:embed|badge)$/i.test(word) && word !== word.toLowerCase();
}

/**
 * The path and query of a request as they came: a normal path, the words of embeds in small letters, then a query of whatever does not turn the
 * direction of text, and no fragment.
 */
export function isNormalTarget(target: string): boolean {
  const cut = target.search(/\?|$/);
  const [path, query] = [target.slice(0, cut), target.slice(cut)];
  return isNormalPath(path) && !isInOtherCase(path) && !/[#\p{Cc}]/u.test(query) && !turning.test(query);
}

/** Text behind escapes; null where they are no UTF-8. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
