/** The messages of Kubernetes clients that do not trust a server's certificate. */

const untrusted = 'tls: failed to verify certificate: x509:';

/** Returns the message for an error code of TLS; `undefined` for errors about anything else. */
export function certificateProblem(code: string | undefined, message: string): string | undefined {
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return `${untrusted} certificate signed by unknown authority`;
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return `${untrusted} certificate has expired or is not yet valid`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `${untrusted} ${message}`;
    default:
      return undefined;
  }
}
