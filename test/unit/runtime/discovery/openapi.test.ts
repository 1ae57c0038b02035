/** OpenAPI documents at the server's own paths: formats, ETags, and names with a hash. */
import { describe, expect, it } from 'vitest';
import { openApiV2ProtobufType } from '../../../../runtime/codec/protobuf/openapi-v2.js';
import { openApiV3ProtobufType } from '../../../../runtime/codec/protobuf/openapi-v3.js';
import { OpenApiDocuments } from '../../../../runtime/discovery/openapi.js';
import { buildRegistry } from '../../../../runtime/registry/registry.js';
import { platformNaming } from '../../../../runtime/schema/openapi/index.js';
import { conversions } from '../../../../strategies/index.js';
import { requestOf, textOf } from '../../../support/api-requests.js';
import { registry as modules } from '../../../support/built-in-modules.js';

const registry = buildRegistry({ modules, handlers: [], plugins: [], featureEnabled: () => true, conversions });
const documents = new OpenApiDocuments(registry, { title: 'Test', version: 'v1', naming: platformNaming });

const get = async (path: string, headers: Record<string, string> = {}, search = '') =>
  documents.answer(requestOf({ path, search, headers }));

describe('OpenAPI paths', () => {
  it('send Swagger 2.0 as JSON, and as protobuf to clients that ask for it', async () => {
    const json = await get('/openapi/v2', { accept: 'application/json, */*' });
    expect(json.contentType).toBe('application/json');
    expect(JSON.parse(textOf(json))).toMatchObject({ swagger: '2.0' });
    const protobuf = await get('/openapi/v2', { accept: openApiV2ProtobufType });
    expect(protobuf.code).toBe(200);
    expect(protobuf.contentType).toBe('application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
    // Field 1 of the message is the text `2.0`.
    expect(textOf(protobuf).slice(0, 5)).toBe('\n\u00032.0');
    expect(protobuf.headers?.etag).not.toBe(json.headers?.etag);
  });

  it('send OpenAPI 3.0 as protobuf, by the name that the index has of its JSON', async () => {
    const path = '/openapi/v3/apis/storage.platform.io/v1';
    const json = await get(path);
    for (const accept of [
      openApiV3ProtobufType,
      'application/com.github.proto-openapi.spec.v3.v1.0+protobuf',
      `${openApiV3ProtobufType}, application/json;q=0.5`,
    ]) {
      const protobuf = await get(path, { accept }, `hash=${String(json.headers?.etag).slice(1, -1)}`);
      expect(protobuf.code).toBe(200);
      expect(protobuf.contentType).toBe('application/com.github.proto-openapi.spec.v3.v1.0+protobuf');
      expect(protobuf.headers).toMatchObject({ vary: 'Accept', etag: json.headers?.etag });
      expect(textOf(protobuf).slice(0, 7)).toBe('\n\u00053.0.0');
    }
  });

  it('end without a slash', async () => {
    for (const path of ['/openapi/v2/', '/openapi/v3/', '/openapi/v3/api/v1/', '/openapi/', '/openapi//v2']) {
      expect((await get(path)).code).toBe(404);
    }
  });

  it('refuse formats that they do not have', async () => {
    expect((await get('/openapi/v2', { accept: 'application/xml' })).code).toBe(406);
    expect((await get('/openapi/v3', { accept: openApiV2ProtobufType })).code).toBe(406);
  });

  it('know all their paths', async () => {
    expect((await get('/openapi/v3/apis/storage.platform.io/v1')).code).toBe(200);
    expect((await get('/openapi/v3/apis/storage.platform.io/v9')).code).toBe(404);
    expect((await get('/openapi/v3/__proto__')).code).toBe(404);
    expect((await get('/openapi/v4')).code).toBe(404);
  });

  it('answer 304 to clients with the current document, and redirect others to the name with its hash', async () => {
    const { headers } = await get('/openapi/v3/api/v1');
    const etag = String(headers?.etag);
    expect((await get('/openapi/v3/api/v1', { 'if-none-match': etag })).code).toBe(304);
    const moved = await get('/openapi/v3/api/v1', {}, 'hash=0');
    expect(moved.code).toBe(301);
    expect(moved.headers?.location).toBe(`/openapi/v3/api/v1?hash=${etag.slice(1, -1)}`);
    const named = await get('/openapi/v3/api/v1', {}, `hash=${etag.slice(1, -1)}`);
    expect(named.headers?.['cache-control']).toBe('public, immutable');
    const days = (Date.parse(String(named.headers?.expires)) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBeGreaterThanOrEqual(365);
    expect(Math.round(days)).toBeLessThanOrEqual(366);
  });

  it('list the version documents with names that never change', async () => {
    const index: { paths: Record<string, { serverRelativeURL: string }> } = JSON.parse(
      textOf(await get('/openapi/v3')),
    );
    const { serverRelativeURL = '' } = index.paths['apis/storage.platform.io/v1'] ?? {};
    const [path = '', search = ''] = serverRelativeURL.split('?');
    expect((await get(path, {}, search)).code).toBe(200);
  });
});
