import { saying } from '../redact.ts';

/** Why a connection could not be opened, in words; `protocol` where the other side answered and is not what it should be. */
export interface SaidOfDial {
  readonly type: 'protocol' | 'unreachable';
  readonly message: string;
}

/** Node names what is wrong by codes of the system, of OpenSSL and its own. Where TLS fails, the words say what to mend in the kubeconfig. */
export function saidOfDial(error: Error, { host }: Pick<URL, 'host'>): SaidOfDial {
  const code = 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'CERT_SIGNATURE_FAILURE':
      return protocol(
        `the certificate of ${host} is not signed by the certificate-authority of the kubeconfig (${code})`,
      );
    case 'CERT_HAS_EXPIRED':
      return protocol(`the certificate of ${host} has expired (${code})`);
    case 'CERT_NOT_YET_VALID':
      return protocol(`the certificate of ${host} is not valid yet: is the clock of this machine right? (${code})`);
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return protocol(`the certificate of ${host} is for other names: tls-server-name can say which (${code})`);
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return protocol(`${host} does not speak TLS: the server of the kubeconfig may be http://, not https://`);
    default:
      return { type: isOfTls(code) ? 'protocol' : 'unreachable', message: saying(error) };
  }
}

function protocol(message: string): SaidOfDial {
  return { type: 'protocol', message };
}

function isOfTls(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ERR_TLS|ERR_SSL|EPROTO/.test(code);
}
