/** Subprotocols of WebSockets: the chosen one, and the token that may be among them. */
import { describe, expect, it } from 'vitest';
import { chooseProtocol, readToken } from '../../../../runtime/http/websocket.js';

const prefix = 'base64url.bearer.authorization.platform.io.';
const sealed = (token: string): string => prefix + Buffer.from(token).toString('base64url');

describe('the chosen protocol', () => {
  it.each([
    [[], undefined],
    [['binary.k8s.io'], 'binary.k8s.io'],
    [[sealed('secret'), 'a', 'b'], 'a'],
    [[sealed('secret')], undefined],
  ])('of %j', (offered, chosen) => {
    expect(chooseProtocol(offered, prefix)).toBe(chosen);
  });
});

describe('the token', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['binary.k8s.io', undefined],
    [`a, ${sealed('secret')}`, 'secret'],
    [`${sealed('a.b-c_d~e+f/g=')},a`, 'a.b-c_d~e+f/g='],
    [`a,${prefix}c2VjcmV0cw==`, 'secrets'],
  ])('in %j', (header, token) => {
    expect(readToken(header, prefix)).toEqual({ ok: true, value: token });
  });

  it.each([
    [sealed('secret'), 'another protocol must be offered beside the token'],
    [`a, ${sealed('x')}, ${sealed('y')}`, 'more than one of the offered protocols is a token'],
    [`a, ${prefix}`, 'the token is not base64url of text'],
    [`a, ${prefix}%%%`, 'the token is not base64url of text'],
    [`a, ${prefix}_w`, 'the token is not base64url of text'],
    [`a, ${sealed('two words')}`, 'the token is not base64url of text'],
    [`a, ${sealed('x\r\ny: z')}`, 'the token is not base64url of text'],
  ])('in %j is refused', (header, why) => {
    const message = `Sec-WebSocket-Protocol: ${why}`;
    expect(readToken(header, prefix)).toEqual({ ok: false, failure: { reason: 'BadRequest', message } });
  });
});
