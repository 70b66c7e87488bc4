import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { hour } from '#lib/domain/time/length.ts';

/** A PEM certificate and its key, for one test run. */
export interface SelfSigned {
  readonly cert: string;
  readonly key: string;
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const length =
    body.length < 128
      ? [body.length]
      : body.length < 256
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));

function name(common: string): Buffer {
  return sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(common)))));
}

function time(at: number): Buffer {
  return der(0x18, Buffer.from(new Date(at).toISOString().replace(/[-:T]|\.\d+/g, '')));
}

/** Makes a certificate for localhost and 127.0.0.1 that signs itself, valid for an hour from `now` (ms). */
export function selfSigned(now = Date.now()): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const names = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])));
  const authority = sequence(der(0x01, Buffer.from([0xff])));
  const extensions = sequence(
    sequence(oid('551d11'), der(0x04, names)),
    sequence(oid('551d13'), der(0x01, Buffer.from([0xff])), der(0x04, authority)),
  );
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name('plumbline test'),
    sequence(time(now - hour), time(now + hour)),
    name('plumbline test'),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const whole = sequence(body, ecdsaWithSha256, signature);
  const lines = whole.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
