import { z } from 'zod';
import { text } from '../field-schemas.ts';

const directory = z
  .string()
  .min(1)
  .max(1_024)
  .refine((path) => !path.startsWith('/') && !path.split('/').includes('..'), 'must be a directory of the repository')
  .transform((path) =>
    path
      .split('/')
      .filter((segment) => segment !== '' && segment !== '.')
      .join('/'),
  );

/** `compare` as it is written: directories that are the same thing in two environments. */
export const compareSettings = z
  .strictObject({
    pairs: z
      .array(
        z.strictObject({
          repository: text.optional().meta({
            description: 'Its repository, as git takes it; where absent it is offered of whichever is shown.',
          }),
          left: directory,
          right: directory,
        }),
      )
      .max(100)
      .default([])
      .meta({ description: 'Named before those that are found by the names of environments and clusters in paths.' }),
  })
  .prefault({});
