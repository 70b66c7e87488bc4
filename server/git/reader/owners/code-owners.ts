import { foreignReason } from '#lib/foreign-words.ts';
import type { GitHost } from '#lib/git-host/host.ts';
import type { Spend } from './pattern.ts';
import { giteaRule, gitignoreRule, gitlabRule, type PathRule } from './rules.ts';

/** Owners by path, as one CODEOWNERS file says. Looking takes a step for each mark of it and of the path at worst, which `spend` may end. */
export type OwnersOf = (path: string, spend: Spend) => readonly string[];

/** Way in which a host reads the file. */
export interface OwnerFile {
  /** Places where it is looked for: the first that is there counts. */
  readonly places: readonly string[];
  /** Reads it. What is not understood is passed over. */
  readonly read: (text: string) => OwnersOf;
}

const mostRules = 3_000;
const longestPattern = 1_024;
const mostOwners = 50;

interface Rule {
  readonly matches: PathRule;
  readonly owners: readonly string[];
}

const github: OwnerFile = {
  places: ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'],
  read: (text) => lastOf(rulesOf(text, gitignoreRule)),
};
const bitbucket: OwnerFile = { ...github, places: ['.bitbucket/CODEOWNERS'] };
const gitlab: OwnerFile = { places: ['CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'], read: readGitlab };
const gitea: OwnerFile = { places: ['CODEOWNERS', 'docs/CODEOWNERS', '.gitea/CODEOWNERS'], read: readGitea };
const forgejo: OwnerFile = { ...gitea, places: [...gitea.places, '.forgejo/CODEOWNERS'] };

const byHost: { readonly [host in GitHost]: OwnerFile | null } = {
  github,
  gitlab,
  gitea,
  forgejo,
  'bitbucket-cloud': bitbucket,
  'bitbucket-datacenter': bitbucket,
  'azure-devops': null,
  codecommit: null,
};

/** The owner file of a host; null where it knows none. */
export function ownerFileOf(host: GitHost): OwnerFile | null {
  return byHost[host];
}

function lines(text: string): readonly string[] {
  return text.split('\n').map((line) => line.trim());
}

/** "@user", "@org/team", "@@role" or an address. */
function isOwner(word: string): boolean {
  return /^@?[^@\s]+@[^@\s]+$|^@{1,2}[^@\s]+$/.test(word);
}

function ownersIn(words: readonly string[]): readonly string[] {
  return [...new Set(words.filter(isOwner))].slice(0, mostOwners).map(foreignReason);
}

/** Words of a line; a space behind `\` parts none. Behind a # that begins a word is a comment. */
function wordsOf(line: string, comments: boolean): readonly string[] {
  const words = line.match(/(?:\\.|[^\s\\])+/g) ?? [];
  const comment = comments ? words.findIndex((word) => word.startsWith('#')) : -1;
  return comment < 0 ? words : words.slice(0, comment);
}

function rulesOf(text: string, rule: (pattern: string) => PathRule | null): readonly Rule[] {
  const rules: Rule[] = [];
  for (const line of lines(text)) {
    if (rules.length >= mostRules) break;
    const [pattern, ...words] = wordsOf(line, true);
    if (pattern === undefined || pattern.length > longestPattern) continue;
    const matches = rule(pattern);
    // A line that names somebody in no known way is passed over; one that names nobody says that nobody owns it.
    if (matches !== null && words.every(isOwner)) rules.push({ matches, owners: ownersIn(words) });
  }
  return rules;
}

/** The last rule that is about a path counts. */
function lastOf(rules: readonly Rule[]): OwnersOf {
  const newest = rules.toReversed();
  return (path, spend) => newest.find(({ matches }) => matches(path, path.split('/'), spend))?.owners ?? [];
}

/** In each section the last rule counts; a path is owned in every one. `!pattern`: it is not owned in this section. */
function readGitlab(text: string): OwnersOf {
  const sections = new Map<string, Rule[]>();
  let section = '';
  let usual: readonly string[] = [];
  let count = 0;
  for (const line of lines(text)) {
    const header = /^\^?\[([^\]]{1,255})\](?:\[\d{1,9}\])?(?:\s+(\S.*))?$/.exec(line);
    if (header !== null) {
      section = (header[1] ?? '').toLowerCase();
      usual = ownersIn(wordsOf(header[2] ?? '', false));
      continue;
    }
    const [pattern, ...words] = wordsOf(line, false);
    if (pattern === undefined || pattern.startsWith('#') || pattern.length > longestPattern) continue;
    const isNot = pattern.startsWith('!');
    const matches = gitlabRule(isNot ? pattern.slice(1) : pattern);
    if (matches === null) continue;
    if (++count > mostRules) break;
    const named = ownersIn(words);
    const owners = isNot ? [] : named.length > 0 ? named : usual;
    const rules = sections.get(section) ?? [];
    rules.push({ matches, owners });
    sections.set(section, rules);
  }
  const each = [...sections.values()].map(lastOf);
  return (path, spend) => union(each.map((owners) => owners(path, spend)));
}

/** Whoever any rule names. */
function readGitea(text: string): OwnersOf {
  const rules = rulesOf(text, (pattern) => giteaRule(pattern.replaceAll(/\\([\\# ])/g, '$1')));
  return (path, spend) => union(rules.filter(({ matches }) => matches(path, [], spend)).map(({ owners }) => owners));
}

function union(lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())].slice(0, mostOwners);
}
