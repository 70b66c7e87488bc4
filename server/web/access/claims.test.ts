import { expect, it } from 'vitest';
import { toldGroups } from './claims.ts';

const settings = { claim: ['groups'], names: new Map([['6f1c2a9e', 'platform']]) };

it('a group that is only called as the file calls another one is not that one', () => {
  expect(toldGroups({ groups: ['6f1c2a9e', 'payments'] }, settings)).toEqual({
    type: 'told',
    groups: ['platform', 'payments'],
  });
  expect(toldGroups({ groups: ['platform', 'payments'] }, settings)).toEqual({ type: 'told', groups: ['payments'] });
});

it('a name that the file gives to itself stays', () => {
  const names = new Map([...settings.names, ['platform', 'platform']]);
  expect(toldGroups({ groups: 'platform' }, { ...settings, names })).toEqual({ type: 'told', groups: ['platform'] });
});
