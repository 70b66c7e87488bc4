import { useMoment } from '../shell/moment.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { SectionHead } from '../ui/section-head.tsx';

/** Commands to copy. They only read. */
export function Commands({ commands }: { readonly commands: readonly string[] }) {
  // They look at the cluster as it is now.
  const past = useMoment() !== null;
  if (commands.length === 0 || past) return null;
  return (
    <section aria-labelledby="commands">
      <SectionHead id="commands" note="they only read; the context is called as the cluster is here">
        Look closer
      </SectionHead>
      <ul>
        {commands.map((command) => (
          <li key={command} className="line">
            <code className="line-what break-anywhere">{command}</code>
            <CopyButton text={command} what={`the command ${command}`} />
          </li>
        ))}
      </ul>
    </section>
  );
}
