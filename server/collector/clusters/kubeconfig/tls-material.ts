import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { TlsMaterial } from '../access.ts';
import { type Failure, failure } from '../answer.ts';

/**
 * Why TLS material of a kubeconfig cannot be used; null where it can. Node itself takes a certificate authority that is none for an
 * empty list, and says of the server what is wrong with the file.
 */
export function faultOfMaterial({ ca, cert, key }: TlsMaterial): Failure | null {
  // As client-go: others beside it may be torn.
  if (ca !== null && readCertificates(ca).length === 0)
    return refused('certificate-authority: it holds no certificate (PEM; in certificate-authority-data as base64)');
  if (cert === null && key === null) return null;
  if (cert === null) return refused('client-key: there is no client-certificate for it');
  const own = readCertificates(cert);
  const [first] = own;
  if (first === undefined)
    return refused('client-certificate: it holds no certificate (PEM; in client-certificate-data as base64)');
  if (key === null) return refused('client-certificate: there is no client-key for it');
  if (own.length < blocksOf(cert).length)
    return refused('client-certificate: one of the certificates in it cannot be read');
  const secret = privateKeyOf(key);
  if (secret === null)
    return refused('client-key: it holds no private key without a passphrase (PEM; in client-key-data as base64)');
  if (!isKeyOf(first, secret)) return refused('client-key: it is not the key of the client-certificate');
  return null;
}

/** When a client certificate ends (ms since the epoch); null where there is none that can be read. */
export function endOfCertificate(cert: string | null): number | null {
  return cert === null ? null : (readCertificates(cert)[0]?.validToDate.getTime() ?? null);
}

/** When a token ends that is a JWT with `exp` (ms since the epoch); null where it does not say so. */
export function endOfToken(token: string): number | null {
  const [, claims] = token.split('.');
  const found = /"exp"\s*:\s*(\d{1,12})\b/.exec(Buffer.from(claims ?? '', 'base64url').toString('utf8'));
  return found ? Number(found[1]) * 1_000 : null;
}

const block = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[^-]+-----END (?:X509 |TRUSTED )?CERTIFICATE-----/g;

/** The certificates of a text that can be read, in their order. */
function readCertificates(pem: string): readonly X509Certificate[] {
  return blocksOf(pem).flatMap((each) => certificateOf(each) ?? []);
}

function blocksOf(pem: string): readonly string[] {
  return pem.match(block) ?? [];
}

function certificateOf(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}

function isKeyOf(certificate: X509Certificate, key: KeyObject): boolean {
  try {
    return certificate.checkPrivateKey(key);
  } catch {
    return false;
  }
}

function privateKeyOf(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
}

function refused(message: string): Failure {
  return failure({ type: 'credentials', message });
}
