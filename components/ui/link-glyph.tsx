/** State of a link of the alarm chain. later: not reached. unknown: not known. */
type State = 'whole' | 'broken' | 'later' | 'unknown';

const ring = 'M3.4 6a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0 -5.2 0';

/** Outlines told apart without colour: a filled dot, a cross, a hollow dot, a question mark. */
const shapes: Readonly<Record<State, { readonly d: string; readonly drawn: boolean }>> = {
  whole: { d: ring, drawn: false },
  broken: { d: 'M2 2L10 10M10 2L2 10', drawn: true },
  later: { d: ring, drawn: true },
  unknown: { d: 'M4 4.2a2 2 0 1 1 3.1 1.7C6.3 6.4 6 6.8 6 7.7M6 9.6v.9', drawn: true },
};

/** The mark of a link of the alarm chain; its word stands beside it. */
export function LinkGlyph({ state }: { readonly state: State }) {
  const { d, drawn } = shapes[state];
  return (
    <svg className={`glyph link-${state}`} width={12} height={12} viewBox="0 0 12 12" aria-hidden="true">
      <path d={d} className={drawn ? 'drawn' : undefined} />
    </svg>
  );
}
