import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { anybody } from '#lib/domain/access/viewer.ts';
import { askerOf, noteAsker } from './asker.ts';

function from(address: string): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.headers['x-forwarded-for'] = address;
  return request;
}

it('is the address until it is known who asks', () => {
  expect(askerOf(from('10.0.0.7'))).toBe('10.0.0.7');
});

it('is one who has logged in, from whatever address', () => {
  const [one, other, somebody] = [from('10.0.0.7'), from('10.0.0.8'), from('10.0.0.7')];
  noteAsker(one, { by: 'session', subject: 'https://id.example ada' });
  noteAsker(other, { by: 'session', subject: 'https://id.example ada' });
  noteAsker(somebody, { by: 'session', subject: 'https://id.example bob' });
  expect(askerOf(one)).toBe(askerOf(other));
  expect(askerOf(one)).not.toBe(askerOf(somebody));
});

it('is no address that says it is somebody', () => {
  const request = from('10.0.0.7');
  noteAsker(request, { by: 'token', subject: 'wall' });
  expect(askerOf(request)).not.toBe(askerOf(from('token wall')));
});

it('is the address where nobody logs in', () => {
  const request = from('10.0.0.7');
  noteAsker(request, anybody);
  expect(askerOf(request)).toBe('10.0.0.7');
});
