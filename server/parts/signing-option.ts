/** The options of `startServer` about the built-in signers of certificate requests. */
import type { SignerId } from '../../plugins/index.js';
import type { CertificateFiles } from '../transport/tls-option.js';

export interface SigningOption {
  /** The longest life of a certificate, milliseconds, from ten minutes up. Default: a year. */
  readonly longestMs?: number;
  /** The authority that signs: files in PEM, read again when they change. Default: the server's own one for clients. */
  readonly authority?: CertificateFiles | undefined;
  /** Authorities of single signers. Default: `authority`. */
  readonly signers?: Partial<Readonly<Record<SignerId, CertificateFiles | undefined>>>;
}
