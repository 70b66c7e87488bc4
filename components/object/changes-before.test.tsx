import { cleanup, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { WireObjectChanges, WireObjectPage } from '#lib/api/object.ts';
import { showPage } from '../testing/show-page.tsx';
import { minutesAgo, wireFleetSummary } from '../testing/wire-fleet.ts';
import {
  failingCheckout,
  firstBad,
  lastGood,
  wireChange,
  wireObject,
  wireObjectChanges,
  wireObjectPage,
} from '../testing/wire-object.ts';
import { wireRecordOf } from '../testing/wire-record.ts';
import { ObjectScreen } from './object-screen.tsx';

function show(before: WireObjectPage['before'], part: Partial<WireObjectPage> = {}): HTMLElement {
  const page = wireObjectPage({ before, ...part });
  showPage(<ObjectScreen page={page} summary={wireFleetSummary()} moment={null} record={wireRecordOf(page.object)} />);
  return screen.getByRole('region', { name: /^(What changed before|Changes\b)(?!.*verdict)/ });
}

function cells(section: HTMLElement): readonly (readonly (string | null)[])[] {
  const rows = within(within(section).getByRole('table')).getAllByRole('row').slice(1);
  return rows.map((row) =>
    within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  );
}

const source = {
  cluster: 'eu-west-3',
  group: 'source.toolkit.fluxcd.io',
  kind: 'GitRepository',
  namespace: 'flux-system',
  name: 'control',
};
const arrived = wireChange(49, {
  ref: source,
  type: 'revision',
  text: 'Revision main@2d81e55 → main@9f31c07',
  by: null,
  revision: {
    from: { text: 'main@2d81e55', commit: lastGood, href: null },
    to: { text: 'main@9f31c07', commit: firstBad, href: 'https://git.example.org/commit/9f31c07' },
  },
  href: '/clusters/eu-west-3/source',
  relation: 'source',
});
const upgraded = wireChange(52, {
  ref: null,
  type: 'controller-version',
  text: 'kustomize-controller v1.7.0 → v1.7.1',
  by: null,
  notBefore: minutesAgo(53),
  href: '/clusters/eu-west-3',
  relation: 'controller',
});

describe('before it broke', () => {
  it('lists what was changed, how long before, of what and by whom', () => {
    const suspended = wireChange(47.5, { type: 'suspended', text: 'Suspended by spec.suspend' });
    const section = show(wireObjectChanges({ changes: [suspended, wireChange(47.5), arrived, upgraded] }));
    expect(cells(section).map(([when, ...rest]) => [when?.replace(/^.*UTC /, ''), ...rest])).toEqual([
      ['30 s before', 'Suspended by spec.suspend; Spec edited, to generation 4', 'this object', 'kubectl-edit'],
      ['2 min before', 'Revision 2d81e55 → 9f31c07', 'control GitRepository, source', ''],
      ['between 6 min and 5 min before', 'kustomize-controller v1.7.0 → v1.7.1', 'eu-west-3', ''],
    ]);
    const link = within(section).getByRole('link', { name: '9f31c07' });
    expect(link.getAttribute('href')).toBe('https://git.example.org/commit/9f31c07');
    expect(within(section).getByRole('link', { name: 'control' }).getAttribute('href')).toBe(
      '/clusters/eu-west-3/source',
    );
  });

  it('says of when it speaks, and when it broke before that', () => {
    const away = { time: minutesAgo(47), noticedAt: minutesAgo(47) };
    const exact = failingCheckout({ awaySince: { ...away, bound: 'exact' } });
    expect(show(wireObjectChanges(), { object: exact }).textContent).toContain('when it left converged');
    cleanup();
    const late = failingCheckout({ awaySince: { ...away, bound: 'at-least' } });
    expect(show(wireObjectChanges(), { object: late }).textContent).toContain('when it had left converged already');
  });

  it('says that nobody is named where an edit left no trace', () => {
    const section = show(wireObjectChanges({ changes: [wireChange(50, { by: null })] }));
    expect(cells(section)[0]?.at(-1)).toBe('by whom is not known');
  });

  it('says what was looked at where nothing is recorded', () => {
    const section = show(wireObjectChanges());
    expect(section.textContent).toContain(
      'Nothing is recorded: no change of it, nor of GitRepository control, kustomize-controller or Kubernetes.',
    );
  });

  it('names some of what was looked at where that is much', () => {
    const searched = Array.from({ length: 12 }, (_, index) => `Instance db-${index}`);
    expect(show(wireObjectChanges({ searched })).textContent).toContain('Instance db-7 or 4 more.');
  });
});

describe('how much of it is known', () => {
  const cases: readonly (readonly [string, Partial<WireObjectChanges>, string, string])[] = [
    [
      'where the record begins within it',
      { recordedSince: minutesAgo(60), changes: [arrived] },
      'what was changed before that is not known',
      'Nothing is recorded',
    ],
    [
      'where it broke before anything was recorded: nothing found means nothing',
      { recordedSince: minutesAgo(10) },
      'Changes here are recorded since',
      'Nothing is recorded',
    ],
    ['where nothing is recorded at all', { recordedSince: null }, 'nothing here has been read', 'Nothing is recorded:'],
    [
      'where nobody looked for a while',
      { gaps: [{ from: minutesAgo(60), to: minutesAgo(55), state: 'unreachable', reason: 'no route' }] },
      '(no route): what was changed then was found only afterwards',
      'recorded since',
    ],
  ];

  it.each(cases)('is said %s', (_name, part, says, saysNot) => {
    const section = show(wireObjectChanges(part));
    expect(section.textContent).toContain(says);
    expect(section.textContent).not.toContain(saysNot);
  });

  it('is said where the record cannot be read', () => {
    expect(show(null).textContent).toContain('The record of changes cannot be read now.');
  });

  it('is said where there were more than are listed', () => {
    expect(show(wireObjectChanges({ changes: [arrived], more: true })).textContent).toContain('There were more');
  });
});

describe('an object that is converged', () => {
  it('shows the changes of the last day, with their age', () => {
    const before = wireObjectChanges({
      span: 'last-day',
      from: minutesAgo(1440),
      to: minutesAgo(0),
      changes: [arrived],
    });
    const section = show(before, { object: wireObject() });
    expect(within(section).getByRole('heading').textContent).toContain('Changes');
    expect(cells(section)[0]?.[0]).toMatch(/UTC 49 min ago$/);
  });
});

describe('an object that was never converged for good', () => {
  const before = wireObjectChanges({ span: 'since-made', from: minutesAgo(47), to: minutesAgo(0), changes: [arrived] });

  it('did not leave converged: its changes are those since it was made', () => {
    const born = { time: minutesAgo(47), bound: 'exact' as const, noticedAt: minutesAgo(46) };
    const section = show(before, { object: failingCheckout({ awaySince: born }) });
    expect(within(section).getByRole('heading').textContent).toMatch(/^Changes since it was made, .*UTC$/);
    expect(section.textContent).not.toContain('left converged');
    expect(cells(section)[0]?.[0]).toMatch(/UTC 49 min ago$/);
  });
});
