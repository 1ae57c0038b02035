import { expect, it } from 'vitest';
import { banner } from '../../../../bin/serve/banner.js';

const server = { place: 'memory', registry: { resources: [] } };
const plain = { ...server, url: 'http://127.0.0.1:8080', plainUrl: 'http://127.0.0.1:8080' };
const credentials = { kubeconfig: '/keys/kubeconfig', authority: '/keys/ca.crt' };
const secure = { ...server, url: 'https://127.0.0.1:6443', credentials };

it.each([
  ['platform', plain, "{ baseUrl: 'http://127.0.0.1:8080' }"],
  ['kubernetes', plain, "{ baseUrl: 'http://127.0.0.1:8080', naming: 'kubernetes' }"],
  ['platform', secure, "{ kubeconfig: loadKubeconfig({ path: '/keys/kubeconfig' }) }"],
  ['kubernetes', secure, "{ kubeconfig: loadKubeconfig({ path: '/keys/kubeconfig' }), naming: 'kubernetes' }"],
] as const)('sets the SDK to the names of %s', (naming, told, options) =>
  expect(banner({ naming, http: {} }, told)).toContain(`createClient(${options})\n`),
);

it.each([
  ['kubernetes', 'kubectl --server http://127.0.0.1:8080 api-resources'],
  ['platform', 'needs the names of Kubernetes: --naming kubernetes'],
] as const)('has a command for kubectl only if kubectl knows the names: %s', (naming, words) =>
  expect(banner({ naming, http: {} }, plain)).toContain(`  kubectl       ${words}\n`),
);

it('has the command for logging in only if the server trusts an identity provider', () => {
  const oidc = { issuerUrl: 'https://id.example.com', clientId: 'shop' };
  expect(banner({ http: {}, authentication: { oidc } }, secure)).toContain(
    '  people        kindforge login --server https://127.0.0.1:6443 --certificate-authority /keys/ca.crt\n',
  );
  expect(banner({ http: {} }, secure)).not.toContain('kindforge login');
});

it('names the cluster in front as the one with the users', () => {
  expect(banner({ http: {}, aggregated: {} }, secure)).toContain(
    '  credentials   the cluster in front knows its users\n',
  );
  expect(banner({ http: {} }, secure)).not.toContain('cluster in front');
});

it.each([
  [{}, true],
  [{ host: '127.0.0.1' }, true],
  [{ host: '0.0.0.0' }, false],
])('names the flag that needs no credentials only if it would be accepted: %j', (tls, named) => {
  const served = { ...secure, credentials: { ...credentials, header: '/keys/header' } };
  const text = banner({ http: {}, tls }, served);
  expect(text).toContain("an administrator's, in /keys");
  expect(text.includes('--allow-everyone')).toBe(named);
});
