/** An answer of an API server that is complete: the HTTP status, the body, and what else goes into the head. */
export interface Answer {
  readonly code: number;
  readonly contentType: string;
  readonly body: Buffer;
  readonly headers?: { readonly [name: string]: string };
}

/** A JSON answer. */
export function jsonAnswer(value: object, code = 200, contentType = 'application/json'): Answer {
  return { code, contentType, body: Buffer.from(`${JSON.stringify(value)}\n`) };
}

/** Answer of an API server where it serves nothing at a path: plain text, no Status. */
export const pageNotFound: Answer = {
  code: 404,
  contentType: 'text/plain; charset=utf-8',
  body: Buffer.from('404 page not found\n'),
};

/** A metav1.Status of a failure. */
export function failureStatus(code: number, reason: string, message: string, more: object = {}): object {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, ...more, code };
}

/** An answer that is a failure Status. */
export function failure(code: number, reason: string, message: string, more: object = {}): Answer {
  return jsonAnswer(failureStatus(code, reason, message, more), code);
}

/** 410 of a list or watch whose version has left the window (apiserver watch_cache.go). */
export function expiredMessage(asked: number, oldest: number): string {
  return `too old resource version: ${asked} (${oldest})`;
}

/** 504 of a list at a version that is not there yet (apiserver storage/errors.go). */
export function tooLarge(asked: number, current: number): Answer {
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`;
  const details = {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  };
  return { ...failure(504, 'Timeout', message, { details }), headers: { 'retry-after': '1' } };
}
