/** Says how servers behind this one verify its requests. */

import type { AuthenticationInfo } from '../bootstrap/index.js';
import type { Api } from '../create-api.js';
import type { ServerParts } from '../server-parts.js';
import { proxyName } from './proxy-certificate.js';

/** The headers of requests that this server passes on. */
const headers = {
  usernameHeaders: ['X-Remote-User'],
  groupHeaders: ['X-Remote-Group'],
  extraHeadersPrefixes: ['X-Remote-Extra-'],
} as const;

/**
 * Returns the authorities of clients and of this server's own certificate. If an option sets that certificate, its
 * authority is in the option `authentication.requestHeader`, as in the reference.
 */
export function authenticationInfoOf(
  { options: { authentication = {} }, tls: given }: Pick<ServerParts, 'options' | 'tls'>,
  { tls, proxyCertificate }: Pick<Api, 'tls' | 'proxyCertificate'>,
): AuthenticationInfo {
  const clientAuthorities = tls ? tls.clientAuthorities().join('') : '';
  const own = proxyCertificate.authority;
  if (own) return { clientAuthorities, proxy: { ...headers, authorities: own(), allowedNames: [proxyName] } };
  const { requestHeader } = authentication;
  const authorities = given?.proxyAuthorities?.current().join('');
  if (!requestHeader || authorities === undefined) return { clientAuthorities };
  const { allowedNames = [] } = requestHeader;
  return { clientAuthorities, proxy: { ...headers, authorities, allowedNames } };
}
