import type { WireGo } from '#lib/api/pager/go.ts';
import { goPath } from '#lib/api/paths.ts';
import { Section } from '../ui/page/page.tsx';

interface LabelFormProps extends Pick<WireGo, 'given' | 'at'> {
  /** It is all that the page offers: it stands open. */
  readonly open: boolean;
}

/** Labels to be looked for: pasted from a pager, or those that were given, to be mended. It needs no script. */
export function LabelForm({ given, at, open }: LabelFormProps) {
  return (
    <div className="screen-only">
      {open ? (
        <Section id="look" title="Labels of an alert">
          <Fields given={given} at={at} />
        </Section>
      ) : (
        <details className="mt-5">
          <summary className="link w-fit cursor-pointer py-1">Look with other labels</summary>
          <Fields given={given} at={at} />
        </details>
      )}
    </div>
  );
}

function Fields({ given, at }: Pick<LabelFormProps, 'given' | 'at'>) {
  const text = given.map(({ name, value }) => `${name} = ${value.replaceAll('\n', ' ')}`).join('\n');
  return (
    // All that was given comes from the address: another address is another form.
    <form key={text} method="get" action={goPath()} className="go-form">
      <label>
        <span>As the pager prints them: one a line, with commas, or in braces</span>
        <textarea
          name="labels"
          defaultValue={text}
          rows={Math.min(12, Math.max(4, given.length))}
          maxLength={8192}
          placeholder={'cluster = eu-west-3\nkind = Kustomization\nnamespace = flux-system\nname = checkout'}
          autoComplete="off"
          spellCheck={false}
          className="go-field"
        />
      </label>
      <label>
        <span>When the alert fired; now where empty</span>
        <input
          name="at"
          type="text"
          defaultValue={at ?? ''}
          placeholder="2026-11-21T03:12:00Z"
          autoComplete="off"
          spellCheck={false}
          className="go-field go-time"
        />
      </label>
      <button type="submit" className="min-h-[26px] rounded-[3px] border border-field px-2">
        Find the object
      </button>
    </form>
  );
}
