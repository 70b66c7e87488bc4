import { describe, expect, it } from 'vitest';
import { parseConfig } from '#server/config/load-config.ts';
import type { Hubs } from '#server/config/schema.ts';
import { selectedConfig } from '#server/config/selected-config.ts';
import { hubsBy } from './hubs.ts';

function hubsIn(yaml: string): Hubs {
  const loaded = parseConfig(yaml, '/srv');
  if (loaded.type === 'invalid') throw new Error(JSON.stringify(loaded.problems));
  return loaded.config.security.hubs;
}

describe('a cluster that delivers to others', () => {
  it('is not believed while a configuration names none, and says what would name it', () => {
    for (const yaml of ['', 'clusters: [{ name: one }, { directory: ./kube }]', 'security: { execPlugins: [] }']) {
      const { isHub, cautions } = hubsBy(hubsIn(yaml));
      expect([yaml, isHub('one'), cautions(false)]).toEqual([yaml, false, []]);
      expect(cautions(true)).toEqual([expect.stringMatching(/is not believed.*security\.hubs of plumbline\.yaml/)]);
    }
  });

  it.each([
    ['is believed where it is named', '[one, two]', true],
    ['is not where others are', '[two]', false],
    ['is not where nobody is to be', '[]', false],
  ])('%s, and nothing is to be said', (_what, hubs, believed) => {
    const { isHub, cautions } = hubsBy(hubsIn(`security: { hubs: ${hubs} }`));
    expect([isHub('one'), cautions(true)]).toEqual([believed, []]);
  });

  it('is believed where a person chose its context by name, and that is said', async () => {
    const loaded = await selectedConfig({ type: 'contexts', names: ['one', 'two'] });
    if (loaded.type === 'invalid') throw new Error(JSON.stringify(loaded.problems));
    const { isHub, cautions } = hubsBy(loaded.config.security.hubs);
    expect([isHub('one'), cautions(true)]).toEqual([true, [expect.stringContaining('is believed')]]);
  });
});
