/** The certificates that a server makes: its own, and the administrator's, each with the authority that signs it. */
import {
  type Authority,
  administratorUser,
  clockToleranceMs,
  defineAuthority,
  type KeyPair,
  type SigningAuthority,
} from '../../plugins/index.js';

/** The certificates, all in PEM. */
export interface OwnCertificates {
  /** The authority of the server's certificate, which clients trust. */
  readonly authority: string;
  readonly serving: KeyPair;
  /** The authority of client certificates. */
  readonly clientAuthority: string;
  /** The same authority, to sign for keys that others have made. */
  readonly signing: SigningAuthority;
  readonly administrator: KeyPair;
  /** When to make new ones, in milliseconds since 1970. */
  readonly renewAt: number;
}

export interface OwnCertificateOptions {
  /** Both authorities follow from it: they are the same for the same data. Made up where there is none. */
  readonly secret: Uint8Array | undefined;
  /** An earlier certificate of the server's authority, which stays as long as it can. */
  readonly kept?: string | undefined;
  readonly names: readonly string[];
  readonly now: number;
}

/** The name of the authority of client certificates. */
export const clientAuthorityName = 'kindforge-client-ca';

const dayMs = 86_400_000;
const lifeMs = 365 * dayMs;

/** Makes them; takes some 2 ms. */
export function makeOwnCertificates({ secret, kept, names, now }: OwnCertificateOptions): OwnCertificates {
  const authority = defineAuthority({ secret, name: 'kindforge-ca', kept, now });
  const clients = defineAuthority({ secret, name: clientAuthorityName, now });
  const issue = (
    by: Authority,
    contents: Pick<Parameters<Authority['issue']>[0], 'subject' | 'use' | 'names'>,
  ): KeyPair =>
    by.issue({ ...contents, notBefore: new Date(now - clockToleranceMs), notAfter: new Date(now + lifeMs) });
  const organizations = administratorUser.groups.filter((group) => group !== 'system:authenticated');
  return {
    authority: authority.certificate,
    serving: issue(authority, { subject: { commonName: 'kindforge', organizations: [] }, use: 'server', names }),
    clientAuthority: clients.certificate,
    signing: clients.signing,
    administrator: issue(clients, { subject: { commonName: administratorUser.name, organizations }, use: 'client' }),
    renewAt: now + (lifeMs * 2) / 3,
  };
}
