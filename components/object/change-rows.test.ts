import { describe, expect, it } from 'vitest';
import { moment } from '../testing/wire-fleet.ts';
import { wireChange } from '../testing/wire-object.ts';
import { beforeText, changeRows } from './changes-before.tsx';

describe('lines of the table', () => {
  it('hold what one hand did to one thing at one moment', () => {
    const rows = changeRows([
      wireChange(4, { type: 'suspended', text: 'Suspended by spec.suspend' }),
      wireChange(4),
      wireChange(4, { by: 'flux' }),
      wireChange(5),
      wireChange(5, { ref: null, href: '/clusters/eu-west-3', by: null, text: 'Kubernetes v1.33.6 → v1.34.3' }),
      wireChange(5, {
        ref: null,
        href: '/clusters/eu-west-3',
        by: null,
        text: 'helm-controller v1.3.0 → v1.4.0',
      }),
    ]);
    expect(rows.map(({ changes }) => changes.map(({ text }) => text))).toEqual([
      ['Suspended by spec.suspend', 'Spec edited, to generation 4'],
      ['Spec edited, to generation 4'],
      ['Spec edited, to generation 4'],
      ['Kubernetes v1.33.6 → v1.34.3'],
      ['helm-controller v1.3.0 → v1.4.0'],
    ]);
  });
});

describe('how long before', () => {
  const at = (seconds: number) => new Date(moment - seconds * 1000).toISOString();

  it.each<readonly [string, number, number, string]>([
    ['dated', 250, 250, '4 min before'],
    ['at the very moment', 0, 0, 'at that moment'],
    ['cut to the second by the API server', 0.4, 0.4, 'at that moment'],
    ['between two looks', 240, 720, 'between 12 min and 4 min before'],
    ['between two looks that came close', 310, 350, 'about 5 min before'],
    ['found only after that moment', -60, 720, 'up to 12 min before'],
  ])('%s', (_name, latest, earliest, words) => {
    expect(beforeText({ at: at(latest), notBefore: at(earliest) }, moment)).toBe(words);
  });
});
