/** The text that `kindforge serve` prints when it is ready: where it listens and how to reach it. */
import { dirname } from 'node:path';
import type { ListeningServer } from '../server/running-server.js';
import type { ServeOptions } from './flags/serve-options.js';

/** The text, with one command for each way of use. */
export function banner(options: ServeOptions, server: ListeningServer): string {
  const { naming = 'platform' } = options;
  const { url, place, registry } = server;
  const { curl, kubectl, sdk } = commands(options, server);
  const discovers =
    naming === 'kubernetes' ? 'api-resources' : 'get namespaces   (for every command: --naming kubernetes)';
  return `
  Kindforge serves ${registry.resources.length} resources, ${naming} names

  listening on  ${url}
  data          ${place}
  credentials   ${credentials(options, server)}

  curl          ${curl} ${url}/apis
  kubectl       ${kubectl} ${discovers}
  SDK           createClient({ ${sdk} })

  Stop with Ctrl+C.

`;
}

/** How each way of use begins. The server's certificate does for its authority's: who trusts it trusts the server. */
function commands({ tls }: ServeOptions, { url, credentials }: ListeningServer): Record<string, string> {
  const certificate = tls && 'certFile' in tls ? tls.certFile : undefined;
  const trusting = certificate === undefined ? 'curl' : `curl --cacert ${certificate}`;
  if (credentials) {
    return {
      curl: `${trusting} -H @${credentials.header}`,
      kubectl: `kubectl --kubeconfig ${credentials.kubeconfig}`,
      sdk: `kubeconfig: loadKubeconfig({ path: '${credentials.kubeconfig}' })`,
    };
  }
  const server = `kubectl --server ${url}`;
  return {
    curl: trusting,
    kubectl: certificate === undefined ? server : `${server} --certificate-authority ${certificate}`,
    sdk: `baseUrl: '${url}'`,
  };
}

function credentials({ authentication = {} }: ServeOptions, { credentials: own }: ListeningServer): string {
  if (own) return `an administrator's, in ${dirname(own.kubeconfig)}   (to do without: --allow-everyone)`;
  const { anonymous, tokenFile } = authentication;
  if (anonymous === 'administrator') return 'not needed: everyone on this machine is admin';
  return tokenFile === undefined ? 'tokens of service accounts' : `bearer tokens of ${tokenFile}`;
}
