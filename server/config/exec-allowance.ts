import { z } from 'zod';
import { text } from './field-schemas.ts';

const absolutePath = text.refine(
  (path) => path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path),
  'must be an absolute path',
);

const environmentName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be a name of an environment variable');

/** One line of `security.execPlugins`: a credential plugin with its arguments and its environment, exactly. */
export const execAllowance = z.strictObject(
  {
    path: absolutePath.meta({ description: 'The program, by its absolute path.' }),
    args: z.array(z.string()).default([]).meta({ description: 'Its arguments, as the kubeconfig has them.' }),
    env: z
      .record(environmentName, z.string())
      .default({})
      .meta({ description: 'Its environment beside PATH, HOME and the like; a kubeconfig may ask for no other.' }),
  },
  {
    // The shape of before named the program alone.
    error: ({ code, input }) =>
      code === 'invalid_type' && typeof input === 'string'
        ? `a path alone would allow any arguments: write { path: ${input}, args: [...], env: {...} }, as the kubeconfig has them`
        : undefined,
  },
);

/** A credential plugin that kubeconfigs may run, with these arguments and this environment and no others. */
export interface ExecAllowance {
  readonly path: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}
