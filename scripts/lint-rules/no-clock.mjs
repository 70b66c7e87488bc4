const clocks = { Date: ['now'], Math: ['random'], performance: ['now'], crypto: ['randomUUID', 'getRandomValues'] };
const timers = new Set(['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']);

/** No clock, timer or dice: time is a parameter in milliseconds, so that every result can be computed again. */
export const noClock = {
  meta: { type: 'problem', docs: { description: 'Time and chance come in as parameters' }, schema: [] },
  create(context) {
    return {
      NewExpression(node) {
        if (node.callee.type === 'Identifier' && node.callee.name === 'Date' && node.arguments.length === 0) {
          context.report({ node, message: 'new Date() reads the clock: take the time as a parameter' });
        }
      },
      MemberExpression(node) {
        const { object, property } = node;
        if (object.type !== 'Identifier' || property.type !== 'Identifier') return;
        if (Object.hasOwn(clocks, object.name) && clocks[object.name].includes(property.name)) {
          context.report({
            node,
            message: `${object.name}.${property.name} differs on every call: take it as a parameter`,
          });
        }
      },
      CallExpression(node) {
        if (node.callee.type !== 'Identifier') return;
        if (timers.has(node.callee.name)) {
          context.report({ node, message: `${node.callee.name} belongs to whoever owns the clock` });
        }
        if (node.callee.name === 'Date') context.report({ node, message: 'Date() reads the clock' });
      },
    };
  },
};
