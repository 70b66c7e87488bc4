/** A text as one word of a POSIX shell: quoted where anything in it means something to a shell. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9][A-Za-z0-9._:@/-]*$/.test(text) ? text : quotedWord(text);
}

/** A text as one word of a POSIX shell, quoted. */
export function quotedWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
