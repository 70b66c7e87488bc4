import type { WireLink } from '#lib/api/embed.ts';
import { CopyButton } from '../../ui/copy-button.tsx';

type Why = Extract<WireLink, { type: 'not-signed' }>['why'];

const setting = `embeds:
  keys: ./embed-keys.yaml
  frameAncestors: [https://wiki.example.org]
`;
const command = 'plumbline link --new-key';

/** Why no link can be signed here, and exactly what mends it. */
export function NoKeys({ why }: { readonly why: Why }) {
  return (
    <>
      <p className="max-w-[74ch]">{words[why].sentence}</p>
      {why === 'not-configured' && <Code text={setting} what="the YAML" />}
      {words[why].command !== null && <Code text={words[why].command} what="the command" />}
      {why === 'not-configured' && (
        <p className="mt-2 text-mute">
          plumbline.yaml is read at the start of Plumbline; the keys are read anew whenever they change.
        </p>
      )}
    </>
  );
}

const words: Readonly<Record<Why, { readonly sentence: string; readonly command: string | null }>> = {
  'not-configured': {
    sentence:
      'Links are signed, and no key is configured to sign with. Name a file of keys and the sites that may frame in plumbline.yaml, then make a key:',
    command,
  },
  missing: { sentence: 'Links are signed, and the file of keys is not there yet. Make a key:', command },
  'all-revoked': { sentence: 'Every key is revoked, so none signs. Make a new one:', command },
  exposed: {
    sentence: 'Others than its owner may read or change the file of keys, so it signs and opens nothing. Close it:',
    command: 'chmod 600 embed-keys.yaml',
  },
  unreadable: {
    sentence: 'The process that serves the pages cannot read the file of keys (embeds.keys).',
    command: null,
  },
  malformed: {
    sentence: 'The file of keys (embeds.keys) is not as plumbline link writes it, so it signs and opens nothing.',
    command: null,
  },
};

function Code({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div className="mt-2 flex items-start gap-3">
      <pre className="min-w-0 flex-1 overflow-x-auto border border-rule px-3 py-2 leading-[1.5]">{text}</pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}
