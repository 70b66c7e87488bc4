/** No pattern is made from a text: what a cluster says may be too long for one, mean something in it, or take for ever to match. */
export const noMadePattern = {
  meta: { type: 'problem', docs: { description: 'Patterns are written, not made' }, schema: [] },
  create(context) {
    const check = (node) => {
      const { callee } = node;
      const name = callee.type === 'MemberExpression' ? callee.property?.name : callee.name;
      if (name !== 'RegExp' || node.arguments.every(isWritten)) return;
      context.report({ node, message: 'A pattern made from a text: search with indexOf, or write the pattern' });
    };
    return { NewExpression: check, CallExpression: check };
  },
};

function isWritten(argument) {
  return argument.type === 'Literal' || (argument.type === 'TemplateLiteral' && argument.expressions.length === 0);
}
