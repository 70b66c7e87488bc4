// Every path that the documentation names in backticks must exist.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Paths that exist only after something has run; documentation may name them. */
const made = /^(?:\.plumbline|\.next|node_modules|dist)(?:\/|$)/;
const tops = /^(?:app|components|lib|server|public|test|deploy|docs|scripts|\.ci)\//;
const rootFile = /^[\w.-]+\.(?:ts|tsx|mjs|js|json|md|yaml|yml)$/;

/** The named paths of one document that do not exist: [{ line, path }]. */
export function missingPaths(root, text) {
  const missing = [];
  let fenced = false;
  text.split('\n').forEach((content, index) => {
    if (/^\s*(?:```|~~~)/.test(content)) fenced = !fenced;
    if (fenced) return;
    for (const [, code] of content.matchAll(/`([^`\s]+)`/g)) {
      const path = code.replace(/[#:]L?\d+$/, '').replace(/\/$/, '');
      if (!tops.test(`${path}/`) || made.test(path) || /[*{}<>[\]$]|\.\.\./.test(path)) continue;
      if (!existsSync(join(root, path))) missing.push({ line: index + 1, path });
    }
    for (const [, target] of content.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)) {
      if (rootFile.test(target) || tops.test(target)) {
        if (!existsSync(join(root, target)) && !existsSync(join(root, 'docs', target)))
          missing.push({ line: index + 1, path: target });
      }
    }
  });
  return missing;
}

/** README.md and every Markdown file under docs, as paths from the root. */
export function documents(root) {
  const found = existsSync(join(root, 'README.md')) ? ['README.md'] : [];
  if (!existsSync(join(root, 'docs'))) return found;
  for (const entry of readdirSync(join(root, 'docs'), { recursive: true })) {
    if (String(entry).endsWith('.md')) found.push(`docs/${String(entry).replaceAll('\\', '/')}`);
  }
  return found.sort();
}

const script = fileURLToPath(import.meta.url);
if (process.argv[1] === script) {
  const root = process.argv[2] ?? join(dirname(script), '..');
  const problems = documents(root).flatMap((document) =>
    missingPaths(root, readFileSync(join(root, document), 'utf8')).map(
      ({ line, path }) => `${document}:${line}: ${path} does not exist`,
    ),
  );
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
