/** The options of `startServer` about the built-in signers of certificate requests. */
import type { SignerId } from '../../plugins/index.js';
import type { CertificateFiles } from '../transport/tls-option.js';

export interface SigningOption {
  /** The longest lifetime of a certificate, in milliseconds: ten minutes or more. Default: a year. */
  readonly longestMs?: number;
  /**
   * The PEM files of the signing authority. They are read again when they change. Default: the server's own authority
   * for clients.
   */
  readonly authority?: CertificateFiles | undefined;
  /** Authorities of single signers. Default: `authority`. */
  readonly signers?: Partial<Readonly<Record<SignerId, CertificateFiles | undefined>>>;
}
