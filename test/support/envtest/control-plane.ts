/** Starts, uses and stops a control plane in the same order as envtest of controller-runtime. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeAuthority, type TestAuthority } from '../certificate-authority.js';
import { makeSelfSignedRsa } from './rsa-pair.js';
import { ask, type SuiteAnswer, type SuiteIdentity } from './suite-client.js';
import { hasFlag, type SuiteProcess, startHealthy, suggestPort } from './suite-process.js';

export interface ControlPlaneOptions {
  /** Flags that replace or extend the flags of envtest; `undefined` removes one. */
  readonly flags?: Readonly<Record<string, readonly string[] | undefined>>;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface ControlPlane {
  readonly url: string;
  readonly apiServer: SuiteProcess;
  readonly etcd: SuiteProcess;
  /** The folder of certificates. Stopping removes it. */
  readonly certDir: string;
  /** Of `system:masters`. */
  readonly admin: SuiteIdentity;
  addUser(name: string, ...groups: readonly string[]): Promise<SuiteIdentity>;
  /** Sends a request as the administrator. */
  ask(method: string, path: string, body?: object, type?: string): Promise<SuiteAnswer>;
  /** Stops kube-apiserver, then etcd, and removes the folders. */
  stop(): Promise<void>;
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'k8s_test_framework_'));

/** Lists the arguments in alphabetical order, each value with its flag. */
function argumentsOf(flags: Readonly<Record<string, readonly string[] | undefined>>): readonly string[] {
  const names = Object.keys(flags).sort();
  return names.flatMap((name) => flags[name]?.map((value) => `--${name}=${value}`) ?? []);
}

async function startEtcd(assets: string, dataDir: string): Promise<readonly [SuiteProcess, string]> {
  const url = `http://127.0.0.1:${await suggestPort()}`;
  const flags = {
    'advertise-client-urls': [url],
    'data-dir': [dataDir],
    'listen-client-urls': [url],
    'listen-peer-urls': [`http://127.0.0.1:${await suggestPort()}`],
    'unsafe-no-fsync': (await hasFlag(assets, 'etcd', 'unsafe-no-fsync')) ? ['true'] : undefined,
  };
  return [await startHealthy(`${url}/health`, assets, 'etcd', argumentsOf(flags)), url];
}

async function writeCertificates(certDir: string, clients: TestAuthority): Promise<string> {
  const write = (name: string, text: string): void => writeFileSync(join(certDir, name), text, { mode: 0o640 });
  const authority = await makeAuthority('CN=envtest-environment, O=envtest');
  const names = ['localhost', '127.0.0.1'];
  const serving = await authority.issue({ subject: 'CN=localhost, O=envtest', purposes: ['server'], names });
  const accounts = await makeSelfSignedRsa('CN=envtest-environment, O=envtest');
  write('apiserver.crt', serving.cert);
  write('apiserver.key', serving.key);
  write('sa-signer.crt', accounts.cert);
  write('sa-signer.key', accounts.key);
  write('client-cert-auth-ca.crt', clients.cert);
  return authority.cert;
}

export async function startControlPlane(assets: string, options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const dataDir = newFolder();
  const [etcd, etcdUrl] = await startEtcd(assets, dataDir);
  const certDir = newFolder();
  const port = await suggestPort();
  const url = `https://127.0.0.1:${port}`;
  const clients = await makeAuthority('CN=envtest-environment, O=envtest');
  const ca = await writeCertificates(certDir, clients);
  const flags = {
    'allow-privileged': ['true'],
    'authorization-mode': ['RBAC'],
    'bind-address': ['127.0.0.1'],
    'cert-dir': [certDir],
    'client-ca-file': [join(certDir, 'client-cert-auth-ca.crt')],
    'disable-admission-plugins': ['ServiceAccount'],
    'etcd-servers': [etcdUrl],
    'insecure-port': (await hasFlag(assets, 'kube-apiserver', 'insecure-port')) ? ['0'] : undefined,
    'secure-port': [String(port)],
    'service-account-issuer': [`${url}/`],
    'service-account-key-file': [join(certDir, 'sa-signer.crt')],
    'service-account-signing-key-file': [join(certDir, 'sa-signer.key')],
    'service-cluster-ip-range': ['10.0.0.0/24'],
    ...options.flags,
  };
  const args = argumentsOf(flags);
  const apiServer = await startHealthy(`${url}/healthz`, assets, 'kube-apiserver', args, options.environment);
  const addUser = async (name: string, ...groups: readonly string[]): Promise<SuiteIdentity> => {
    const subject = [`CN=${name}`, ...groups.map((group) => `O=${group}`)].join(', ');
    return { ca, ...(await clients.issue({ subject, purposes: ['client'] })) };
  };
  const admin = await addUser('default', 'system:masters');
  return {
    url,
    apiServer,
    etcd,
    certDir,
    admin,
    addUser,
    ask: (method, path, body, type) => ask(url + path, admin, method, body, type),
    async stop() {
      await apiServer.stop();
      rmSync(certDir, { recursive: true });
      await etcd.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
}
