import { everyGrant, type Grant, type ViewScope } from './scope.ts';

/** The grants of a text: null for everything; a team by its name; or why it is none. */
export type ReadGrant =
  | { readonly type: 'everything' }
  | { readonly type: 'team'; readonly name: string }
  | { readonly type: 'grant'; readonly grant: Grant }
  | { readonly type: 'none'; readonly why: string };

/** Forms of a grant as text, for help. */
export const grantForms =
  'everything, team:NAME, or parts with ; between them: clusters=A,B;labels=KEY=VALUE,...;namespaces=X,Y';

/** Reads a grant of a command line; the parts are those of a line of `auth.teams`. */
export function readGrant(text: string): ReadGrant {
  if (text === 'everything') return { type: 'everything' };
  if (text.startsWith('team:')) {
    const name = text.slice('team:'.length);
    return name === '' ? none('it names no team') : { type: 'team', name };
  }
  let grant = everyGrant;
  const seen = new Set<string>();
  for (const part of text.split(';')) {
    const [key = '', ...rest] = part.split('=');
    const names = rest.join('=').split(',');
    if (seen.has(key)) return none(`${key} stands in it twice`);
    if (names.includes('')) return none(`"${part}" names nothing`);
    seen.add(key);
    if (key === 'clusters') grant = { ...grant, clusters: names };
    else if (key === 'namespaces') grant = { ...grant, namespaces: names };
    else if (key === 'labels') {
      const pairs = names.map(pairOf);
      if (pairs.some(([, value]) => value === null)) return none(`"${part}" holds a label without a value`);
      grant = { ...grant, labels: Object.fromEntries(pairs.map(([name, value]) => [name, value ?? ''])) };
    } else return none(`"${part}" is no part of a grant`);
  }
  return { type: 'grant', grant };
}

function none(why: string): ReadGrant {
  return { type: 'none', why };
}

function pairOf(text: string): readonly [string, string | null] {
  const at = text.indexOf('=');
  return at <= 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

/** Most names that a sentence on a grant has of one kind. */
const mostNames = 6;
/** Most grants that are told one by one. */
const mostGrants = 8;

/** Sentences on what a scope holds, for the one whose it is: "Clusters eu-1 and eu-2: namespaces payments, ledger". */
export function scopeSentences(scope: ViewScope): readonly string[] {
  if (scope.type === 'whole') return ['Everything: all clusters, all namespaces'];
  if (scope.grants.length === 0) return ['Nothing'];
  const shown = scope.grants.slice(0, mostGrants).map(grantSentence);
  const left = scope.grants.length - shown.length;
  return left === 0 ? shown : [...shown, `and ${left} more`];
}

function grantSentence({ clusters, labels, namespaces }: Grant): string {
  const carried = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  const named = clusters === null ? 'All clusters' : counted('Cluster', clusters);
  const which = carried.length === 0 ? named : `${named} with ${listed(carried)}`;
  if (namespaces === null) return `${which}: all namespaces`;
  const words = namespaces.map((name) => (name === '-' ? 'what has none' : name));
  return `${which}: ${counted('namespace', words)}`;
}

function counted(word: string, names: readonly string[]): string {
  return names.length === 0 ? `no ${word.toLowerCase()}` : `${word}${names.length === 1 ? '' : 's'} ${listed(names)}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(', ');
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown;
}
