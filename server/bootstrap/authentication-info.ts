/**
 * The ConfigMap with the authorities of this server's clients, and of the certificate that it shows to API servers
 * behind it. These servers read it.
 */
import type { X509Certificate } from 'node:crypto';
import { readAuthorities } from '../../plugins/index.js';
import { equal } from '../../runtime/objects/equality.js';
import {
  type AuthenticationInfo,
  type BootstrapHook,
  type BringIntoLine,
  ensureObjects,
  type StartObject,
} from './ensure-objects.js';

type Data = Readonly<Record<string, string>>;

/** Runs again and again, because authorities may change. */
export const authenticationInfo: BootstrapHook = {
  name: 'start-cluster-authentication-info-controller',
  everySeconds: 60,
  describesServer: true,
  async run({ client, naming, authentication }) {
    const info = authentication?.();
    if (!info) return;
    const place = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap' };
    await ensureObjects(
      client,
      { ...place, namespace: naming.namespaces.system },
      [{ metadata: { name: 'extension-apiserver-authentication' }, data: withoutEmpty(dataOf(info, {})) }],
      bringing(info),
    );
  },
};

const bringing =
  (info: AuthenticationInfo): BringIntoLine =>
  (found: StartObject) => {
    const before = textsIn(found.data);
    const data = { ...before, ...withoutEmpty(dataOf(info, before)) };
    return equal(before, data) ? undefined : { ...found, data };
  };

function dataOf({ clientAuthorities, proxy }: AuthenticationInfo, before: Data): Data {
  return {
    'client-ca-file': joined(before['client-ca-file'], clientAuthorities),
    ...(proxy && {
      'requestheader-allowed-names': JSON.stringify(proxy.allowedNames),
      'requestheader-client-ca-file': joined(before['requestheader-client-ca-file'], proxy.authorities),
      'requestheader-extra-headers-prefix': JSON.stringify(proxy.extraHeadersPrefixes),
      'requestheader-group-headers': JSON.stringify(proxy.groupHeaders),
      'requestheader-username-headers': JSON.stringify(proxy.usernameHeaders),
    }),
  };
}

const withoutEmpty = (data: Data): { [key: string]: string } =>
  Object.fromEntries(Object.entries(data).filter(([, text]) => text !== ''));

const textsIn = (data: unknown): { [key: string]: string } =>
  Object.fromEntries(
    Object.entries(data ?? {}).flatMap(([key, text]) => (typeof text === 'string' ? [[key, text]] : [])),
  );

/**
 * Adds authorities to the authorities of other servers on the same store. Removes expired authorities. Keeps a stored
 * authority with the same key and name, because a server makes its own again at each start.
 */
function joined(before: string | undefined, own: string): string {
  const now = Date.now();
  const known = certificatesIn(before).filter(({ validTo }) => Date.parse(validTo) > now);
  const isKnown = (one: X509Certificate): boolean =>
    known.some(({ subject, publicKey }) => subject === one.subject && publicKey.equals(one.publicKey));
  return [...known, ...certificatesIn(own).filter((one) => !isKnown(one))].join('');
}

function certificatesIn(text = ''): readonly X509Certificate[] {
  const read = readAuthorities(Buffer.from(text));
  return read.ok ? read.authorities : [];
}
