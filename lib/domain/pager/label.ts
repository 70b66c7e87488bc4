/** One label of an alert, as a pager gives it. */
export interface Label {
  readonly name: string;
  readonly value: string;
}

/** Part of what a pager gave that is not read, and why. */
export type Unread =
  /** All of it: longer than is read, in characters. */
  | { readonly type: 'too-large'; readonly length: number }
  /** Those beyond the first that are read; `total` were given. */
  | { readonly type: 'too-many'; readonly total: number }
  /** One label; its name, cut where it is too long itself. */
  | { readonly type: 'too-long'; readonly name: string }
  /** A part of the text that names no label. */
  | { readonly type: 'no-label'; readonly text: string }
  /** A matcher that says what a label is not, or is like: no value. */
  | { readonly type: 'no-value'; readonly name: string }
  /** A label that was given with another value, too; the first one is read. */
  | { readonly type: 'differs'; readonly name: string };

/** Labels that were read, and what was not. */
export interface ReadLabels {
  readonly labels: readonly Label[];
  readonly unread: readonly Unread[];
}

/** Most labels that are read. */
export const mostLabels = 64;
/** Longest name or value of a label, in UTF-16 units. */
export const longestLabel = 1_024;
/** Longest names and values of all that was given together, in UTF-16 units. */
export const longestGiven = 16_384;
/** Most parts of a text that are named as not read. */
const mostUnread = 8;

/** Words on what is not read. */
export function unreadText(unread: Unread): string {
  switch (unread.type) {
    case 'too-large':
      return `What was given is ${unread.length.toLocaleString('en')} characters long; no more than ${longestGiven.toLocaleString('en')} are read, so nothing of it is.`;
    case 'too-many':
      return `${unread.total} labels were given; the first ${mostLabels} are read.`;
    case 'too-long':
      return `The label ${unread.name} is longer than ${longestLabel.toLocaleString('en')} characters and is left out.`;
    case 'no-label':
      return `"${unread.text}" is no label and is left out.`;
    case 'no-value':
      return `The matcher on ${unread.name} names no one value and is left out.`;
    case 'differs':
      return `The label ${unread.name} was given with two values; the first is read.`;
  }
}

/** Gathers labels within their bounds, each name once; a value that is empty, or that a template left empty, is none. */
export function gatherLabels(): {
  add(name: string, value: string): void;
  skip(unread: Unread): void;
  read(): ReadLabels;
} {
  const found = new Map<string, string>();
  const unread: Unread[] = [];
  let total = 0;

  function skip(one: Unread): void {
    if (unread.length < mostUnread) unread.push(one);
  }

  function add(name: string, value: string): void {
    if (value.length > longestLabel || name.length > longestLabel)
      return skip({ type: 'too-long', name: shortened(name) });
    if (value.trim() === '' || value === '<no value>') return;
    const before = found.get(name);
    if (before !== undefined) {
      if (before !== value) skip({ type: 'differs', name });
      return;
    }
    total += 1;
    if (total <= mostLabels) found.set(name, value);
  }

  function read(): ReadLabels {
    const labels = [...found].map(([name, value]) => ({ name, value }));
    return { labels, unread: total > mostLabels ? [{ type: 'too-many', total }, ...unread] : unread };
  }

  return { add, skip, read };
}

/** So much of a text as is shown of what is not read. */
export function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
