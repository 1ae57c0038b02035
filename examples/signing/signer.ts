/** Signs approved requests of your own signer: `npx tsx examples/signing/signer.ts [kubeconfig]`. */
import 'reflect-metadata';
import {
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Pkcs10CertificateRequest,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { type ApiObjectLike, createResourceClient, defineResource } from 'kindforge/client';
import { defineController, loadKubeconfig, runControllers, watch } from 'kindforge/client/node';

/** Approvers need the right to `approve` for it; this program needs the right to `sign`. */
const signerName = 'shop.example.com/devices';

interface CertificateSigningRequest extends ApiObjectLike {
  spec?: { signerName: string; request: string };
  status?: { conditions?: { type: string; status: string; reason?: string; message?: string }[]; certificate?: string };
}

const requests = defineResource<CertificateSigningRequest>()({
  group: 'certificates.k8s.io',
  version: 'v1',
  plural: 'certificatesigningrequests',
  kind: 'CertificateSigningRequest',
  scope: 'Cluster',
  subresources: ['status'],
} as const);

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const keys = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
const authority = await X509CertificateGenerator.createSelfSigned({
  name: 'CN=devices',
  keys,
  signingAlgorithm: algorithm,
});

/** Makes a certificate for a device, valid for a day. */
async function sign(pem: string): Promise<string> {
  const { subject, publicKey } = new Pkcs10CertificateRequest(pem);
  const certificate = await X509CertificateGenerator.create({
    issuer: authority.subject,
    subject,
    publicKey,
    signingKey: keys.privateKey,
    signingAlgorithm: algorithm,
    notAfter: new Date(Date.now() + 86_400_000),
    extensions: [new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth])],
  });
  return certificate.toString('pem');
}

const signer = defineController({
  name: 'device-signer',
  watches: [watch(requests)],
  async reconcile(name, { client, cacheOf, signal }) {
    const request = cacheOf(requests).get(name);
    const { conditions = [], certificate = '' } = request?.status ?? {};
    const isApproved = conditions.some(({ type }) => type === 'Approved');
    const hasFailed = conditions.some(({ type }) => type === 'Failed');
    if (request?.spec?.signerName !== signerName || !isApproved || hasFailed || certificate !== '') return;
    const pem = Buffer.from(request.spec.request, 'base64').toString();
    const isDevice = new Pkcs10CertificateRequest(pem).subject.startsWith('CN=device-');
    const failure = {
      type: 'Failed',
      status: 'True',
      reason: 'NoDevice',
      message: 'names of devices begin with device-',
    };
    const status = isDevice
      ? { conditions, certificate: Buffer.from(await sign(pem)).toString('base64') }
      : { conditions: [...conditions, failure] };
    await createResourceClient(requests, client)
      .subresource('status')
      .update({ ...request, status }, { signal });
  },
});

const [kubeconfig] = process.argv.slice(2);
const client = { kubeconfig: loadKubeconfig(kubeconfig === undefined ? {} : { path: kubeconfig }) };
const running = runControllers([{ controller: signer, client }], {
  client,
  onProblem: (_name, problem) => console.error(problem),
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void running.stop());
