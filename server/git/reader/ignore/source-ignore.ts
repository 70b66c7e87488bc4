import { type Glob, globSegment, matchesGlob } from '../owners/pattern.ts';

/** One line of a .sourceignore file, from its directory on. */
export interface IgnoreRule {
  readonly glob: Glob;
  /** It takes back what a line before leaves out. */
  readonly takesBack: boolean;
  readonly onlyDirectories: boolean;
}

/** `left-out.ts` weighs the rules and paths before it looks. */
const unbounded = (): void => undefined;

/** Lines that are read of one file. */
const mostRules = 1_000;

/** Reads a .sourceignore file, which has the syntax of .gitignore; null where it has too many lines, or one that cannot be read. */
export function readSourceIgnore(text: string): readonly IgnoreRule[] | null {
  const lines = text.split(/\r?\n/).map(withoutBlanks);
  const written = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (written.length > mostRules) return null;
  const rules = written.map(ruleOf);
  return rules.every((rule) => rule !== null) ? rules : null;
}

/**
 * A line without the blanks at its end, but for one behind `\`. No pattern looks for them: it would be tried from each blank of a line anew, for
 * seconds where a file is nothing else.
 */
function withoutBlanks(line: string): string {
  let end = line.length;
  while (line.charAt(end - 1) === ' ') end -= 1;
  return line.slice(0, line.charAt(end - 1) === '\\' ? end + 1 : end);
}

function ruleOf(line: string): IgnoreRule | null {
  const takesBack = line.startsWith('!');
  const pattern = takesBack ? line.slice(1) : line;
  const onlyDirectories = pattern.endsWith('/');
  const path = onlyDirectories ? pattern.slice(0, -1) : pattern;
  // A name without a slash is that of anything beneath; with one it is a path from here.
  const segments = path.includes('/') ? path.replace(/^\//, '').split('/') : ['**', path];
  const glob: Glob[number][] = [];
  for (const segment of segments) {
    const tokens = segment === '**' ? null : globSegment(segment, true);
    if (tokens === null && segment !== '**') return null;
    glob.push(tokens);
  }
  return { glob, takesBack, onlyDirectories };
}

/**
 * True if rules leave a file out; false if they take it back; null where they say nothing of it. The last one that names it, or a directory
 * above it, counts, as source-controller reads them. `segments`: its path from the directory of the rules on.
 */
export function leavesOut(rules: readonly IgnoreRule[], segments: readonly string[]): boolean | null {
  const rule = rules.findLast(({ glob, onlyDirectories }) =>
    segments.some((_, index) => {
      const isFile = index === segments.length - 1;
      return !(isFile && onlyDirectories) && matchesGlob(glob, segments.slice(0, index + 1), unbounded);
    }),
  );
  return rule === undefined ? null : !rule.takesBack;
}
