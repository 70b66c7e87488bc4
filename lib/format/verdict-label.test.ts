import { expect, it } from 'vitest';
import { verdicts } from '../domain/verdict/verdict.ts';
import { lacksMeasure, verdictLabel } from './verdict-label.ts';

it.each(verdicts)(
  'that drift is not measured is told of what is %s, unless nobody looks or it is said already',
  (verdict) => {
    const object = { verdict, role: 'applier', drift: 'not-measured' } as const;
    const blind = ['unobserved', 'stale', 'suspended'].includes(verdict);
    expect(lacksMeasure(object, 'It was applied.')).toBe(!blind);
    expect(lacksMeasure(object, 'It was applied; drift is not measured.')).toBe(false);
    expect(lacksMeasure({ ...object, drift: 'none' }, 'It is as declared.')).toBe(false);
    expect(verdictLabel(verdict).toLowerCase()).toBe(verdict);
    expect(verdictLabel(verdict)).toMatch(/^[A-Z][a-z]+$/);
  },
);
