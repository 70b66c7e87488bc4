'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { linkApi, type LinkQuery, type WireLink } from '#lib/api/embed.ts';
import { type EmbedScope, scopeText, parseScope } from '#lib/domain/matrix/embed-scope.ts';
import { badgeMarkdown, frameHeight, frameSnippet } from '#lib/format/embed-snippet.ts';
import { quotedWord } from '#lib/format/shell-word.ts';
import { endpointQuery } from '../queries/endpoint-query.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Time } from '../ui/time.tsx';
import type { Topic } from './live/live.tsx';
import { DialogPanel } from '../ui/dialog-panel.tsx';

/** A quiet item in the bar: links with which other pages show the same as this one. */
export function CopyEmbed({ scope }: { readonly scope: EmbedScope }) {
  const [open, setOpen] = useState(false);
  return (
    <DialogPanel title="Embed this in another page" trigger="Embed" open={open} onOpenChange={setOpen}>
      <Links scope={scope} />
    </DialogPanel>
  );
}

const themes = [
  ['auto', 'As the reader’s system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;
const lasting = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'A year'],
] as const;

function Links({ scope }: { readonly scope: EmbedScope }) {
  const [theme, setTheme] = useState<LinkQuery['theme']>('auto');
  const [days, setDays] = useState<LinkQuery['days']>('90');
  const { data, error } = useQuery({
    ...endpointQuery(linkApi, { scope: scopeText(scope), theme, days }),
    // Keys are made and revoked meanwhile.
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  if (error !== null) return <p role="alert">{error.message}</p>;
  if (data === undefined) return <p className="text-mute">The links are being signed.</p>;
  if (data.type === 'not-signed') return <NotSigned why={data.why} scope={scope} />;
  const offered = lasting.filter(([each]) => Number(each) <= data.mostDays);
  const chosen = offered.some(([each]) => each === days) ? days : (offered.at(-1)?.[0] ?? days);
  return (
    <>
      <p className="max-w-[74ch]">
        Whoever has one of these links sees this, and nothing else, without signing in. It greys itself out where it
        cannot be renewed.
      </p>
      <Choice legend="Theme" of={themes} value={theme} onChoose={setTheme} />
      <Choice legend="Opens for" of={offered} value={chosen} onChoose={setDays} />
      <Snippets link={data} height={frameHeight(scope)} />
      <p className="mt-3 text-mute">
        Opens until <Time at={data.expires} />, or until it is revoked: <code>plumbline links --revoke {data.id}</code>
      </p>
    </>
  );
}

function Snippets({ link, height }: { readonly link: Extract<WireLink, { type: 'signed' }>; readonly height: number }) {
  const origin = link.origin ?? location.origin;
  const [embed, badge] = [link.embed, link.badge].map((path) => `${origin}${path}`);
  const parts = { page: `${origin}${link.page}`, title: link.title };
  return (
    <>
      <Snippet what="Frame, as HTML" text={frameSnippet({ ...parts, url: embed ?? '' }, height)}>
        <MayFrame ancestors={link.frameAncestors} />
      </Snippet>
      <Snippet what="Address of the frame" text={embed ?? ''} />
      <Snippet what="Badge, as Markdown" text={badgeMarkdown({ ...parts, url: badge ?? '' })}>
        <p className="my-1">
          <img src={link.badge} alt={`${link.title}, as a badge`} height={20} />
        </p>
      </Snippet>
      {/^https?:\/\/(?:localhost|127\.|\[::1\])/.test(origin) && (
        <p className="mt-3">
          <b>These addresses begin with {origin}.</b> Others reach Plumbline by another one: put that in its place.
        </p>
      )}
    </>
  );
}

/** A snippet that the server would refuse is worse than none: who may frame it is said where it is copied. */
function MayFrame({ ancestors }: { readonly ancestors: readonly string[] }) {
  if (ancestors.length > 0) return <p className="text-mute">May be framed by {ancestors.join(', ')}.</p>;
  return (
    <p role="note">
      <b>No site may frame it yet.</b> Name those that may under <code>embeds.frameAncestors</code> in plumbline.yaml.
      Badges are no frames and need none of this.
    </p>
  );
}

interface SnippetProps {
  readonly what: string;
  readonly text: string;
  readonly children?: ReactNode;
}

function Snippet({ what, text, children }: SnippetProps) {
  return (
    <section className="mt-3">
      <h3 className="flex items-center justify-between gap-3 font-semibold">
        {what}
        <CopyButton text={text} what={what} />
      </h3>
      <pre className="mt-1 overflow-x-auto border border-rule px-3 py-2 leading-[1.5]">{text}</pre>
      {children}
    </section>
  );
}

interface ChoiceProps<Value extends string> {
  readonly legend: string;
  readonly of: readonly (readonly [Value, string])[];
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
}

function Choice<Value extends string>({ legend, of, value, onChoose }: ChoiceProps<Value>) {
  return (
    <fieldset className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1">
      <legend className="float-left mr-4 min-w-20 text-mute">{legend}</legend>
      {of.map(([name, words]) => (
        <label key={name} className="flex min-h-6 items-center gap-2">
          <input
            type="radio"
            name={legend}
            checked={value === name}
            onChange={() => onChoose(name)}
            className="size-4 accent-ink"
          />
          {words}
        </label>
      ))}
    </fieldset>
  );
}

/** Scope of an embed of the page that follows this topic; null where it has nothing of its own to show. */
export function topicScope(topic: Topic): EmbedScope | null {
  const { cluster = '', group = '', kind = '', namespace = '', name = '', label = '' } = topic ?? {};
  switch (topic?.['topic']) {
    case 'fleet':
      // A filter of one label is a scope, of several none.
      return label === '' || label.includes(',') ? { type: 'fleet' } : parseScope(`label:${label}`);
    case 'cluster':
      return parseScope(`cluster:${cluster}`);
    case 'object':
      return parseScope(`object:${[cluster, group, kind, namespace, name].join('/')}`);
    default:
      return null;
  }
}

type Why = Extract<WireLink, { type: 'not-signed' }>['why'];

const setting = `embeds:
  keys: ./embed-keys.yaml
  frameAncestors: [https://wiki.example.org]
`;
const readersSetting = `embeds:
  links: api
  mostDays: 90
`;
const command = 'plumbline link --new-key';

/** Why no link can be signed here, and exactly what mends it. */
function NotSigned({ why, scope }: { readonly why: Why; readonly scope: EmbedScope }) {
  if (why === 'off') return <Off scope={scope} />;
  return (
    <>
      <p className="max-w-[74ch]">{words[why].sentence}</p>
      {why === 'not-configured' && <Code text={setting} what="the YAML" />}
      {words[why].command !== null && <Code text={words[why].command} what="the command" />}
      {why === 'not-configured' && <ReadAtStart />}
    </>
  );
}

/** A link opens without a login for whoever has it: whether readers may make some is for the operator to say. */
function Off({ scope }: { readonly scope: EmbedScope }) {
  return (
    <>
      <p className="max-w-[74ch]">
        Readers of the pages may not make links here. Whoever holds the file of keys makes one for this page:
      </p>
      <Code text={`plumbline link --scope ${quotedWord(scopeText(scope))}`} what="the command" />
      <p className="mt-3 max-w-[74ch]">
        To let every reader make links, of everything that Plumbline shows, say so in plumbline.yaml, and for how long
        they open at most:
      </p>
      <Code text={readersSetting} what="the YAML" />
      <ReadAtStart />
    </>
  );
}

function ReadAtStart() {
  return (
    <p className="mt-2 text-mute">
      plumbline.yaml is read at the start of Plumbline; the keys are read anew whenever they change.
    </p>
  );
}

const words: Readonly<Record<Exclude<Why, 'off'>, { readonly sentence: string; readonly command: string | null }>> = {
  'not-link-maker': {
    sentence:
      'Links are made by those alone who have the role link-maker (auth.access in plumbline.yaml): ask one of them.',
    command: null,
  },
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
  'too-many': {
    sentence:
      'Readers have made as many links as may open at once. Whoever runs Plumbline lists them, and revokes some:',
    command: 'plumbline links',
  },
  'too-many-today': {
    sentence:
      'From your address as many links were made as one reader may make in a day. Ask again tomorrow, or whoever holds the file of keys today.',
    command: null,
  },
  'not-kept': {
    sentence:
      'The list of links in the data directory cannot be written, so none is made: it could not be revoked. The log says why.',
    command: null,
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
