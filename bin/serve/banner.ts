/** What `kindforge serve` prints when it is ready: where it listens and how to reach it. */
import { dirname } from 'node:path';
import type { Running } from './run-serve.js';
import type { Settings } from './settings.js';

/** The text, with one command for each way of use. */
export function banner(settings: Settings, running: Running, resources: number): string {
  const { naming } = settings;
  const { listening, storage } = running;
  const { curl, kubectl, sdk } = commands(settings, running);
  const discovers =
    naming.id === 'kubernetes' ? 'api-resources' : 'get namespaces   (for every command: --naming kubernetes)';
  return `
  Kindforge serves ${resources} resources, ${naming.id} names

  listening on  ${listening.url}
  data          ${storage.place}
  credentials   ${credentials(settings, running)}

  curl          ${curl} ${listening.url}/apis
  kubectl       ${kubectl} ${discovers}
  SDK           createClient({ ${sdk} })

  Stop with Ctrl+C.

`;
}

/** How each way of use begins. The server's certificate does for its authority's: who trusts it trusts the server. */
function commands({ tls }: Settings, { listening: { url }, credentials }: Running): Record<string, string> {
  const trusting = tls ? `curl --cacert ${tls.certFile}` : 'curl';
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
    kubectl: tls ? `${server} --certificate-authority ${tls.certFile}` : server,
    sdk: `baseUrl: '${url}'`,
  };
}

function credentials({ tokenAuthFile, anonymous }: Settings, { credentials: own }: Running): string {
  if (own) return `an administrator's, in ${dirname(own.kubeconfig)}   (to do without: --allow-everyone)`;
  if (anonymous === 'administrator') return 'not needed: everyone on this machine is admin';
  return tokenAuthFile === undefined ? 'tokens of service accounts' : `bearer tokens of ${tokenAuthFile}`;
}
