/** Sentences one beneath the other. */
export function Sentences({ of }: { readonly of: readonly string[] }) {
  return (
    <ul className="go-list">
      {of.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
