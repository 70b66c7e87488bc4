import type { AlarmEntry } from '#server/config/alarms-schema.ts';
import { readBoundedFile } from '#server/runtime/bounded-file.ts';

/** Means by which the programs of a source let us in. */
export interface Access {
  readonly headers: Readonly<Record<string, string>>;
  /** PEM of the authorities that are trusted; null for those of the machine. */
  readonly ca: string | null;
  readonly hasToken: boolean;
}

/** Bytes: a token of a service account takes some 1 KB. */
const largestToken = 100_000;

/** Bytes: a bundle of certificates takes some 250 KB. */
const largestBundle = 1_000_000;

/** Reads the files of a source anew: both may be renewed at any time. A sentence where one cannot be used. */
export async function readAccess({ tokenFile, ca, tenant }: AlarmEntry): Promise<Access | string> {
  const token = tokenFile === null ? null : await readBoundedFile(tokenFile, { most: largestToken });
  if (token?.type === 'unreadable') return `The file under tokenFile ${token.why}.`;
  const bundle = ca === null ? null : await readBoundedFile(ca, { most: largestBundle });
  if (bundle?.type === 'unreadable') return `The file under ca ${bundle.why}.`;
  const bearer = token?.text.trim() ?? null;
  if (bearer !== null && !/^[\x21-\x7e]+$/.test(bearer))
    return 'The file under tokenFile is empty, or holds what is no token.';
  return {
    headers: {
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
      ...(tenant === null ? {} : { 'x-scope-orgid': tenant }),
    },
    ca: bundle?.text ?? null,
    hasToken: bearer !== null,
  };
}
