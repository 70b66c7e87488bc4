import { relative } from 'node:path';

/** The linted file as a path from the root, with forward slashes. */
export function projectPath(context) {
  return relative(context.cwd, context.filename).replaceAll('\\', '/');
}

/** True if a file is a test or stands in a folder of tests. */
export function isTest(file) {
  return /\.test\.tsx?$/.test(file) || file.startsWith('test/');
}

/** A visitor that sees every module that a file names: import, export from, import(), require(), types included. */
export function importsOf(visit) {
  const fromSource = (node) => {
    if (typeof node.source?.value === 'string') visit(node.source, node.source.value);
  };
  return {
    ImportDeclaration: fromSource,
    ExportNamedDeclaration: fromSource,
    ExportAllDeclaration: fromSource,
    ImportExpression: fromSource,
    TSImportType(node) {
      const source = node.source ?? node.argument?.literal ?? node.argument;
      if (typeof source?.value === 'string') visit(node, source.value);
    },
    CallExpression(node) {
      const [argument] = node.arguments;
      if (node.callee.type === 'Identifier' && node.callee.name === 'require' && typeof argument?.value === 'string') {
        visit(node, argument.value);
      }
    },
  };
}
