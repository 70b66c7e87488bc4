import { isTest, projectPath } from './sources.mjs';

const acting = new Set([
  'ExpressionStatement',
  'IfStatement',
  'ForStatement',
  'ForOfStatement',
  'ForInStatement',
  'WhileStatement',
  'DoWhileStatement',
  'SwitchStatement',
  'TryStatement',
  'ThrowStatement',
]);

/** Programs: the files that a process is started with. They alone do something when they are loaded. */
const programs = [
  /^server\/(?:.+\/)?main\.ts$/,
  /^server\/cli\/plumbline\.ts$/,
  /^server\/(?:.+\/)?[\w-]+-(?:worker|process)\.ts$/,
  /^server\/simulator\/simulate\.ts$/,
];

/** Loading a module does nothing: whatever runs is started by a function that somebody calls. */
export const noTopLevelEffects = {
  meta: { type: 'problem', docs: { description: 'Modules do nothing when they are loaded' }, schema: [] },
  create(context) {
    const file = projectPath(context);
    if (isTest(file) || programs.some((pattern) => pattern.test(file))) return {};
    return {
      Program(program) {
        for (const node of program.body) {
          const effect = effectOf(node);
          if (effect !== null)
            context.report({ node: effect, message: 'This runs when the module is loaded: put it in a function' });
        }
      },
    };
  },
};

function effectOf(node) {
  if (node.type === 'ExpressionStatement' && typeof node.directive === 'string') return null;
  if (acting.has(node.type)) return node;
  const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
  if (declaration?.type !== 'VariableDeclaration') return null;
  if (declaration.kind === 'let' || declaration.kind === 'var') return declaration;
  return declaration.declarations.find(({ init }) => awaits(init)) ?? null;
}

function awaits(init) {
  return init?.type === 'AwaitExpression';
}
