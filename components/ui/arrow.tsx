/** "→" between what was and what is, drawn: the fonts that are served with the pages do not have it. */
export function Arrow() {
  return (
    <span className="arrow">
      <span className="sr-only">→</span>
    </span>
  );
}

/** A text with its arrow drawn, where it has one. */
export function ArrowText({ text }: { readonly text: string }) {
  const at = text.indexOf('→');
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <Arrow />
      {text.slice(at + 1)}
    </>
  );
}
