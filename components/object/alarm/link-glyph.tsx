import type { WireAlarmChain } from '#lib/api/object.ts';

type State = WireAlarmChain['steps'][number]['state'];

/** Outlines told apart without colour: a filled dot, a cross, a hollow dot. */
const shapes: Readonly<Record<State, { readonly d: string; readonly drawn: boolean }>> = {
  whole: { d: 'M3.4 6a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0 -5.2 0', drawn: false },
  broken: { d: 'M2 2L10 10M10 2L2 10', drawn: true },
  later: { d: 'M3.4 6a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0 -5.2 0', drawn: true },
};

/** The mark of a link of the chain; its word stands beside it. */
export function LinkGlyph({ state }: { readonly state: State }) {
  const { d, drawn } = shapes[state];
  return (
    <svg className={`glyph link-${state}`} width={12} height={12} viewBox="0 0 12 12" aria-hidden="true">
      <path d={d} className={drawn ? 'drawn' : undefined} />
    </svg>
  );
}
