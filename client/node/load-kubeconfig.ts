/** Loads the connection that a context of a kubeconfig stands for. */
import { dirname } from 'node:path';
import { connectionOf } from '../kubeconfig/connection.js';
import { field, text } from '../kubeconfig/fields.js';
import type { CredentialPlugin, OidcPlugin } from '../kubeconfig/plugins.js';
import type { ConnectionOptions } from './dispatcher.js';
import { execIdentity } from './exec-plugin.js';
import type { IdentitySource } from './identity.js';
import {
  type KubeconfigFiles,
  kubeconfigPaths,
  providerConfig,
  readKubeconfigs,
  writeProviderConfig,
} from './kubeconfig-files.js';
import { type LoadedConnection, loaded } from './loaded.js';
import { oidcIdentity, type TokenStore } from './oidc.js';

/** Options of `loadKubeconfig`. */
export interface KubeconfigOptions extends ConnectionOptions {
  /** The file; those of `$KUBECONFIG`, or `~/.kube/config`, where not given. */
  readonly path?: string;
  /** The context; the file's current one where not given. */
  readonly context?: string;
}

/**
 * Reads a kubeconfig. Tokens and certificates of files are read again as they change; plugins are asked when the first
 * request needs them. Throws where a file cannot be read, or names something that it does not hold.
 */
export function loadKubeconfig({ path, context, ...options }: KubeconfigOptions = {}): LoadedConnection {
  const paths = kubeconfigPaths(path);
  const files = readKubeconfigs(paths);
  const connection = connectionOf(files.config, context);
  const { plugin } = connection;
  return loaded(connection, dirname(paths[0] ?? ''), options, plugin && identityOf(plugin, files));
}

function identityOf(plugin: CredentialPlugin, files: KubeconfigFiles): IdentitySource {
  const file = files.fileOf(plugin.user);
  if (plugin.type === 'exec') return execIdentity(plugin, dirname(file));
  return oidcIdentity(plugin, dirname(file), storeIn(file, plugin));
}

/** The kubeconfig itself keeps the tokens: a refresh token may be good for one use only. */
const storeIn = (file: string, { user }: OidcPlugin): TokenStore => ({
  read() {
    const config = providerConfig(file, user);
    const [idToken, refreshToken] = [text(field(config, 'id-token')), text(field(config, 'refresh-token'))];
    return { ...(idToken === undefined ? {} : { idToken }), ...(refreshToken === undefined ? {} : { refreshToken }) };
  },
  write({ idToken, refreshToken }) {
    writeProviderConfig(file, user, {
      ...(idToken === undefined ? {} : { 'id-token': idToken }),
      ...(refreshToken === undefined ? {} : { 'refresh-token': refreshToken }),
    });
  },
});
