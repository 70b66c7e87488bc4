import { describe, expect, it } from 'vitest';
import { badgeHtml, badgeMarkdown, frameHeight, frameSnippet } from './embed-snippet.ts';

const parts = {
  url: 'https://plumbline.example.org/badge/fleet.svg?expires=1&key=k&signature=s',
  page: 'https://plumbline.example.org/',
  title: `a"<]b`,
};

describe('a snippet', () => {
  it('for HTML holds its address and title as text', () => {
    expect(frameSnippet(parts, 320)).toBe(
      '<iframe src="https://plumbline.example.org/badge/fleet.svg?expires=1&amp;key=k&amp;signature=s" title="a&quot;&lt;]b, by Plumbline" width="100%" height="320" loading="lazy" referrerpolicy="no-referrer"></iframe>',
    );
    expect(badgeHtml(parts)).toBe(
      '<a href="https://plumbline.example.org/"><img src="https://plumbline.example.org/badge/fleet.svg?expires=1&amp;key=k&amp;signature=s" alt="a&quot;&lt;]b, by Plumbline" height="20"></a>',
    );
  });

  it('for Markdown ends its brackets itself', () => {
    expect(badgeMarkdown(parts)).toBe(
      '[![a"\\<\\]b](https://plumbline.example.org/badge/fleet.svg?expires=1&key=k&signature=s)](https://plumbline.example.org/)',
    );
  });

  it('has room for what it shows', () => {
    expect(frameHeight({ type: 'fleet' })).toBeGreaterThan(
      frameHeight({ type: 'object', ref: { cluster: 'a', group: '', kind: 'b', namespace: '', name: 'c' } }),
    );
    expect(frameHeight({ type: 'label', key: 'a', value: 'b' })).toBeGreaterThan(frameHeight({ type: 'fleet' }));
  });
});
