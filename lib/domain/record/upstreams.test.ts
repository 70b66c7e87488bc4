import { expect, it } from 'vitest';
import { observed } from '../testing/observed.ts';
import { hasUpstreams, noUpstreams } from './upstreams.ts';

const { ref } = observed();

it.each([{ sources: [ref] }, { dependsOn: [ref] }, { parent: ref }, { provider: ref }, { providerConfig: ref }])(
  'one with no more than %j stands on something',
  (part) => {
    expect(hasUpstreams({ ...noUpstreams, ...part })).toBe(true);
    expect(hasUpstreams(noUpstreams)).toBe(false);
  },
);
