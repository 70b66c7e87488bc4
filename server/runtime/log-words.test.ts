import { expect, it } from 'vitest';
import { cleanForLog } from './log-words.ts';

const base = { level: 30, time: '2026-11-21T02:59:14.123Z', pid: 7, hostname: 'h', name: 'collector' };

it.each([
  ['a message', { ...base, msg: 'connected' }, '02:59:14 collector: connected'],
  [
    'its data',
    { ...base, level: 40, file: '/etc/x.yaml', tries: 3, msg: 'a kubeconfig cannot be used' },
    '02:59:14 collector warning: a kubeconfig cannot be used (file: /etc/x.yaml, tries: 3)',
  ],
  [
    'an object in it',
    { ...base, fault: { type: 'unreachable', message: 'no route' }, msg: 'disconnected' },
    '02:59:14 collector: disconnected (fault: {"type":"unreachable","message":"no route"})',
  ],
  [
    'an error with its stack',
    { ...base, level: 50, err: { type: 'Error', message: 'x', stack: 'Error: x\n    at y (z.ts:1:2)' }, msg: 'failed' },
    '02:59:14 collector error: failed\n    Error: x\n    at y (z.ts:1:2)',
  ],
  [
    'what would move the cursor',
    { ...base, reason: 'a\u001B[2Jb\nc\u009B31m\u202Ed', msg: 'said' },
    '02:59:14 collector: said (reason: a\\u{1b}[2Jb c\\u{9b}31m\\u{202e}d)',
  ],
])('%s', (_name, entry, words) => {
  expect(cleanForLog(`${JSON.stringify(entry)}\n`)).toBe(words);
});

it('what is no such line stays', () => {
  expect(cleanForLog('(node:7) Warning: something\n')).toBe('(node:7) Warning: something');
});
