const opening = /^\*\s+(?:\*\s+)?(What|Whether|How)\b/;

/** A docstring begins with what it gives: a noun phrase or a verb. */
export const docOpening = {
  meta: { type: 'suggestion', docs: { description: 'Docstrings begin with what they give' }, schema: [] },
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          const word = comment.type === 'Block' ? opening.exec(comment.value)?.[1] : undefined;
          if (word === undefined) continue;
          context.report({ loc: comment.loc, message: `Begin with what it gives, not with "${word}"` });
        }
      },
    };
  },
};
