import { describe, expect, test } from 'vitest';
import { readCertificateRequest } from '../../../../packages/console/src/object/csr.js';

/** Requests made by OpenSSL. */
const requests = {
  full: [
    'MIIC9TCCAd0CAQAwKDEXMBUGA1UECgwOc3lzdGVtOm1hc3RlcnMxDTALBgNVBAMMBGphbmUwggEiMA0GCSqGSIb3DQEBAQUAA4IB',
    'DwAwggEKAoIBAQCpzus5eeDEUCtLADOQFEK+TFeAnFXCN5CA/k/95xqdI3JOH7VgxfckXLjXp6nxZMtv1CKw+MNItrafkhEzAdmg',
    'oWIa8jfoFSdACaMVH9abaE9efBQAdWAULQodL0dtV7dOa7Szte+HWANUi16JYrnsWaDQauvUtb3uvP+Kbt8MPtLnQs4O5QMzcf68',
    'C/r3hFaa6pS7f0VQ6egNVfFj8ycn4umbS71PKJF6ndeUbBTgDrRBpoxjmL/fqZZvu74uXW10UlAwxvr59Gg7BTxShW8EDWJUjQTk',
    'k0pYegIeePAg6yT+TVYfTYL5kZuXXWP3IUEK7yDZSAhZg0YwK7GTpJPrAgMBAAGggYcwgYQGCSqGSIb3DQEJDjF3MHUwQwYDVR0R',
    'BDwwOoILZXhhbXBsZS5jb22HBAoAAAGHECABDbgAAAAAAAAAAAAAAAGGDHNwaWZmZTovL2EvYoEFYUBiLmMwCwYDVR0PBAQDAgWg',
    'MBMGA1UdJQQMMAoGCCsGAQUFBwMCMAwGA1UdEwQFMAMBAf8wDQYJKoZIhvcNAQELBQADggEBAHf157mNmK7WG1oM/K6/IX0N1tnM',
    'WitfjEItogy9s/N7+G98Njzua2YzjwObCdXVdtkefox0QRuXMGomE9V6ayEoMV/SJTb4ZrKUe7yVVgu17SPldYwnYlhWOvBABd22',
    'Pys3h0D3MYCLqa+LYzMIkRH/cFlnBlFL5VH+DtcroxalMgciq7YlszKPu6PuEHMXUpoDj74Yi2F3ofV2AfvxZy6qIcwVJxjDwAxy',
    'A0O4M1CLX4IWXllWY0SlG3hH5aEygwsCe4bHwgd15NwXy7VarYwhz75jf8C7vXoVoebEX2Je9v1kunWi27V/7q4g2xlRxMf3Yk45',
    'rsZQ2Zu/tm4n/ZM=',
  ].join(''),
  ec: [
    'MIIBCTCBkAIBADARMQ8wDQYDVQQDDAZrw6R0aGUwdjAQBgcqhkjOPQIBBgUrgQQAIgNiAATJUPX2t3xBLG+C4go9RVUEq7o8nk4p',
    'dpHDATQ8Zw0XdfJDWFmHPWZICOpSX1mCz4674Gkb98gQd8lXZlTlu8EUnE+XgardSP2hTgxk4OjMnUnEjPSE4cSVoLevoOQioO6g',
    'ADAKBggqhkjOPQQDAgNoADBlAjAN8g8MGcnkm5ID5f7dtZT5XCpywqx30Gbags8t6ZIjyvOmeXcZLN30sjh5PsMS0xQCMQDrXCTe',
    'g572QcqkZVhQuSEuh44KfvGX8qgIbwtAYvKGTzvZ/tSsaTIyR+4N25//Q5Y=',
  ].join(''),
  ed: [
    'MIIBMDCB4wIBADAoMRcwFQYDVQQKDA5zeXN0ZW06bWFzdGVyczENMAsGA1UEAwwEamFuZTAqMAUGAytlcAMhAKsoF+4IqD7hjSnj',
    'IaLtl2BE8ceZTgDjBSJ+/hPpWs85oIGHMIGEBgkqhkiG9w0BCQ4xdzB1MEMGA1UdEQQ8MDqCC2V4YW1wbGUuY29thwQKAAABhxAg',
    'AQ24AAAAAAAAAAAAAAABhgxzcGlmZmU6Ly9hL2KBBWFAYi5jMAsGA1UdDwQEAwIFoDATBgNVHSUEDDAKBggrBgEFBQcDAjAMBgNV',
    'HRMEBTADAQH/MAUGAytlcANBAKWm3LThsMsT9zNWtBpeecC6pQuqOHsPmFWr3Gbf8u3qZjKXOODlFzNv4YEMoI00yCvYOaIDw+pB',
    'HIQa7nkJPAI=',
  ].join(''),
};

const pemOf = (body: string): string =>
  btoa(`-----BEGIN CERTIFICATE REQUEST-----\n${body}\n-----END CERTIFICATE REQUEST-----\n`);

describe('readCertificateRequest', () => {
  test('reads the subject, the names, the key and its usages', () => {
    expect(readCertificateRequest(pemOf(requests.full))).toEqual({
      subject: 'O=system:masters, CN=jane',
      key: 'RSA, 2048 bits',
      names: ['DNS: example.com', 'IP: 10.0.0.1', 'IP: 2001:db8:0:0:0:0:0:1', 'URI: spiffe://a/b', 'Email: a@b.c'],
      usages: ['digital signature', 'key encipherment', 'client auth'],
      isAuthority: true,
    });
  });

  test('reads a request with a key on a curve, and a name in another script', () => {
    const read = readCertificateRequest(pemOf(requests.ec));
    expect(read).toMatchObject({ subject: 'CN=käthe', key: 'ECDSA, P-384', names: [], isAuthority: false });
  });

  test('reads a request with an Ed25519 key', () => {
    expect(readCertificateRequest(pemOf(requests.ed)).key).toBe('Ed25519');
  });

  test.each([
    ['not base64', '%%%', 'it is not base64'],
    ['no PEM', btoa('hello'), 'it has no CERTIFICATE REQUEST'],
    ['bytes that end too early', pemOf(requests.ec.slice(0, 100)), 'a value ends too early'],
    ['another value', pemOf(btoa('\x30\x00')), 'it is not a certificate request'],
    ['a length without an end', pemOf(btoa('\x30\x80\x00\x00')), 'a length is not valid'],
    ['values nested too deep', pemOf(btoa(nested(100))), 'the values are nested too deep'],
  ])('refuses %s', (_, request, message) => {
    expect(() => readCertificateRequest(request)).toThrow(new TypeError(message));
  });
});

function nested(depth: number): string {
  let text = '';
  for (let i = 0; i < depth; i++) {
    const { length } = text;
    text = `\x30${length < 128 ? String.fromCharCode(length) : `\x82${String.fromCharCode(length >> 8, length & 255)}`}${text}`;
  }
  return text;
}
