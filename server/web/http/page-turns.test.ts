import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { pageTurns, takeWhole } from './page-turns.ts';

function newResponse(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()));
}

it('makes another page once all of one is written, though nobody reads it, and gives the fault of one that fails', async () => {
  const turns = pageTurns();
  const never = new Promise<void>(() => undefined);
  const begun: number[] = [];
  const responses = Array.from({ length: 6 }, newResponse);
  for (const [n, response] of responses.entries())
    void turns('a', response, () => {
      begun.push(n);
      return never;
    });
  expect(begun).toEqual([0, 1, 2, 3]);
  responses[1]?.emit('prefinish');
  await vi.waitFor(() => expect(begun).toEqual([0, 1, 2, 3, 4]));
  responses[2]?.emit('close');
  await vi.waitFor(() => expect(begun).toEqual([0, 1, 2, 3, 4, 5]));
  responses[0]?.emit('close');
  await expect(turns('a', newResponse(), () => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
});

it('makes nothing for one who has left', async () => {
  const response = newResponse();
  response.destroy();
  const make = vi.fn<() => Promise<void>>(() => Promise.resolve());
  await pageTurns()('a', response, make);
  expect(make).not.toHaveBeenCalled();
});

it('takes whatever is written, and lets itself be wrapped, as compression does', () => {
  const response = newResponse();
  takeWhole(response);
  const whole = Buffer.alloc(1_000_000);
  expect([response.write(whole), response.write(whole)]).toEqual([true, true]);
  expect(response.writableLength).toBeGreaterThan(2_000_000);
  const wrapped = (): boolean => false;
  response.write = wrapped;
  expect(response.write).toBe(wrapped);
});
