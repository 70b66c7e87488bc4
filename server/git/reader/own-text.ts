/** The same text in memory of its own: a part of a long text keeps all of it. For whatever is kept. */
export function ownText(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
