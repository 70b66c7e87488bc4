import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { showPage } from '../testing/show-page.tsx';
import { wireCommitName } from '../testing/wire-commit.ts';
import { SaidText } from './said-text.tsx';

const [held, other] = ['9f31c07d2b64a8e5f1c03b9a7d6e5f4c3b2a1908', 'a'.repeat(40)];

it('links the commits that a text names, with their subjects, and changes none of its words', async () => {
  const name = wireCommitName({ sha: held, subject: 'Split the ingress' });
  const text = 'build fails (worked at aaaaaaa, first failed at 9f31c07), 1 object waits for it';
  showPage(<SaidText text={text} commits={[held, other, null]} />, { commits: [name] });
  const link = await screen.findByRole('link', { name: '9f31c07' });
  expect([link.getAttribute('href'), link.title]).toEqual([name.self, expect.stringContaining('Split the ingress')]);
  expect(screen.getAllByRole('link')).toHaveLength(1);
  expect(document.body.textContent).toBe(text);
});

it('leaves a text that names none as it is', () => {
  showPage(<SaidText text="health checks fail" commits={[]} />);
  expect(document.body.textContent).toBe('health checks fail');
});
