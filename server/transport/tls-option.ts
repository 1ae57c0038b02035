/** The options of `startServer` about TLS. */
import type { ServerCertificate } from '../../runtime/server/index.js';

/** How a server listens with TLS, which brings HTTP/2 and client certificates. */
export interface TlsOption {
  /** Any address, if requests need credentials; otherwise a loopback address. Default: 127.0.0.1. */
  readonly host?: string;
  /** 1 to 65535, or `auto` for a free one. Default: `auto`. */
  readonly port?: number | 'auto';
  /** The file descriptor of a listening socket, instead of address and port. Default: none. */
  readonly fd?: number;
  /** The certificate of the server. Default: one that it makes, signed by its own authority. */
  readonly certificate?: ServerCertificate | CertificateFiles;
  /**
   * More names and addresses for the certificate that the server makes. Default: only the ones that the server knows.
   */
  readonly names?: readonly string[];
  /** Certificates for clients that ask for a name. Default: none. */
  readonly named?: readonly NamedCertificateFiles[];
  /** The oldest version. Default: `VersionTLS12`. */
  readonly minVersion?: TlsVersion;
  /** Cipher suites of TLS 1.2, by their names in the TLS registry. Default: the suites that Node prefers. */
  readonly cipherSuites?: readonly string[];
}

/** PEM files: a certificate followed by its chain, and its key. They are read again when they change. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A certificate for some names. */
export interface NamedCertificateFiles extends CertificateFiles {
  /** As in `shop.example.com` or `*.example.com`. Default: the names of the certificate. */
  readonly patterns?: readonly string[];
}

/** Versions of TLS, as the reference names them. */
export type TlsVersion = 'VersionTLS12' | 'VersionTLS13';
