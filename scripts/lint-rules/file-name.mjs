import { projectPath } from './sources.mjs';

const bags = /^(?:utils?|helpers?|common|types|misc|shared|constants)$/;
const kebab = /^[a-z0-9]+(?:[-.][a-z0-9]+)*$/;

/** A file is called by its one idea, in kebab-case; bags of unrelated things have no name here. */
export const fileName = {
  meta: { type: 'suggestion', docs: { description: 'Files are named after one idea, in kebab-case' }, schema: [] },
  create(context) {
    return {
      Program(node) {
        const message = nameProblem(projectPath(context));
        if (message !== null) context.report({ node, message });
      },
    };
  },
};

/** Trouble with the name of a file (path from the root), or null. */
export function nameProblem(file) {
  const parts = file.split('/');
  const stem = parts.pop().replace(/(?:\.(?:test|config|d|css))*\.[cm]?[jt]sx?$/, '');
  const bag = [stem, ...parts].find((part) => bags.test(part));
  if (bag !== undefined) return `"${bag}" says nothing about what is in it: name the idea`;
  // app/ holds Next's own spellings: [slug], (group), opengraph-image.
  if (parts[0] === 'app' || kebab.test(stem)) return null;
  return `${stem} is not kebab-case`;
}
