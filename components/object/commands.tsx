import { useMoment } from '../shell/moment/moment.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { SectionHeading } from '../ui/section-heading.tsx';

/** Commands to copy. They only read. */
export function Commands({ commands }: { readonly commands: readonly string[] }) {
  // They look at the cluster as it is now.
  const past = useMoment() !== null;
  if (commands.length === 0 || past) return null;
  return (
    <section aria-labelledby="commands">
      <SectionHeading id="commands" note="they only read; the context is called as the cluster is here">
        Look closer
      </SectionHeading>
      <ul>
        {commands.map((command) => (
          <li key={command} className="line">
            <code className="line-what wrap-anywhere">{command}</code>
            <CopyButton text={command} what={`the command ${command}`} />
          </li>
        ))}
      </ul>
    </section>
  );
}
