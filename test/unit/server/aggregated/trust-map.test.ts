import { describe, expect, it } from 'vitest';
import { readTrust } from '../../../../server/aggregated/trust-map.js';
import { trustData } from '../../../support/behind-cluster.js';
import { makeAuthority } from '../../../support/certificate-authority.js';

const { cert: proxies } = await makeAuthority('CN=proxies');
const { cert: clients } = await makeAuthority('CN=clients');
const mapOf = (data?: Record<string, string>) =>
  readTrust({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, ...(data ? { data } : {}) });

describe('the ConfigMap of authorities', () => {
  it('has authorities of proxies and clients, and the headers and names of proxies', () => {
    const read = mapOf(trustData(proxies, clients));
    if (!read.ok) throw new Error(read.problem);
    expect(read.trust.proxies.map(({ subject }) => subject)).toEqual(['CN=proxies']);
    expect(read.trust.clients.map(({ subject }) => subject)).toEqual(['CN=clients']);
    expect(read.trust.headers).toEqual({
      usernameHeaders: ['X-Remote-User'],
      groupHeaders: ['X-Remote-Group'],
      extraHeadersPrefixes: ['X-Remote-Extra-'],
      allowedNames: ['front-proxy-client'],
    });
  });

  it('may leave out everything', () => {
    const some: readonly (Record<string, string> | undefined)[] = [undefined, {}, { 'client-ca-file': ' \n' }];
    for (const data of some) {
      expect(mapOf(data)).toMatchObject({
        ok: true,
        trust: { proxies: [], clients: [], headers: { allowedNames: [] } },
      });
    }
  });

  it('reports all keys that cannot be read', () => {
    const data = { 'client-ca-file': 'none', 'requestheader-allowed-names': 'a', 'requestheader-group-headers': '[1]' };
    expect(mapOf(data)).toEqual({
      ok: false,
      problem:
        'client-ca-file: no certificate in PEM; requestheader-group-headers: must be a list of texts, in JSON; requestheader-allowed-names: must be a list of texts, in JSON',
    });
  });
});
