const readers = new Set(['textAt', 'textsAt']);

/**
 * Where clusters are read, a text comes in through lib/foreign-words.ts: bounded, without secrets, without letters that nobody sees.
 * Neither the readers of raw text nor a look at the type of a value is a way around it.
 */
export const foreignWords = {
  meta: { type: 'problem', docs: { description: 'Words of clusters come in clean' }, schema: [] },
  create(context) {
    return {
      ImportSpecifier(node) {
        const from = node.parent?.source?.value;
        if (from !== '#lib/foreign.ts' || !readers.has(node.imported.name)) return;
        context.report({
          node,
          message: `${node.imported.name} gives a text as it came: read it by lib/foreign-words.ts`,
        });
      },
      BinaryExpression(node) {
        const sides = [node.left, node.right];
        const looks = sides.some((side) => side.type === 'UnaryExpression' && side.operator === 'typeof');
        if (!looks || !sides.some((side) => side.value === 'string')) return;
        context.report({ node, message: 'A text as it came: read it by lib/foreign-words.ts' });
      },
    };
  },
};
