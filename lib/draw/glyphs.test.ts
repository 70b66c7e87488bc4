import { describe, expect, it } from 'vitest';
import { verdicts } from '../domain/verdict/verdict.ts';
import { faviconSvg, faviconUrl } from './plumb-line.ts';
import { alarmMarks, verdictGlyphs } from './glyphs.ts';
import { hatchPattern } from './embed/badge.ts';
import { hangOf } from './plumb-line.ts';

describe('glyphs', () => {
  it('gives every verdict an outline of its own', () => {
    const outlines = verdicts.map((verdict) => JSON.stringify(verdictGlyphs[verdict]));
    expect(new Set(outlines).size).toBe(verdicts.length);
  });

  it('keeps filled, outlined and unknown alarms apart, and marks nothing where nobody is being called', () => {
    const marks = [alarmMarks.sounding, alarmMarks.pending, alarmMarks.unknown].map((mark) => JSON.stringify(mark));
    expect(new Set(marks).size).toBe(3);
    expect(alarmMarks.silent).toEqual([]);
    expect(alarmMarks['not-due']).toEqual([]);
  });
});

describe('the plumb line', () => {
  it.each([
    ['holds', 0, false],
    ['broken', -7.5, false],
    ['unknown', 0, true],
    ['empty', 0, true],
  ] as const)('%s hangs at %s degrees, dashed %s', (truth, lean, dashed) => {
    expect(hangOf(truth)).toEqual({ lean, dashed });
  });

  it('tells the three apart in the tab too', () => {
    expect(faviconSvg('broken')).toContain('rotate');
    expect(faviconSvg('holds')).not.toContain('rotate');
    expect(faviconSvg('unknown')).toContain('dasharray');
    expect(faviconUrl('holds')).toMatch(/^data:image\/svg\+xml,%3Csvg/);
  });
});

it('hatches with lines of the colour that is asked for, under the id that fills refer to', () => {
  expect(hatchPattern('unseen', '#85888d')).toMatch(/^<pattern id="unseen" .*stroke="#85888d".*<\/pattern>$/);
});
