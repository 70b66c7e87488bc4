import { z } from 'zod';

/** Any text that says something. */
export const text = z.string().min(1);

/** Labels, for grouping and filtering. */
export const labels = z.record(z.string(), z.string());

/** Names a cluster in references, links and URLs: no slash, no space. */
export const clusterName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:@-]*$/, 'must be letters, digits and . _ : @ - and start with a letter or digit')
  .max(200);
