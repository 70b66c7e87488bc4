import { describe, expect, it } from 'vitest';
import { brokenText, linkName, pagingText, unknownText } from './alarm-text.ts';
import { alarmLinks, alarmsUnknown, type AlarmsUnknown } from './link.ts';

describe('why it is not known whether anybody was called', () => {
  it.each<[readonly AlarmsUnknown[], boolean, string | null]>([
    [[], false, null],
    [['not-seen'], true, null],
    [['none'], false, 'Paging status unknown: no alert source is configured.'],
    [['not-covered'], false, 'Paging status unknown: no alert source speaks for the cluster.'],
    [['not-covered'], true, 'Paging status unknown for some: no alert source speaks for the cluster.'],
    [
      ['not-read', 'not-covered'],
      false,
      'Paging status unknown for some: no alert source speaks for the cluster; an alert source cannot be read.',
    ],
    [['cut'], true, 'Paging status unknown for some: an alert source tells more than is read.'],
    [['not-kept'], false, 'What alarms were then is not kept.'],
  ])('of %j, others known: %s', (why, some, said) => {
    expect(pagingText({ why: new Set(why), some })).toBe(said);
  });
});

it('every link and every reason has words of its own', () => {
  const words = [
    alarmLinks.map((link) => linkName[link]),
    alarmLinks.map((link) => brokenText[link]),
    alarmsUnknown.map((why) => unknownText[why]),
  ];
  for (const each of words) expect(new Set(each).size).toBe(each.length);
});
