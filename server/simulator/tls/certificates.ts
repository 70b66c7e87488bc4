import './reflect-metadata.ts';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { day } from '#lib/domain/time/length.ts';

/** PEM texts: the CA of the fleet, and the certificate and key that every API server shows. */
export interface FleetCertificates {
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Makes one CA and one server certificate for 127.0.0.1 and localhost, valid from a day before `now` (ms) for ten years. */
export async function createCertificates(now: number): Promise<FleetCertificates> {
  const validity = { notBefore: new Date(now - day), notAfter: new Date(now + 3650 * day) };
  const caKeys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const serverKeys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const ca = await X509CertificateGenerator.createSelfSigned({
    ...validity,
    serialNumber: '01',
    name: 'CN=plumbline-simulator-ca',
    signingAlgorithm: algorithm,
    keys: caKeys,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  const server = await X509CertificateGenerator.create({
    ...validity,
    serialNumber: '02',
    subject: 'CN=kube-apiserver',
    issuer: ca.subject,
    signingAlgorithm: algorithm,
    publicKey: serverKeys.publicKey,
    signingKey: caKeys.privateKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([
        { type: 'ip', value: '127.0.0.1' },
        { type: 'dns', value: 'localhost' },
        { type: 'dns', value: 'kubernetes.default.svc' },
      ]),
    ],
  });
  const key = PemConverter.encode(await crypto.subtle.exportKey('pkcs8', serverKeys.privateKey), 'PRIVATE KEY');
  return { ca: ca.toString('pem'), certificate: server.toString('pem'), key };
}
