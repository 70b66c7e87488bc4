import { describe, expect, it } from 'vitest';
import { editorOf } from './crossplane/shared-fields.ts';
import { goDuration } from './go-duration.ts';
import { lastStatusWrite, setterOf, specEditor, statusWriters } from './managers.ts';
import { fieldRivals } from './rivals.ts';

function entry(manager: string, time: string, fieldsV1: object, subresource?: string): object {
  return { manager, operation: 'Update', time: `2026-11-21T${time}Z`, fieldsType: 'FieldsV1', fieldsV1, subresource };
}

function object(...managedFields: object[]): object {
  return { metadata: { managedFields } };
}

const at = (time: string): number => Date.parse(`2026-11-21T${time}Z`);

describe('who set a field', () => {
  const both = object(
    entry('kustomize-controller', '08:00:00', { 'f:spec': { 'f:suspend': {}, 'f:interval': {} } }),
    entry('kubectl-patch', '09:00:00', { 'f:spec': { 'f:suspend': {} } }),
    entry('kustomize-controller', '10:00:00', { 'f:status': { 'f:conditions': {} } }, 'status'),
  );

  it('is the newest manager that owns it', () => {
    expect(setterOf(both, ['spec', 'suspend'])).toEqual({ by: 'kubectl-patch', at: at('09:00:00') });
    expect(setterOf(both, ['spec', 'interval'])).toEqual({ by: 'kustomize-controller', at: at('08:00:00') });
  });

  it('is looked for among no more managers than so many: each is cleaned, again and again', () => {
    let looked = 0;
    const many = Array.from({ length: 20_000 }, (_, index) => ({
      fieldsV1: { 'f:spec': { 'f:suspend': {} }, 'f:status': {} },
      get manager() {
        looked += 1;
        return `m${index}`;
      },
    }));
    expect(setterOf(object(...many), ['spec', 'suspend']).by).not.toBeNull();
    expect(specEditor(object(...many))).not.toBeNull();
    expect(statusWriters(object(...many)).size).toBe(256);
    expect(fieldRivals(object(...many))).toEqual([]);
    expect(looked).toBeLessThanOrEqual(5 * 256);
  });

  it('is nobody where no manager owns it', () => {
    expect(setterOf(both, ['spec', 'prune'])).toEqual({ by: null, at: null });
    expect(setterOf({}, ['spec', 'prune'])).toEqual({ by: null, at: null });
  });

  it('finds keys with dots and slashes', () => {
    const annotated = object(
      entry('kubectl-annotate', '09:00:00', {
        'f:metadata': { 'f:annotations': { '.': {}, 'f:crossplane.io/paused': {} } },
      }),
    );
    expect(setterOf(annotated, ['metadata', 'annotations', 'crossplane.io/paused']).by).toBe('kubectl-annotate');
  });

  it('is the owner of an atomic parent', () => {
    const atomic = object(entry('flux', '09:00:00', { 'f:spec': { 'f:ref': {} } }));
    expect(setterOf(atomic, ['spec', 'ref', 'tag']).by).toBe('flux');
  });

  it('the spec was last written by the newest manager of any of it', () => {
    expect(specEditor(both)).toEqual({ manager: 'kubectl-patch', at: at('09:00:00') });
    expect(specEditor(object())).toBeNull();
  });

  it.each<readonly [string, readonly object[], string | null]>([
    [
      'late initialisation',
      [entry('kubectl-edit', '08:00:00', { 'f:spec': {} }), entry('provider', '09:00:00', { 'f:spec': {} })],
      'kubectl-edit',
    ],
    [
      'resolved references',
      [
        entry('apiextensions.crossplane.io/composed/1f', '08:00:00', { 'f:spec': {} }),
        entry('managed.crossplane.io/api-simple-reference-resolver', '09:00:00', { 'f:spec': {} }),
      ],
      'apiextensions.crossplane.io/composed/1f',
    ],
    ['nobody else', [entry('provider', '09:00:00', { 'f:spec': {} })], null],
  ])('what Crossplane writes into a spec itself is no edit: %s', (_name, entries, expected) => {
    const written = object(...entries, entry('provider', '10:00:00', { 'f:status': {} }, 'status'));
    expect(editorOf(written)?.manager ?? null).toBe(expected);
  });

  it('the newest status write is found', () => {
    expect(lastStatusWrite(both)).toBe(at('10:00:00'));
    expect(lastStatusWrite(object(entry('x', '08:00:00', { 'f:spec': {} })))).toBeNull();
  });
});

describe('of several entries', () => {
  const times = { early: '08:00:00', late: '09:00:00' };
  it.each<readonly [string, readonly (keyof typeof times | null)[], number]>([
    ['the later, whichever comes first', ['late', 'early'], 0],
    ['the later, whichever comes last', ['early', 'late'], 1],
    ['of one time the last', ['late', 'late'], 1],
    ['one with a time', [null, 'early'], 1],
    ['not one without a time', ['early', null], 0],
    ['of none with a time the last', [null, null], 1],
  ])('counts %s', (_case, given, index) => {
    const entries = given.map((name, position) => ({
      manager: `m${position}`,
      ...(name === null ? {} : { time: `2026-11-21T${times[name]}Z` }),
      fieldsV1: { 'f:spec': { 'f:suspend': {} }, 'f:status': {} },
    }));
    const name = given[index] ?? null;
    const time = name === null ? null : at(times[name]);
    expect(setterOf(object(...entries), ['spec', 'suspend'])).toEqual({ by: `m${index}`, at: time });
    expect(specEditor(object(...entries))).toEqual({ manager: `m${index}`, at: time });
    expect(lastStatusWrite(object(...entries))).toBe(time);
  });

  it('a write of the status is known by its subresource or by its fields', () => {
    expect(lastStatusWrite(object(entry('a', '08:00:00', {}, 'status')))).toBe(at('08:00:00'));
    expect(lastStatusWrite(object(entry('a', '08:00:00', { 'f:status': {} })))).toBe(at('08:00:00'));
    expect(lastStatusWrite(object(entry('a', '08:00:00', { 'f:spec': {} }, 'scale')))).toBeNull();
  });

  it.each([
    ['without fields', undefined],
    ['that owns nothing of the spec', { 'f:spec': {} }],
    ['that owns another field', { 'f:spec': { 'f:interval': {} } }],
  ])('an entry %s set nothing', (_case, fieldsV1) => {
    expect(setterOf(object({ manager: 'm', fieldsV1 }), ['spec', 'suspend'])).toEqual({ by: null, at: null });
  });
});

describe('goDuration', () => {
  it.each([
    ['30s', 30_000],
    ['10m0s', 600_000],
    ['1h30m', 5_400_000],
    ['1.5s', 1500],
    ['250ms', 250],
    ['5000000ns', 5],
    ['3000us', 3],
    ['3000µs', 3],
    ['99m', 5_940_000],
    ['0', 0],
    ['1m30.5s', 90_500],
    ['', null],
    ['10', null],
    ['m', null],
    ['ten minutes', null],
    ['1.2.3s', null],
    [null, null],
  ])('%j is %j ms', (text, ms) => {
    expect(goDuration(text)).toBe(ms);
  });
});
