import { expect, it } from 'vitest';
import { saidOfDial } from './dial-error.ts';

const url = new URL('https://api.example.org:6443');

it.each([
  ['CERT_HAS_EXPIRED', 'protocol', 'the certificate of api.example.org:6443 has expired (CERT_HAS_EXPIRED)'],
  [
    'CERT_NOT_YET_VALID',
    'protocol',
    'the certificate of api.example.org:6443 is not valid yet: is the clock of this machine right? (CERT_NOT_YET_VALID)',
  ],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'protocol',
    'the certificate of api.example.org:6443 is not signed by the certificate-authority of the kubeconfig (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
  ],
  ['ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', 'protocol', 'as Node says it'],
  ['ECONNREFUSED', 'unreachable', 'as Node says it'],
  ['', 'unreachable', 'as Node says it'],
])('%s is %s: %s', (code, type, message) => {
  expect(saidOfDial(Object.assign(new Error('as Node says it'), { code }), url)).toEqual({ type, message });
});
