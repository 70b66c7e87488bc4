// Every path that a document or a comment names must exist, and every link between documents must lead to its heading.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Paths that exist only after something has run; documents and comments may name them. */
const made = /^(?:\.plumbline|\.next|node_modules|dist)(?:\/|$)/;
const tops = /^(?:app|components|lib|server|public|test|deploy|docs|scripts|\.ci)\//;
const pattern = /[*{}<>[\]$]|\.\.\./;

/** The anchor that a Markdown heading gets, as code hosts make it. */
function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

/** The text of a document by lines, code blocks blanked. */
function proseOf(text) {
  let fenced = false;
  return text.split('\n').map((line) => {
    const fence = /^\s*(?:```|~~~)/.test(line);
    if (fence) fenced = !fenced;
    return fence || fenced ? '' : line;
  });
}

function hasAnchor(file, anchor) {
  return proseOf(readFileSync(file, 'utf8')).some((line) => {
    const heading = /^#{1,6}\s+(.*)$/.exec(line);
    return heading !== null && anchorOf(heading[1]) === anchor;
  });
}

/** Says what is wrong with a link of a document, null where it leads somewhere. */
function brokenLink(root, document, target) {
  const [path, anchor] = target.split('#');
  const file = path === '' ? join(root, document) : join(root, dirname(document), path);
  if (!existsSync(file)) return `${target} does not exist`;
  if (anchor && statSync(file).isFile() && !hasAnchor(file, anchor)) return `${target} has no such heading`;
  return null;
}

/** Names in one document that are not there: [{ line, problem }]. */
export function documentProblems(root, document, text) {
  return proseOf(text).flatMap((content, index) => {
    const paths = [...content.matchAll(/`([^`\s]+)`/g)]
      .map(([, code]) => code.replace(/[#:]L?\d+$/, '').replace(/\/$/, ''))
      .filter((path) => tops.test(`${path}/`) && !made.test(path) && !pattern.test(path))
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${path} does not exist`);
    const links = [...content.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)]
      .map(([, target]) => brokenLink(root, document, target))
      .filter((problem) => problem !== null);
    return [...paths, ...links].map((problem) => ({ line: index + 1, problem }));
  });
}

/** The comments of a source by lines; strings that hold a comment's sign are not told apart, which only asks more of them. */
function commentsOf(text) {
  let open = false;
  return text.split('\n').map((line) => {
    const begins = /\/\*|^\s*\/\/|\s\/\/\s/.exec(line);
    const comment = open ? line : begins ? line.slice(begins.index) : '';
    if (open ? line.includes('*/') : begins?.[0] === '/*' && line.includes('*/', begins.index)) open = false;
    else if (!open && begins?.[0] === '/*') open = true;
    return comment;
  });
}

/** Names in the comments of one source that are not there: [{ line, problem }]. Other projects' files are named without a top of ours. */
export function commentProblems(root, text) {
  return commentsOf(text).flatMap((comment, index) =>
    [...comment.matchAll(/(?<![\w/.:@-])[\w.-]+(?:\/[\w.-]+)*\.(?:md|ts|tsx|mjs|css)(?![\w/])/g)]
      .map(([path]) => path)
      .filter((path) => (path.endsWith('.md') || tops.test(path)) && !made.test(path))
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => ({ line: index + 1, problem: `${path} does not exist` })),
  );
}

/** Recordings, and the test of this file, whose cases lead nowhere. */
const passedOver = /^(?:test\/fixtures\/|scripts\/check-docs\.test\.mjs$)/;

function filesOf(root, ...patterns) {
  const exclude = (path) => /(?:^|[\\/])(?:node_modules|\.[\w-]+)$/.test(path);
  return globSync(patterns, { cwd: root, exclude })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !passedOver.test(file))
    .sort();
}

/** README, CONTRIBUTING and every Markdown file under docs, as paths from the root. */
export function documents(root) {
  return filesOf(root, 'README.md', 'CONTRIBUTING.md', 'docs/**/*.md');
}

/** Every source with comments, as paths from the root. */
export function sources(root) {
  return filesOf(root, '**/*.{ts,tsx,mjs,css}');
}

/** Every problem of a tree, as lines that name file and line. */
export function problemsOf(root) {
  const read = (file) => readFileSync(join(root, file), 'utf8');
  return [
    ...documents(root).map((file) => [file, documentProblems(root, file, read(file))]),
    ...sources(root).map((file) => [file, commentProblems(root, read(file))]),
  ].flatMap(([file, problems]) => problems.map(({ line, problem }) => `${file}:${line}: ${problem}`));
}

const script = fileURLToPath(import.meta.url);
if (process.argv[1] === script) {
  const problems = problemsOf(process.argv[2] ?? join(dirname(script), '..'));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
