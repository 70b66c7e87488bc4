import { expect, it } from 'vitest';
import { isRouterState } from './router-state.ts';

const nested = (levels: number): string => (levels === 0 ? '["",{}]' : `["",{"children":${nested(levels - 1)}}]`);

const well = [
  '["",{}]',
  '["",{"children":["clusters",{"children":["__PAGE__",{}]}]},null,null,16]',
  '["",{"children":[["cluster","eu-1","d",null],{"children":["__PAGE__",{},null,"refetch"]}]}]',
  '[["path","a/b","c",["x","y"]],{"side":["",{}]},["/a","/b"],"metadata-only",3,"?x"]',
  nested(20),
];

const bad = [
  ...[
    '',
    '0',
    '1',
    'true',
    'null',
    'undefined',
    '[]',
    '{}',
    '[""]',
    '[1,{}]',

    '["",null]',
    '["",{"a":1}]',
    '["",{}',
  ],
  ...['%', '%E0%A4%A', '["",{},["a"]]', '["",{},["a",1]]', '["",{},null,true]', '["",{},null,null,"1"]'],
  ...['["",{},null,null,1,2]', '["",{},null,null,1,"x",null]', '[["a","b","zz",null],{}]', '[["a","b","d"],{}]'],
  ...[
    '[["a","b","d",[1]],{}]',
    '["",{"__proto__":1}]',
    '["",{}], ["",{}]',
    '['.repeat(5_000),
    `["${'a'.repeat(40_000)}",{}]`,
  ],
  '["",{"":'.repeat(4_000),
];

it.each(well)('that Next reads is read: %s', (header) => {
  for (const each of [header, encodeURIComponent(header)]) {
    expect(isRouterState(each)).toBe(true);
  }
});

it.each(bad)('that Next throws at is refused: %j', (header) => {
  expect(isRouterState(header)).toBe(false);
});

it('that is deeper than any page is refused', () => {
  expect(isRouterState(nested(1_000))).toBe(false);
});
