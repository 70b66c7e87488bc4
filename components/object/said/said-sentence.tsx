import type { WireObjectPage } from '#lib/api/object.ts';
import { shortCommit } from '#lib/format/revision.ts';
import { Commit } from '../../ui/commit.tsx';

/** The object's own sentence, its path and commits set apart and linked where they lead somewhere. */
export function SaidSentence({ page }: { readonly page: WireObjectPage }) {
  const { sentence } = page.object;
  const said = /[.?:]$/.test(sentence) ? sentence : `${sentence}.`;
  const marks = marksOf(page);
  const words = [...marks.keys()].toSorted((a, b) => b.length - a.length).map(escapeRegExp);
  const parts = words.length === 0 ? [said] : said.split(new RegExp(`(${words.join('|')})`));
  return parts.map((part, index) => {
    const mark = marks.get(part);
    const key = `${index}${part}`;
    if (mark === undefined) return <span key={key}>{part}</span>;
    return mark.commit === null ? (
      <code key={key} className="said-path">
        {part}
      </code>
    ) : (
      <Commit key={key} commit={mark.commit} href={mark.href} className="font-medium" />
    );
  });
}

interface Mark {
  readonly commit: string | null;
  readonly href: string | null;
}

function marksOf({ object }: WireObjectPage): Map<string, Mark> {
  const marks = new Map<string, Mark>();
  if (object.path !== null && object.path !== '') marks.set(object.path, { commit: null, href: object.links.tree });
  const { applied, attempted, offered } = object.revision;
  for (const revision of [applied, attempted, offered]) {
    const hash = revision === null ? undefined : /([0-9a-f]{40,64})$/.exec(revision)?.[1];
    if (hash !== undefined) marks.set(shortCommit(hash), { commit: hash, href: null });
  }
  for (const end of [object.range?.lastGood, object.range?.firstBad])
    if (end?.commit) marks.set(end.text, { commit: end.commit, href: end.href });
  if (object.commit !== null)
    marks.set(shortCommit(object.commit), { commit: object.commit, href: object.links.commit });
  return marks;
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
