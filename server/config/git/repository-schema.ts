import { z } from 'zod';
import { type GitHost, gitHosts } from '#lib/git-host/host.ts';
import { durationSchema } from '../duration.ts';
import { text } from '../field-schemas.ts';

const units: Readonly<Record<string, number>> = { Mi: 1024 ** 2, Gi: 1024 ** 3 };
const sizeText = /^([1-9]\d{0,5})(Mi|Gi)$/;
const mebi = 1024 ** 2;

/** A size such as 2Gi, in bytes. */
const size = z
  .string()
  .regex(sizeText, 'must be a size such as 512Mi or 2Gi')
  .transform((written) => {
    const [, count = '0', unit = ''] = sizeText.exec(written) ?? [];
    return Number(count) * (units[unit] ?? 0);
  });

/** One line of `repositories` as it is written. */
export const repository = z
  .strictObject({
    url: text.meta({ description: 'As git takes it: https, ssh or a path.' }),
    from: text.optional().meta({
      description: 'Where it is fetched, if that is not the url by which clusters name it: another address or a path.',
    }),
    host: z.enum(gitHosts).optional().meta({ description: 'Found from the URL for the public hosts.' }),
    mirror: z.boolean().default(true).meta({
      description: 'Whether it is mirrored, so that commits have names, and paths a history. Links need no mirror.',
    }),
    token: text.optional().meta({ description: 'A file with a token or password that may read it, for https.' }),
    user: text.optional().meta({ description: 'The user that goes with the token; git where absent.' }),
    key: text.optional().meta({ description: 'A file with a deploy key that may read it, for ssh.' }),
    knownHosts: text.optional().meta({ description: 'A file with the keys of its host, as ssh has them, for ssh.' }),
  })
  .superRefine((entry, context) => {
    if (entry.user !== undefined && entry.token === undefined)
      context.addIssue({ code: 'custom', path: ['user'], message: 'user goes with token' });
    if (entry.knownHosts !== undefined && entry.key === undefined)
      context.addIssue({ code: 'custom', path: ['knownHosts'], message: 'knownHosts goes with key' });
    if (entry.token !== undefined && entry.key !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['key'],
        message: 'key is for ssh and token for https: name one of them',
      });
  });

/** `git` as it is written: all mirrors. */
export const gitSettings = z
  .strictObject({
    found: z.boolean().default(true).meta({
      description:
        'Whether repositories that sources on the clusters name are mirrored too: by https, without credentials.',
    }),
    every: durationSchema
      .refine((ms) => ms >= 10_000, 'must be 10s or more')
      .prefault('1m')
      .meta({ description: 'How often a repository is fetched.' }),
    mostBytes: size
      .refine((bytes) => bytes >= 16 * mebi, 'must be 16Mi or more')
      .prefault('2Gi')
      .meta({ description: 'How large one mirror may grow on disk.' }),
  })
  .prefault({});

/** Files by which a repository lets us in, absolute; null where none is named. */
export interface RepositoryAccess {
  /** User of `token`; null for "git". */
  readonly user: string | null;
  /** A file with a token or password, for https. */
  readonly token: string | null;
  /** A file with a private key, for ssh. */
  readonly key: string | null;
  /** A file with the keys of its host, for ssh. */
  readonly knownHosts: string | null;
}

/** A control repository. `host` is null where it is to be found from the URL. */
export interface RepositoryEntry {
  readonly url: string;
  /** Address that it is fetched from. */
  readonly from: string;
  readonly host: GitHost | null;
  readonly mirror: boolean;
  readonly access: RepositoryAccess;
}

/** Settings of all mirrors. `every` in ms. */
export interface GitSettings {
  readonly found: boolean;
  readonly every: number;
  readonly mostBytes: number;
}

/** A repository as it is written, its files absolute by `path`, its addresses by `address`. */
export function repositoryEntry(
  { url, from, host, mirror, user, token, key, knownHosts }: z.output<typeof repository>,
  path: (written: string) => string,
  address: (url: string) => string,
): RepositoryEntry {
  const file = (written: string | undefined): string | null => (written === undefined ? null : path(written));
  return {
    url: address(url),
    from: address(from ?? url),
    host: host ?? null,
    mirror,
    access: { user: user ?? null, token: file(token), key: file(key), knownHosts: file(knownHosts) },
  };
}
