import { readBoundedFile } from '#server/runtime/bounded-file.ts';
import type { Clock } from '#server/runtime/clock.ts';
import { type Failure, failure } from '../answer.ts';
import { redact } from '../redact.ts';
import type { KubeconfigUser } from './kubeconfig-document.ts';

/** A text, null where the kubeconfig names none; or why it cannot be had. */
export type NamedText = { readonly type: 'ok'; readonly text: string | null } | Failure;

/** Reads the files that a kubeconfig names (certificates, keys, tokens). */
export type FileReader = ReturnType<typeof createFileReader>;

/** Bytes: a bundle of certificates takes some 250 KB. */
const largestFile = 1_000_000;

/** client-go reads a token file anew each minute. */
const tokenKept = 60_000;

/** Makes the reader; `within`: the folder in which every file must really lie, null for anywhere. */
export function createFileReader(within: string | null) {
  async function file(field: string, path: string): Promise<NamedText> {
    const read = await readBoundedFile(path, { most: largestFile, within });
    return read.type === 'ok' ? read : refused(`${field}: ${redact(path)} ${read.why}`);
  }

  return {
    /** The text of a file; `field` is the key of the kubeconfig that names it. */
    file,
    /** Inline data (base64) wins over a file, as in client-go; null where there is neither. */
    async material(field: string, data: string | null, path: string | null): Promise<NamedText> {
      if (data !== null) return { type: 'ok', text: Buffer.from(data, 'base64').toString('utf8') };
      return path === null ? { type: 'ok', text: null } : file(field, path);
    },
  };
}

/** Bearer tokens: inline, or from a file that is read anew each minute. */
export function createTokens(clock: Clock, { file }: FileReader) {
  let token: { readonly text: string; readonly until: number } | null = null;
  return {
    async read({ tokenFile, token: inline }: KubeconfigUser): Promise<NamedText> {
      if (tokenFile === null) return { type: 'ok', text: inline };
      if (token === null || clock.now() >= token.until) {
        const read = await file('tokenFile', tokenFile);
        // As client-go: a token file that is gone leaves the last one that was read.
        if (read.type === 'fault' && token === null) return inline === null ? read : { type: 'ok', text: inline };
        const text = read.type === 'ok' ? (read.text ?? '').trim() : '';
        if (text === '' && token === null) return refused(`tokenFile: ${redact(tokenFile)} is empty`);
        token = { text: text || (token?.text ?? ''), until: clock.now() + tokenKept };
      }
      return { type: 'ok', text: token.text };
    },
    forget(): void {
      token = null;
    },
  };
}

function refused(message: string): Failure {
  return failure({ type: 'credentials', message });
}
